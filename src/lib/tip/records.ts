import { setOwn } from "./body.ts";
import { isName, isTime, isUnit, writePlace } from "./build.ts";
import { invalidInput } from "./errors.ts";
import { MAX_PAIRS } from "./limits.ts";
import { sendable, writeNumber } from "./text.ts";
import type { TipBody, TipLocation, TipMarks, TipVariable } from "./types.ts";

/** A record as `sendData` takes it. */
export interface TipRecord {
  /** Name of the variable. */
  variable: string;
  /** Value; of a location the string `lat,lng` or `lat,lng,alt`. */
  value: number | string | boolean;
  /** Unit of the value. */
  unit?: string;
  /** When it was measured, ISO 8601. */
  time: string;
  /** Group; without one the platform makes one. */
  group?: string;
  /** Where it was measured. */
  location?: TipLocation;
  /** Pairs of the body and of the variable, whose values win. */
  metadata?: Record<string, string>;
}

/** What `fromRecords` reads of a record: those of `getData`, and those that `toRecords` returns. */
export interface TipRecordInput {
  /** Name of the variable. */
  readonly variable: string;
  /** Value; others than numbers, strings and booleans count as none. */
  readonly value?: unknown;
  /** Unit of the value. */
  readonly unit?: string | null;
  /** A date, ISO 8601, or milliseconds since 1970. */
  readonly time?: Date | string | number;
  /** Group. */
  readonly group?: string | null;
  /** A position, or a GeoJSON point, whose `coordinates` are longitude, latitude and perhaps altitude. */
  readonly location?: Readonly<TipLocation> | { readonly coordinates: readonly number[] } | null;
  /** Any pairs; those that cannot be sent are left out. */
  readonly metadata?: Readonly<Record<string, unknown>> | null;
}

/**
 * Converts the body of a PUSH to records. A variable's own location, time and group replace those of the body; metadata are
 * merged.
 *
 * @param options.now time of records without one. @default the current time
 * @throws TipError `invalid_input` for a raw payload, which only a parser can read
 * @example
 * ```ts
 * import { parseBody, toRecords } from "iotdeck/tip";
 * await device.sendData(toRecords(parseBody("^batch_1[temperature:=21.5#C;door?=false]")));
 * ```
 */
export function toRecords(body: TipBody, options: { readonly now?: Date } = {}): TipRecord[] {
  if (body.kind !== "variables") throw invalidInput("A raw payload has no records: a payload parser makes them");
  const now = (options.now ?? new Date()).toISOString();
  return body.variables.map((variable) => toRecord(variable, body, now));
}

function toRecord(one: TipVariable, defaults: TipMarks, now: string): TipRecord {
  const isPlace = one.type === "location";
  const time = one.time ?? defaults.time;
  const record: TipRecord = {
    variable: one.variable,
    value: isPlace ? writePlace(one.value) : one.value,
    time: time === undefined ? now : new Date(time).toISOString(),
  };
  if (one.unit !== undefined) record.unit = one.unit;
  const group = one.group ?? defaults.group;
  if (group !== undefined) record.group = group;
  const location = isPlace ? one.value : (one.location ?? defaults.location);
  if (location !== undefined) record.location = { ...location };
  const metadata = merge(defaults.metadata, one.metadata);
  if (metadata !== undefined) record.metadata = metadata;
  return record;
}

function merge(first: TipMarks["metadata"], second: TipMarks["metadata"]): TipMarks["metadata"] {
  if (first === undefined && second === undefined) return undefined;
  const merged: Record<string, string> = {};
  for (const pairs of [first, second])
    for (const [key, value] of Object.entries(pairs ?? {})) setOwn(merged, key, value);
  return merged;
}

/**
 * Converts records to variables. What the protocol cannot carry is left out: control characters in strings, units, groups and
 * metadata of other forms, metadata after 32 pairs, records without a value and a location.
 *
 * @example
 * ```ts
 * import { buildAck, fromRecords } from "iotdeck/tip";
 * const line = buildAck({ status: "OK", variables: fromRecords(await device.getData({ query: "last_item" })) });
 * ```
 */
export function fromRecords(records: readonly TipRecordInput[]): TipVariable[] {
  return records.flatMap((record) => toVariable(record) ?? []);
}

function toVariable(record: TipRecordInput): TipVariable | undefined {
  const location = readLocation(record.location);
  const variable = isName(record.variable) ? withValue(record.variable, record.value, location) : undefined;
  if (variable === undefined) return undefined;
  if (variable.type !== "location") {
    if (isUnit(record.unit)) variable.unit = record.unit;
    if (location !== undefined) variable.location = location;
  }
  const timeMs = record.time === undefined ? Number.NaN : new Date(record.time).getTime();
  if (isTime(timeMs)) variable.time = timeMs;
  if (isName(record.group)) variable.group = record.group;
  const metadata = readMetadata(record.metadata ?? {});
  if (metadata !== undefined) variable.metadata = metadata;
  return variable;
}

/** A value that is the location again makes no second one. */
function withValue(variable: string, value: unknown, location: TipLocation | undefined): TipVariable | undefined {
  if (typeof value === "number" && Number.isFinite(value)) return { variable, type: "number", value };
  if (typeof value === "boolean") return { variable, type: "boolean", value };
  const text = typeof value === "string" ? sendable(value) : "";
  const isPlace = location !== undefined && (text === "" || text === writePlace(location));
  if (isPlace) return { variable, type: "location", value: location };
  return text === "" ? undefined : { variable, type: "string", value: text };
}

function readLocation(location: TipRecordInput["location"]): TipLocation | undefined {
  if (location === undefined || location === null) return undefined;
  const [lng, lat, alt] = "coordinates" in location ? location.coordinates : [location.lng, location.lat, location.alt];
  if (!Number.isFinite(lat) || !Number.isFinite(lng)) return undefined;
  const place = { lat: Number(lat), lng: Number(lng) };
  return Number.isFinite(alt) ? { ...place, alt: Number(alt) } : place;
}

function readMetadata(pairs: Readonly<Record<string, unknown>>): Record<string, string> | undefined {
  const metadata: Record<string, string> = {};
  let count = 0;
  for (const [key, value] of Object.entries(pairs)) {
    const text = metadataText(value);
    if (!isName(key) || text === "" || count === MAX_PAIRS) continue;
    setOwn(metadata, key, text);
    count += 1;
  }
  return count === 0 ? undefined : metadata;
}

function metadataText(value: unknown): string {
  if (typeof value === "number") return Number.isFinite(value) ? writeNumber(value) : "";
  if (typeof value === "boolean") return String(value);
  return typeof value === "string" ? sendable(value) : "";
}
