import { isRecord } from "../../lib/core/json.ts";
import { ENTITY_JSON_MAX_BYTES, ENTITY_MAX_CHARS } from "../../lib/core/limits.ts";
import type { EntityFieldType } from "../../lib/resources/entities.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { EntityDocument } from "../store/document.ts";

export interface Field {
  readonly type: EntityFieldType;
  readonly required?: boolean;
}

export interface Index {
  readonly fields: readonly string[];
}

export type Schema = Readonly<Record<string, Field>>;
export type Indexes = Readonly<Record<string, Index>>;

/** Fields of every entity. */
export const OWN_FIELDS: Schema = {
  id: { type: "uuid", required: true },
  created_at: { type: "timestamp", required: true },
  updated_at: { type: "timestamp", required: true },
};

/** Indexes of every entity. */
export const OWN_INDEXES: Indexes = {
  id_idx: { fields: ["id"] },
  id_created_at_idx: { fields: ["id", "created_at"] },
  id_updated_at_idx: { fields: ["id", "updated_at"] },
};

export const DEFAULT_INDEX = "id_created_at_idx";

/** Fields a client created. `insert` and `applyChanges` wrote them. */
export function schemaOf(entity: EntityDocument): Schema {
  return isRecord(entity["schema"]) ? (entity["schema"] as Schema) : OWN_FIELDS;
}

export function indexesOf(entity: EntityDocument): Indexes {
  return isRecord(entity["index"]) ? (entity["index"] as Indexes) : OWN_INDEXES;
}

export const isOwnField = (name: string): boolean => Object.hasOwn(OWN_FIELDS, name);

/** A value in stored form, or the reason it is invalid. */
type Read = { readonly value: unknown } | { readonly problem: string };

const problem = (text: string): Read => ({ problem: text });

function readText(value: unknown, max: number): Read {
  if (typeof value !== "string") return problem("Must be a text");
  return value.length > max ? problem(`At most ${max} characters`) : { value };
}

/** An ISO 8601 date; other dates and milliseconds since 1970 are converted. */
function readMoment(value: unknown): Read {
  if (typeof value !== "string" && typeof value !== "number") return problem("Must be a date");
  const date = new Date(value);
  const isDate = !Number.isNaN(date.getTime()) && date.getUTCFullYear() >= 0 && date.getUTCFullYear() <= 9999;
  return isDate ? { value: date.toISOString() } : problem("Must be a date");
}

const READERS: Readonly<Record<EntityFieldType, (value: unknown) => Read>> = {
  uuid: (value) => readText(value, ENTITY_MAX_CHARS.uuid),
  string: (value) => readText(value, ENTITY_MAX_CHARS.string),
  text: (value) => readText(value, ENTITY_MAX_CHARS.text),
  int: (value) => (Number.isSafeInteger(value) ? { value } : problem("Must be a whole number")),
  float: (value) => (typeof value === "number" ? { value } : problem("Must be a number")),
  boolean: (value) => (typeof value === "boolean" ? { value } : problem("Must be true or false")),
  timestamp: readMoment,
  json: (value) => {
    const size = Buffer.byteLength(JSON.stringify(value) ?? "");
    return size > ENTITY_JSON_MAX_BYTES ? problem("At most 10 kB") : { value };
  },
};

/** Parses a value for a field; null clears it. */
export function readValue(field: Field, value: unknown): Read {
  return value === null ? { value: null } : READERS[field.type](value);
}

/** Converts a value of a filter, which arrives as a string, to its stored form. */
export function filterValue(name: string, field: Field, text: string): string | number | boolean {
  const invalid = (): PlatformError => new PlatformError(400, `Invalid filter: "${name}" is a ${field.type}`);
  if (isOwnField(name) && field.type === "timestamp") {
    const moment = Date.parse(text);
    if (Number.isNaN(moment)) throw invalid();
    return moment;
  }
  if (field.type === "timestamp") {
    const read = readMoment(text);
    if ("problem" in read || typeof read.value !== "string") throw invalid();
    return read.value;
  }
  if (field.type === "int" || field.type === "float") {
    const number = Number(text);
    if (text.trim() === "" || !Number.isFinite(number)) throw invalid();
    return number;
  }
  if (field.type === "boolean") {
    const flag = text.toLowerCase();
    if (flag !== "true" && flag !== "false" && flag !== "1" && flag !== "0") throw invalid();
    return flag === "true" || flag === "1";
  }
  return text;
}
