import { isRecord } from "../../lib/core/json.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { QueryObject, QueryValue } from "../core/query.ts";
import { listOf, objectOf, pagingOf, textOf } from "../core/query.ts";
import type { EntityDocument } from "../store/document.ts";
import type { SqlInput } from "../store/types.ts";
import { DEFAULT_INDEX, type Field, filterValue, indexesOf, isOwnField, schemaOf } from "./fields.ts";
import { entityGaps } from "./gaps.ts";

const refuse = (text: string): PlatformError => new PlatformError(400, text).assumed(entityGaps.filter);

/** Which rows to read, as SQL. */
export interface RowPlan {
  readonly where: readonly string[];
  readonly values: readonly SqlInput[];
  readonly orderBy: string;
  readonly limit: number;
  readonly offset: number;
  /** Fields to return; empty for all. */
  readonly fields: readonly string[];
}

/** The column of a field. Names of fields are checked when they are created. */
function columnOf(name: string): string {
  return isOwnField(name) ? name : `json_extract(doc, '$.${name}')`;
}

/** A filter can also be one JSON string. */
function filterOf(value: QueryValue | undefined): QueryObject {
  if (typeof value !== "string" || value === "") return objectOf(value);
  try {
    const parsed: unknown = JSON.parse(value);
    if (isRecord(parsed)) return parsed as QueryObject;
  } catch {
    // Rejected below, like any other string.
  }
  throw refuse("Invalid filter: it must name fields");
}

const plain = (value: unknown): string | undefined => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
};

interface Condition {
  readonly text: string;
  readonly values: readonly SqlInput[];
  readonly isRange: boolean;
}

function conditionOf(name: string, field: Field, value: QueryValue): Condition | undefined {
  const column = columnOf(name);
  const single = plain(Array.isArray(value) ? value[0] : value);
  if (single !== undefined)
    return { text: `${column} = ?`, values: [filterValue(name, field, single)], isRange: false };
  const bounds = objectOf(value);
  const start = plain(bounds["start"]);
  const end = plain(bounds["end"]);
  if (start === undefined && end === undefined) return undefined;
  const parts: string[] = [];
  const values: SqlInput[] = [];
  if (start !== undefined) {
    parts.push(`${column} >= ?`);
    values.push(filterValue(name, field, start));
  }
  if (end !== undefined) {
    parts.push(`${column} <= ?`);
    values.push(filterValue(name, field, end));
  }
  return { text: parts.join(" AND "), values, isRange: true };
}

/** Conditions on the first fields of the index, without a gap; a range only on the last of them. */
function conditionsOf(
  entity: EntityDocument,
  indexName: string,
  indexFields: readonly string[],
  filter: QueryObject,
): Condition[] {
  const schema = schemaOf(entity);
  const asked = new Map<string, Condition>();
  for (const [name, value] of Object.entries(filter)) {
    const field = Object.hasOwn(schema, name) ? schema[name] : undefined;
    if (field === undefined) throw refuse(`Invalid filter: there is no field "${name.slice(0, 63)}"`);
    const condition = conditionOf(name, field, value);
    if (condition !== undefined) asked.set(name, condition);
  }
  const used = indexFields.slice(0, asked.size);
  const conditions = used.flatMap((name) => asked.get(name) ?? []);
  if (conditions.length < asked.size) {
    const rule = `it must name the fields of index "${indexName}" (${indexFields.join(", ")}) from the first one on`;
    throw refuse(`Invalid filter: ${rule}`);
  }
  if (conditions.slice(0, -1).some(({ isRange }) => isRange)) {
    throw refuse("Invalid filter: only the last field may be a range");
  }
  return conditions;
}

/** Parses index, filter, order_by, page, amount and fields (docs/internals/platform/queries.md, Entity rows). */
export function planRows(entity: EntityDocument, query: QueryObject): RowPlan {
  const indexName = textOf(query["index"]) ?? DEFAULT_INDEX;
  const indexes = indexesOf(entity);
  const index = Object.hasOwn(indexes, indexName) ? indexes[indexName] : undefined;
  if (index === undefined) throw refuse("Invalid index");
  const conditions = conditionsOf(entity, indexName, index.fields, filterOf(query["filter"]));
  const direction = textOf(query["order_by"])?.toLowerCase() === "asc" ? "ASC" : "DESC";
  const last = columnOf(index.fields.at(-1) ?? "id");
  return {
    where: conditions.map(({ text }) => text),
    values: conditions.flatMap(({ values }) => values),
    orderBy: `${last} IS NULL, ${last} ${direction}, seq ${direction}`,
    ...pagingOf(query),
    fields: listOf(query["fields"]),
  };
}
