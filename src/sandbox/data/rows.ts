import { isRecord } from "../../lib/core/json.ts";
import {
  FieldProblem,
  readGroup,
  readLocation,
  readMetadata,
  readTime,
  readUnit,
  readValue,
  readVariable,
} from "../../lib/core/record-rules.ts";
import { type FieldErrors, invalidBody } from "../core/platform-error.ts";
import { dataGaps } from "./gaps.ts";
import type { DataDevice, NewRow, WireRow } from "./types.ts";

export interface RowDefaults {
  readonly nowMs: number;
  /** Creates the group shared by the rows of a request that specify none. Called at most once. */
  readonly newGroup: () => string;
  /** Forbidden characters of variable names become `_`. */
  readonly lenient: boolean;
}

/** Changes of an edit: `null` clears a field, absent fields stay. */
export interface RowEdit {
  readonly id: string;
  readonly value?: NewRow["value"] | null;
  readonly unit?: string | null;
  readonly group?: string;
  readonly location?: NewRow["location"] | null;
  readonly metadata?: object | null;
  readonly timeMs?: number;
}

/**
 * Checks the body of a data POST (docs/internals/platform/queries.md, Writing device data) and sets defaults.
 *
 * @throws PlatformError 400 with the problem of every field; the caller must then store nothing of the body
 */
export function parseRows(body: unknown, defaults: RowDefaults): NewRow[] {
  let shared: string | undefined;
  const group = (): string => {
    shared ??= defaults.newGroup();
    return shared;
  };
  return parseList(body, (item, check) => {
    const timeMs = isGiven(item["time"]) ? check("time", () => readTime(item["time"])) : defaults.nowMs;
    return {
      variable: check("variable", () => readVariable(item["variable"], defaults.lenient)) ?? "",
      ...optionalMembers(item, check),
      group: check("group", () => groupOf(item)) ?? group(),
      timeMs: timeMs ?? defaults.nowMs,
    };
  });
}

/** Checks the body of a data PUT. The same rules apply to the fields present. */
export function parseEdits(body: unknown): RowEdit[] {
  return parseList(body, (item, check) => {
    const id = check("id", () => readId(item["id"])) ?? "";
    const group = check("group", () => groupOf(item));
    const timeMs = isGiven(item["time"]) ? check("time", () => readTime(item["time"])) : undefined;
    return {
      id,
      ...clearedMembers(item),
      ...optionalMembers(item, check),
      ...(group !== undefined && { group }),
      ...(timeMs !== undefined && { timeMs }),
    };
  });
}

type Check = <T>(field: string, read: () => T) => T | undefined;

function parseList<T>(body: unknown, parse: (item: Record<string, unknown>, check: Check) => T): T[] {
  const list = Array.isArray(body) ? body : [body];
  const errors: Record<string, string[]> = {};
  const parsed = list.map((item: unknown, index) => {
    const prefix = Array.isArray(body) ? `${index}.` : "";
    if (!isRecord(item)) {
      errors[`${prefix}data`] = ["every item must be an object"];
      return undefined;
    }
    return parse(item, (field, read) => collect(errors, `${prefix}${field}`, read));
  });
  if (Object.keys(errors).length > 0) throw invalidBody(limited(errors)).assumed(dataGaps.brokenRow);
  return parsed.filter((item) => item !== undefined);
}

function collect<T>(errors: Record<string, string[]>, field: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error;
    errors[field] = [error.message];
    return undefined;
  }
}

const MAX_REPORTED_FIELDS = 20;

function limited(errors: Record<string, string[]>): FieldErrors {
  return Object.fromEntries(Object.entries(errors).slice(0, MAX_REPORTED_FIELDS));
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function optionalMembers(
  item: Record<string, unknown>,
  check: Check,
): Pick<NewRow, "value" | "unit" | "location" | "metadata"> {
  const read = <T>(field: string, reader: (value: unknown) => T): T | undefined =>
    isGiven(item[field]) ? check(field, () => reader(item[field])) : undefined;
  const value = read("value", readValue);
  const unit = read("unit", readUnit);
  const location = read("location", readLocation);
  const metadata = read("metadata", readMetadata);
  return {
    ...(value !== undefined && { value }),
    ...(unit !== undefined && { unit }),
    ...(location !== undefined && { location }),
    ...(metadata !== undefined && { metadata }),
  };
}

function clearedMembers(item: Record<string, unknown>): Partial<RowEdit> {
  return {
    ...(item["value"] === null && { value: null }),
    ...(item["unit"] === null && { unit: null }),
    ...(item["location"] === null && { location: null }),
    ...(item["metadata"] === null && { metadata: null }),
  };
}

/** The group, or its older name `serie`. An empty string counts as absent. */
function groupOf(item: Record<string, unknown>): string | undefined {
  const given = [item["group"], item["serie"]].find((value) => isGiven(value) && value !== "");
  return given === undefined ? undefined : readGroup(given);
}

function readId(value: unknown): string {
  if (typeof value !== "string" || value === "" || value.includes("\0")) throw new FieldProblem("id is required");
  return value;
}

/** The row in the format of responses, without absent fields. */
export function toWire(device: Pick<DataDevice, "id">, id: string, row: NewRow): WireRow {
  return {
    id,
    device: device.id,
    variable: row.variable,
    ...(row.value !== undefined && { value: row.value }),
    ...(row.unit !== undefined && { unit: row.unit }),
    group: row.group,
    ...(row.location !== undefined && { location: row.location }),
    ...(row.metadata !== undefined && { metadata: row.metadata }),
    time: new Date(row.timeMs).toISOString(),
  };
}

/** `toWire` as JSON text, without building the object. */
export function toWireText(deviceId: string, id: string, row: NewRow): string {
  const { value, unit, location, metadata } = row;
  let text = `{"id":"${id}","device":"${deviceId}","variable":${JSON.stringify(row.variable)}`;
  if (value !== undefined) text += `,"value":${JSON.stringify(value)}`;
  if (unit !== undefined) text += `,"unit":${JSON.stringify(unit)}`;
  text += `,"group":${JSON.stringify(row.group)}`;
  if (location !== undefined) text += `,"location":${JSON.stringify(location)}`;
  if (metadata !== undefined) text += `,"metadata":${JSON.stringify(metadata)}`;
  return `${text},"time":"${new Date(row.timeMs).toISOString()}"}`;
}
