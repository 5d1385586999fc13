import { isRecord } from "../../lib/core/json.ts";
import { parseRowTime } from "./dates.ts";
import type { DataValue, GeoPoint } from "./types.ts";

/** Text of a field that breaks a rule of QUERY.md section 4. Collected per request and sent as `field_errors`. */
export class FieldProblem extends Error {
  override readonly name = "FieldProblem";
}

const VARIABLE_CHARS = 100;
const VALUE_BYTES = 6 * 1024;
const UNIT_CHARS = 25;
const GROUP_CHARS = 100;
const METADATA_BYTES = 10 * 1024;

const FORBIDDEN_IN_NAMES = /[*?!<>.\-=$\s]/g;
/** Nothing in SQLite can hold it. */
const NUL = "\0";

/** Lower-cases and checks a variable name. `lenient` turns forbidden characters into `_` instead of refusing them. */
export function readVariable(value: unknown, lenient: boolean): string {
  if (typeof value !== "string" || value === "") throw new FieldProblem("variable is required and must be a text");
  const name = (lenient ? value.replace(FORBIDDEN_IN_NAMES, "_") : value).toLowerCase();
  if (name.length > VARIABLE_CHARS) throw new FieldProblem(`variable must have at most ${VARIABLE_CHARS} characters`);
  if (name.search(FORBIDDEN_IN_NAMES) >= 0 || name.includes(NUL)) {
    throw new FieldProblem("variable must not contain spaces or any of * ? ! < > . - = $");
  }
  return name;
}

export function readValue(value: unknown): DataValue {
  if (typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value !== "string") throw new FieldProblem("value must be a text, a number or a boolean");
  if (utf8Bytes(value) > VALUE_BYTES) throw new FieldProblem("value must have at most 6 kB");
  return value;
}

export function readUnit(value: unknown): string {
  if (typeof value !== "string") throw new FieldProblem("unit must be a text");
  if (value.length > UNIT_CHARS) throw new FieldProblem(`unit must have at most ${UNIT_CHARS} characters`);
  return value;
}

/** Parsers set numbers such as `Date.now()`. */
export function readGroup(value: unknown): string {
  const group = typeof value === "number" ? String(value) : value;
  if (typeof group !== "string" || group.includes(NUL)) throw new FieldProblem("group must be a text");
  if (group.length > GROUP_CHARS) throw new FieldProblem(`group must have at most ${GROUP_CHARS} characters`);
  return group;
}

export function readTime(value: unknown): number {
  const timeMs = parseRowTime(value);
  if (timeMs === undefined) throw new FieldProblem("time must be an ISO 8601 date or milliseconds since 1970");
  return timeMs;
}

export function readMetadata(value: unknown): object {
  if (typeof value !== "object" || value === null) throw new FieldProblem("metadata must be an object");
  if (utf8Bytes(JSON.stringify(value)) > METADATA_BYTES) throw new FieldProblem("metadata must have at most 10 kB");
  return value;
}

/** Reads `{lat, lng}` or a GeoJSON point, whose `type` may be missing. */
export function readLocation(value: unknown): GeoPoint {
  const { lat: latitude, lng: longitude } = coordinatesOf(value);
  const lat = numberOf(latitude);
  const lng = numberOf(longitude);
  if (!isWithin(lat, 90)) throw new FieldProblem("location: the latitude must be a number from -90 to 90");
  if (!isWithin(lng, 180)) throw new FieldProblem("location: the longitude must be a number from -180 to 180");
  return { type: "Point", coordinates: [lng, lat] };
}

function coordinatesOf(value: unknown): { lat: unknown; lng: unknown } {
  if (isRecord(value) && ("lat" in value || "lng" in value)) return { lat: value["lat"], lng: value["lng"] };
  const isPoint = isRecord(value) && (value["type"] === undefined || value["type"] === "Point");
  const list = isPoint ? value["coordinates"] : undefined;
  if (!Array.isArray(list) || list.length < 2) {
    throw new FieldProblem("location must be {lat, lng} or a GeoJSON point with [longitude, latitude]");
  }
  return { lat: list[1], lng: list[0] };
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
  return text.length * 3 <= VALUE_BYTES ? text.length : new TextEncoder().encode(text).length;
}
