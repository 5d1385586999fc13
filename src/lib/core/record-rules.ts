import { inRange, instantInDigits, parseDateTime } from "./date-text.ts";
import { isRecord } from "./json.ts";
import { GROUP_MAX_CHARS, METADATA_MAX_BYTES, UNIT_MAX_CHARS, VALUE_MAX_BYTES, VARIABLE_MAX_CHARS } from "./limits.ts";

/** The rules that the platform has for the fields of a record. */

/** Why a field breaks a rule. */
export class FieldProblem extends Error {
  override readonly name = "FieldProblem";
}

const FORBIDDEN_IN_NAMES = /[*?!<>.\-=$\s]/g;
/** No database can hold it. */
const NUL = "\0";

/** Lower-cases and checks a variable name. `lenient` turns forbidden characters into `_` instead of rejecting them. */
export function readVariable(value: unknown, lenient: boolean): string {
  if (typeof value !== "string" || value === "") throw new FieldProblem("variable is required and must be a string");
  const name = (lenient ? value.replace(FORBIDDEN_IN_NAMES, "_") : value).toLowerCase();
  if (name.length > VARIABLE_MAX_CHARS)
    throw new FieldProblem(`variable must have at most ${VARIABLE_MAX_CHARS} characters`);
  if (name.search(FORBIDDEN_IN_NAMES) >= 0 || name.includes(NUL)) {
    throw new FieldProblem("variable must not contain spaces or any of * ? ! < > . - = $");
  }
  return name;
}

export function readValue(value: unknown): string | number | boolean {
  if (typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "string") throw new FieldProblem("value must be a string, a number or a boolean");
  if (utf8Bytes(value) > VALUE_MAX_BYTES) throw new FieldProblem("value must have at most 6 kB");
  return value;
}

export function readUnit(value: unknown): string {
  if (typeof value !== "string") throw new FieldProblem("unit must be a string");
  if (value.length > UNIT_MAX_CHARS) throw new FieldProblem(`unit must have at most ${UNIT_MAX_CHARS} characters`);
  return value;
}

/** Parsers set numbers such as `Date.now()`. */
export function readGroup(value: unknown): string {
  const group = typeof value === "number" ? String(value) : value;
  if (typeof group !== "string" || group.includes(NUL)) throw new FieldProblem("group must be a string");
  if (group.length > GROUP_MAX_CHARS) throw new FieldProblem(`group must have at most ${GROUP_MAX_CHARS} characters`);
  return group;
}

/** The time of a record: a date in text, UTC unless it says otherwise, or milliseconds since 1970. */
export function parseRecordTime(value: unknown): number | undefined {
  if (typeof value === "number") return inRange(Number.isFinite(value) ? Math.floor(value) : undefined);
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  const digits = instantInDigits(text);
  if (digits !== undefined) return digits;
  const date = parseDateTime(text);
  return date === undefined ? undefined : inRange(date.wallMs - (date.offsetMs ?? 0));
}

export function readTime(value: unknown): number {
  const timeMs = parseRecordTime(value);
  if (timeMs === undefined) throw new FieldProblem("time must be an ISO 8601 date or milliseconds since 1970");
  return timeMs;
}

export function readMetadata(value: unknown): object {
  if (typeof value !== "object" || value === null) throw new FieldProblem("metadata must be an object");
  if (utf8Bytes(JSON.stringify(value)) > METADATA_MAX_BYTES) throw new FieldProblem("metadata must have at most 10 kB");
  return value;
}

/** Reads `{lat, lng}` or a GeoJSON point, whose `type` may be missing. */
export function readLocation(value: unknown): {
  readonly type: "Point";
  readonly coordinates: readonly [number, number] | readonly [number, number, number];
} {
  const { lat: latitude, lng: longitude, alt } = coordinatesOf(value);
  const lat = numberOf(latitude);
  const lng = numberOf(longitude);
  if (!isWithin(lat, 90)) throw new FieldProblem("location: the latitude must be a number from -90 to 90");
  if (!isWithin(lng, 180)) throw new FieldProblem("location: the longitude must be a number from -180 to 180");
  // Whoever sends an altitude that is no number gets none.
  return { type: "Point", coordinates: Number.isFinite(alt) ? [lng, lat, Number(alt)] : [lng, lat] };
}

function coordinatesOf(value: unknown): { lat: unknown; lng: unknown; alt: unknown } {
  if (isRecord(value) && ("lat" in value || "lng" in value))
    return { lat: value["lat"], lng: value["lng"], alt: value["alt"] };
  const isPoint = isRecord(value) && (value["type"] === undefined || value["type"] === "Point");
  const list = isPoint ? value["coordinates"] : undefined;
  if (!Array.isArray(list) || list.length < 2) {
    throw new FieldProblem("location must be {lat, lng} or a GeoJSON point with [longitude, latitude]");
  }
  return { lat: list[1], lng: list[0], alt: undefined };
}

/** The number in a string; other values as they are. */
function numberOf(value: unknown): unknown {
  return typeof value === "string" && value.trim() !== "" ? Number(value) : value;
}

function isWithin(value: unknown, limit: number): value is number {
  return typeof value === "number" && value >= -limit && value <= limit;
}

/** Short texts are not measured: no character takes more than three bytes per UTF-16 unit. */
function utf8Bytes(text: string): number {
  return text.length * 3 <= VALUE_MAX_BYTES ? text.length : new TextEncoder().encode(text).length;
}

/** A field of a record that the platform would reject. */
export interface RecordProblem {
  readonly field: string;
  /** Names the field. */
  readonly message: string;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

const READERS = {
  variable: (value: unknown) => readVariable(value, false),
  value: readValue,
  unit: readUnit,
  group: readGroup,
  serie: readGroup,
  time: readTime,
  location: readLocation,
  metadata: readMetadata,
} as const;

/**
 * The first field of a record that breaks a rule.
 *
 * @param isNew false for a change of a stored record, which needs no variable
 */
export function recordProblem(record: Readonly<Record<string, unknown>>, isNew: boolean): RecordProblem | undefined {
  for (const [field, read] of Object.entries(READERS)) {
    if (!isGiven(record[field]) && !(isNew && field === "variable")) continue;
    try {
      read(record[field]);
    } catch (error) {
      if (!(error instanceof FieldProblem)) throw error;
      return { field, message: error.message };
    }
  }
  return undefined;
}
