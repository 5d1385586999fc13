import { ENTITY_JSON_MAX_BYTES, ENTITY_MAX_CHARS } from "../../lib/core/limits.ts";
import type { EntityField, EntityFieldType, EntityIndexFields } from "../../lib/resources/entities.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { nearest } from "../kit/failures/nearest.ts";
import { didYouMean } from "../kit/failures/unknown-word.ts";

const fieldTypes: readonly EntityFieldType[] = [
  "string",
  "int",
  "float",
  "boolean",
  "timestamp",
  "text",
  "json",
  "uuid",
];

/** Fields every entity has; the platform fills them. */
export const ownFields: readonly string[] = ["id", "created_at", "updated_at"];

/** A field of `--field name:type` or `--field name:type:required`. */
export function parseField(text: string): readonly [name: string, field: EntityField] {
  const [name = "", type = "", mark, ...rest] = text.split(":");
  const known = fieldTypes.find((one) => one === type);
  if (!/^[a-z_]{1,63}$/.test(name) || rest.length > 0 || (mark !== undefined && mark !== "required")) {
    throw usageError(`Invalid --field ${quote(text)}.`, {
      why: "A field is name:type, plus :required if it must have a value. Names consist of a-z and _.",
      next: "Example: --field customer:string:required.",
    });
  }
  if (known === undefined) {
    throw usageError(`Unknown type ${quote(type)} for the field ${name}.`, {
      why: `The types are ${fieldTypes.join(", ")}.`,
      ...didYouMean(type, fieldTypes),
    });
  }
  return [name, mark === undefined ? { type: known } : { type: known, required: true }];
}

/** An index of `--index name=field,field`. */
export function parseIndex(text: string): readonly [name: string, index: EntityIndexFields] {
  const at = text.indexOf("=");
  const name = text.slice(0, Math.max(at, 0));
  const fields = text
    .slice(at + 1)
    .split(",")
    .map((field) => field.trim());
  if (/^[a-z0-9_]{1,63}$/.test(name) && fields.length <= 5 && fields.every((field) => /^[a-z_]+$/.test(field))) {
    return [name, { fields }];
  }
  throw usageError(`Invalid --index ${quote(text)}.`, {
    why: "An index is name=field,field with 1 to 5 fields.",
    next: "Example: --index by_customer=customer,total.",
  });
}

/** A record of what repeated flags name; no name may come twice. */
export function named<Value>(entries: readonly (readonly [string, Value])[], flag: string): Record<string, Value> {
  const twice = entries.find(([name], index) => entries.findIndex(([other]) => other === name) !== index);
  if (twice !== undefined) throw usageError(`${flag} has ${quote(twice[0])} twice.`);
  return Object.fromEntries(entries);
}

type Read = { readonly value: unknown } | { readonly problem: string };

const maxChars: Readonly<Partial<Record<EntityFieldType, number>>> = ENTITY_MAX_CHARS;

/** A value for a field, checked as far as that can be done here; null takes a value away. */
function checkValue({ type }: EntityField, value: unknown): Read {
  if (value === null) return { value };
  const max = maxChars[type];
  if (max !== undefined) {
    if (typeof value !== "string") return { problem: "must be a string" };
    return value.length > max ? { problem: `is longer than ${max} characters` } : { value };
  }
  if (type === "int") return Number.isSafeInteger(value) ? { value } : { problem: "must be a whole number" };
  if (type === "float") return typeof value === "number" ? { value } : { problem: "must be a number" };
  if (type === "boolean") return typeof value === "boolean" ? { value } : { problem: "must be true or false" };
  if (type === "timestamp") return isMoment(value) ? { value } : { problem: "must be a timestamp" };
  const isLarge = Buffer.byteLength(JSON.stringify(value) ?? "") > ENTITY_JSON_MAX_BYTES;
  return isLarge ? { problem: "is larger than 10 kB" } : { value };
}

function isMoment(value: unknown): boolean {
  if (typeof value !== "string" && typeof value !== "number") return false;
  return !Number.isNaN(new Date(value).getTime());
}

/** A value that was typed, or read from a CSV cell. */
export function readText(field: EntityField, text: string): Read {
  switch (field.type) {
    case "int":
    case "float":
      return text.trim() === "" ? { problem: "must be a number" } : checkValue(field, Number(text));
    case "boolean":
      if (/^(true|false)$/i.test(text)) return { value: text.toLowerCase() === "true" };
      return { problem: "must be true or false" };
    case "json":
      try {
        return checkValue(field, JSON.parse(text) as unknown);
      } catch {
        return { problem: "is not valid JSON" };
      }
    default:
      return checkValue(field, text);
  }
}

/** A row for the platform, or everything that is wrong with it. */
export type RowCheck =
  | { readonly row: Record<string, unknown> }
  | {
      readonly problems: readonly string[];
      /** That of the first problem, where it is about one. */
      readonly field?: string;
    };

/**
 * Checks a row against the schema.
 *
 * @param isText whether the values are texts of cells; empty ones are then no values
 * @param isNew whether required fields must be there
 */
export function checkRow(
  schema: Readonly<Record<string, EntityField>>,
  given: unknown,
  { isText, isNew }: { readonly isText: boolean; readonly isNew: boolean },
): RowCheck {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return { problems: ["it is not an object"] };
  const row: Record<string, unknown> = {};
  const problems: string[] = [];
  let first: string | undefined;
  const add = (name: string, text: string): void => {
    first ??= name;
    problems.push(text);
  };
  for (const [name, value] of Object.entries(given)) {
    if (name === "created_at" || name === "updated_at" || value === undefined) continue;
    if (isText && value === "") continue;
    if (name === "id") {
      if (typeof value === "string" && value !== "" && value.length <= ENTITY_MAX_CHARS.uuid) row["id"] = value;
      else if (value !== null) add(name, `id must be a string of 1 to ${ENTITY_MAX_CHARS.uuid} characters`);
      continue;
    }
    const field = Object.hasOwn(schema, name) ? schema[name] : undefined;
    if (field === undefined) {
      add(name, `unknown field ${quote(name)}${hintFor(name, schema)}`);
      continue;
    }
    const read = isText && typeof value === "string" ? readText(field, value) : checkValue(field, value);
    if ("problem" in read) add(name, `${name} ${read.problem}`);
    else row[name] = read.value;
  }
  for (const [name, { required }] of isNew ? Object.entries(schema) : []) {
    if (required === true && !ownFields.includes(name) && (row[name] ?? null) === null) {
      if (!problems.some((text) => text.startsWith(`${name} `))) add(name, `${name} is missing`);
    }
  }
  return first === undefined ? { row } : { problems, field: first };
}

function hintFor(name: string, schema: Readonly<Record<string, EntityField>>): string {
  const guess = nearest(name, Object.keys(schema));
  return guess === undefined ? "" : ` (${guess}?)`;
}
