import { quote } from "../command/values.ts";
import { inputError, usageError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";

/** A record on its way to a device. */
export interface OutgoingRecord {
  readonly [member: string]: unknown;
}

/** The position of a record in a file. */
export interface RecordPlace {
  readonly row: number;
  readonly place: string;
  /** The column of a field; its own name unless given. */
  columnOf?(field: string): string;
}

/** The failure of a record of a file (exit 3). */
export function recordFailure({ row, place, columnOf }: RecordPlace, field: string | undefined, why: string): Error {
  const column = field === undefined ? undefined : (columnOf?.(field) ?? field);
  return inputError(`Row ${row} of ${quote(place)} is invalid.`, {
    row,
    ...(column === undefined ? {} : { column }),
    why: column === undefined ? why : `Column ${quote(column)}: ${why}`,
    next: "Fix the file and run the command again; nothing was sent.",
  });
}

/** Text of a cell that is shown in a failure. */
const SHOWN_CHARS = 60;

function shown(value: unknown): string {
  if (typeof value === "number" || typeof value === "boolean") return `; it is ${value}`;
  return typeof value === "string" && value.length <= SHOWN_CHARS ? `; it is ${quote(value)}` : "";
}

/** Checks a record before anything is sent. @throws a failure that names row and column (exit 3) */
export type RecordCheck = (value: unknown, place: RecordPlace) => OutgoingRecord;

/**
 * The rules of the platform for a record. Those of the storage of its device are in `storage-checks.ts`.
 *
 * @param isNew false for changes of stored records, which have an id and perhaps no variable
 */
export async function recordChecker(isNew: boolean): Promise<RecordCheck> {
  const { recordProblem } = await import("../../../lib/core/record-rules.ts");
  return (value, place) => {
    if (!isObject(value)) throw recordFailure(place, undefined, "It is not an object.");
    const problem = recordProblem(value, isNew);
    if (problem === undefined) return value;
    const { field, message } = problem;
    throw recordFailure(place, field, `${message}${value[field] === undefined ? "" : shown(value[field])}.`);
  };
}

/** Text that reads as a number or a truth value becomes one. */
export function typedValue(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) && Number.isFinite(Number(text)) ? Number(text) : text;
}

/**
 * The value of a `variable=value` that somebody typed. `asText` is how a string is given that looks like a number.
 *
 * @throws a failure of usage for a decimal comma, which would be stored as a string
 */
export function argumentValue(text: string, asText: string): string | number | boolean {
  if (!/^-?\d+,\d+$/.test(text)) return typedValue(text);
  throw usageError(`${quote(text)} is not a number.`, {
    code: "usage.invalid_value",
    why: "Numbers have a decimal point.",
    next: `Write ${text.replace(",", ".")}; for a string, use ${asText}.`,
  });
}

interface Location {
  readonly lat: number;
  readonly lng: number;
}

/** `52.5,13.4` */
export function parseLocation(text: string): Location | undefined {
  const [lat, lng, ...rest] = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const isPlace =
    lat !== undefined && lng !== undefined && rest.length === 0 && Math.abs(lat) <= 90 && Math.abs(lng) <= 180;
  return isPlace ? { lat, lng } : undefined;
}

/** A cell of a file without types, as the field it belongs to. */
export function recordCell(name: string, cell: string, place: RecordPlace): unknown {
  if (name === "value") return typedValue(cell);
  if (name !== "metadata" && name !== "location") return cell;
  if (name === "metadata" || cell.startsWith("{")) return jsonCell(name, cell, place);
  const location = parseLocation(cell);
  if (location !== undefined) return location;
  const why = `it must be latitude and longitude in degrees, such as 52.5,13.4${shown(cell)}.`;
  throw recordFailure(place, name, why);
}

function jsonCell(name: string, cell: string, place: RecordPlace): unknown {
  try {
    return JSON.parse(cell) as unknown;
  } catch {
    throw recordFailure(place, name, `it must be JSON${shown(cell)}.`);
  }
}
