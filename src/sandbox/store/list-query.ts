import type { ListDefaults } from "../../lib/api/route.ts";
import { addDuration, parseDuration } from "../core/duration.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { QueryObject, QueryValue } from "../core/query.ts";
import { booleanOf, listOf, numberOf, objectOf, pagingOf, textOf } from "../core/query.ts";
import type { SqlInput } from "./types.ts";

/** How a field is compared in filters and order (docs/internals/platform/queries.md, Filters). */
export type KeyKind = "text" | "exact" | "boolean" | "date" | "number";

/** Differences of one list from the others. */
export interface ListRules {
  readonly defaults: ListDefaults;
  /** Sortable fields; others are rejected. Default: all keys, and others are ignored. */
  readonly sortable?: readonly string[];
  /** Keys whose filter is ignored. */
  readonly unfiltered?: readonly string[];
  /** Fields that are always returned. */
  readonly fixedFields?: readonly string[];
  /** Fields that cause an error when they are requested. */
  readonly failingFields?: readonly string[];
}

export interface ListPlan {
  readonly where: readonly string[];
  readonly values: readonly SqlInput[];
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
  /** Fields to return; empty for all. */
  readonly fields: readonly string[];
}

/** Equal for strings that differ in case only. */
export function fold(text: string): string {
  return text.toLowerCase();
}

/** A pattern for LIKE: `*` matches any run of characters, everything else itself. */
function likePattern(text: string): string {
  return fold(text)
    .replaceAll(/[\\%_]/g, (mark) => `\\${mark}`)
    .replaceAll(/\*+/g, "%");
}

function textTest(column: string, text: string): readonly [string, string] {
  if (!text.includes("*")) return [`${column} = ?`, fold(text)];
  return [`${column} LIKE ? ESCAPE '\\'`, likePattern(text)];
}

function momentOf(text: string, field: string, nowMs: number): number {
  const duration = parseDuration(text);
  if (duration !== undefined) return addDuration(nowMs, duration, -1);
  const moment = Date.parse(text);
  if (Number.isNaN(moment)) throw new PlatformError(400, `Invalid date in filter ${field}`);
  return moment;
}

/** Collects conditions and their values side by side. */
class Conditions {
  readonly where: string[] = [];
  readonly values: SqlInput[] = [];

  add(condition: string, ...values: readonly SqlInput[]): void {
    this.where.push(condition);
    this.values.push(...values);
  }

  anyOf(tests: readonly (readonly [string, SqlInput])[]): void {
    if (tests.length === 0) return;
    this.add(`(${tests.map(([test]) => test).join(" OR ")})`, ...tests.map(([, value]) => value));
  }
}

function addDates(conditions: Conditions, column: string, field: string, value: QueryValue, nowMs: number): void {
  const bounds = typeof value === "object" && !Array.isArray(value) ? value : { start: textOf(value) ?? "" };
  const start = textOf(bounds["start"]);
  const end = textOf(bounds["end"]);
  if (start !== undefined) conditions.add(`${column} >= ?`, momentOf(start, field, nowMs));
  if (end !== undefined) conditions.add(`${column} <= ?`, momentOf(end, field, nowMs));
}

function addKey(conditions: Conditions, field: string, kind: KeyKind, value: QueryValue, nowMs: number): void {
  const column = `json_extract(keys, '$.${field}')`;
  if (kind === "date") {
    addDates(conditions, column, field, value, nowMs);
  } else if (kind === "boolean") {
    const flag = booleanOf(value);
    if (flag !== undefined) conditions.add(`${column} = ?`, flag);
  } else if (kind === "number") {
    const number = numberOf(value);
    if (number !== undefined) conditions.add(`${column} = ?`, number);
  } else {
    // One string can contain commas: only a list means several.
    const texts = typeof value === "string" ? [value] : listOf(value);
    const tests = texts.filter((text) => text !== "");
    conditions.anyOf(tests.map((text) => (kind === "text" ? textTest(column, text) : [`${column} = ?`, text])));
  }
}

/** Tag conditions are nested, or one JSON string. */
function tagItems(value: QueryValue): readonly QueryObject[] {
  if (typeof value === "string") {
    const parsed = parseJson(value);
    return (Array.isArray(parsed) ? parsed : [parsed]).map(tagOfJson).filter((item) => item !== undefined);
  }
  const items = Array.isArray(value) ? value : [value];
  return items.filter((item): item is QueryObject => typeof item === "object" && !Array.isArray(item));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformError(400, "Invalid JSON in filter tags");
  }
}

function tagOfJson(value: unknown): QueryObject | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const item: QueryObject = {};
  if ("key" in value && typeof value.key === "string") item["key"] = value.key;
  if ("value" in value && typeof value.value === "string") item["value"] = value.value;
  return item;
}

function addTags(conditions: Conditions, value: QueryValue): void {
  for (const item of tagItems(value)) {
    const tests = [
      ["t.key_folded", textOf(item["key"])],
      ["t.value_folded", textOf(item["value"])],
    ] as const;
    const parts: (readonly [string, string])[] = [];
    for (const [column, text] of tests) if (text !== undefined) parts.push(textTest(column, text));
    if (parts.length === 0) continue;
    const where = parts.map(([test]) => test).join(" AND ");
    conditions.add(
      `EXISTS (SELECT 1 FROM entity_tag t WHERE t.owner = entity.id AND ${where})`,
      ...parts.map(([, text]) => text),
    );
  }
}

function addFilter(
  conditions: Conditions,
  filter: QueryObject,
  keys: Readonly<Record<string, KeyKind>>,
  nowMs: number,
): void {
  for (const [field, value] of Object.entries(filter)) {
    if (value === "") continue;
    if (field === "id") {
      const ids = listOf(value);
      if (ids.length > 0) conditions.add("id IN (SELECT value FROM json_each(?))", JSON.stringify(ids));
    } else if (field === "tags") {
      addTags(conditions, value);
    } else {
      const kind = Object.hasOwn(keys, field) ? keys[field] : undefined;
      if (kind !== undefined) addKey(conditions, field, kind, value, nowMs);
    }
  }
}

function orderText(field: string, direction: string): string {
  const column = `json_extract(keys, '$.${field}')`;
  return `${column} IS NULL, ${column} ${direction === "desc" ? "DESC" : "ASC"}, id`;
}

/** An unknown field to sort by is ignored, like an invalid direction; a list with `sortable` fields rejects both. */
function orderOf(
  value: QueryValue | undefined,
  keys: Readonly<Record<string, KeyKind>>,
  { defaults, sortable }: ListRules,
): string {
  const [field = "", direction = "asc"] = listOf(value).map((part) => part.trim());
  const asked = direction.toLowerCase();
  const isKnown = sortable === undefined ? Object.hasOwn(keys, field) : sortable.includes(field);
  if (isKnown && (asked === "asc" || asked === "desc")) return orderText(field, asked);
  if (sortable !== undefined && field !== "") throw new PlatformError(400, "Invalid orderBy parameter");
  const [fallback, fallbackDirection] = defaults.orderBy ?? ["", "asc"];
  return Object.hasOwn(keys, fallback) ? orderText(fallback, fallbackDirection) : "id";
}

function fieldsOf(query: QueryObject, { defaults, fixedFields, failingFields = [] }: ListRules): readonly string[] {
  const fields = listOf(query["fields"]);
  if (fields.some((field) => failingFields.includes(field))) throw new PlatformError(500, "Sorry, Internal Error");
  return fixedFields ?? (fields.length > 0 ? fields : (defaults.fields ?? []));
}

/** Differences of one list from the others. */
export function planList(
  query: QueryObject,
  keys: Readonly<Record<string, KeyKind>>,
  rules: ListRules,
  nowMs: number,
): ListPlan {
  const conditions = new Conditions();
  const filter = Object.entries(objectOf(query["filter"])).filter(
    ([name]) => rules.unfiltered?.includes(name) !== true,
  );
  addFilter(conditions, Object.fromEntries(filter), keys, nowMs);
  return {
    where: conditions.where,
    values: conditions.values,
    orderBy: orderOf(query["orderBy"], keys, rules),
    ...pagingOf(query),
    fields: fieldsOf(query, rules),
  };
}
