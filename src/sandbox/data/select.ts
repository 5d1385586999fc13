import type { SandboxDatabase, SqlInput } from "../store/types.ts";
import { MUTABLE_SIDE } from "./chunks.ts";
import type { Comparison, PickKind, RowFilter } from "./types.ts";

/** The part of a SELECT after its columns, with its parameters. */
export interface Tail {
  readonly sql: string;
  readonly values: readonly SqlInput[];
}

export interface Scope {
  readonly deviceId: string;
  readonly filter: RowFilter;
  /** Only rows of this variable; the names in the filter are then ignored. */
  readonly variable?: string;
  /** Excludes rows that cannot be changed: those in a chunk. */
  readonly mutableOnly?: boolean;
}

export const NEWEST_FIRST = "time DESC, seq DESC";
export const OLDEST_FIRST = "time ASC, seq ASC";

/** Selection of a per-variable query: the first row in `order` that meets `condition`. */
const PICK_RULES: Record<PickKind, { readonly condition?: string; readonly order: string }> = {
  last_item: { order: NEWEST_FIRST },
  first_item: { order: OLDEST_FIRST },
  last_value: { condition: "text IS NOT NULL", order: NEWEST_FIRST },
  first_value: { condition: "text IS NOT NULL", order: OLDEST_FIRST },
  last_location: { condition: "located = 1", order: NEWEST_FIRST },
  first_location: { condition: "located = 1", order: OLDEST_FIRST },
  last_insert: { order: "created_at DESC, seq DESC" },
  first_insert: { order: "created_at ASC, seq ASC" },
  min: { condition: "number IS NOT NULL", order: `number ASC, ${NEWEST_FIRST}` },
  max: { condition: "number IS NOT NULL", order: `number DESC, ${NEWEST_FIRST}` },
};

const OPERATORS: Record<Comparison, string> = { gt: ">", gte: ">=", lt: "<", lte: "<=", eq: "=", ne: "<>" };

export function matching(
  scope: Scope,
  condition?: { readonly sql: string; readonly values?: readonly SqlInput[] },
): Tail {
  const { filter } = scope;
  const parts = ["device = ?"];
  const values: SqlInput[] = [scope.deviceId];
  const add = (sql: string, ...bound: readonly SqlInput[]): void => {
    parts.push(sql);
    values.push(...bound);
  };
  const addList = (column: string, list: readonly string[]): void => {
    if (list.length === 1) add(`${column} = ?`, list[0]);
    if (list.length > 1) add(`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(list));
  };
  if (scope.variable === undefined) addList("variable", filter.variables.map(bindable));
  else add("variable = ?", bindable(scope.variable));
  addList("grp", filter.groups.map(bindable));
  addList("id", filter.ids.map(bindable));
  addList("text", filter.values.map(bindable));
  if (filter.fromMs !== undefined) add("time >= ?", filter.fromMs);
  if (filter.toMs !== undefined) add("time <= ?", filter.toMs);
  if (scope.mutableOnly === true) add("chunk = ?", MUTABLE_SIDE);
  if (condition !== undefined) add(condition.sql, ...(condition.values ?? []));
  return { sql: `FROM device_data WHERE ${parts.join(" AND ")}`, values };
}

export function page(scope: Scope, order: string, qty: number, skip: number): Tail {
  const rows = matching(scope);
  return { sql: `${rows.sql} ORDER BY ${order} LIMIT ? OFFSET ?`, values: [...rows.values, qty, skip] };
}

export function picked(scope: Scope, pick: PickKind): Tail {
  const { condition, order } = PICK_RULES[pick];
  const rows = matching(scope, condition === undefined ? undefined : { sql: condition });
  // The inner SELECT uses only the index; only the row it finds is read.
  const found = `SELECT seq ${rows.sql} ORDER BY ${order} LIMIT 1`;
  return { sql: `FROM device_data WHERE seq = (${found})`, values: rows.values };
}

export function compared(scope: Scope, comparison: Comparison, threshold: number, qty: number): Tail {
  const rows = matching(scope, { sql: `number ${OPERATORS[comparison]} ?`, values: [threshold] });
  return { sql: `${rows.sql} ORDER BY ${NEWEST_FIRST} LIMIT ?`, values: [...rows.values, qty] };
}

/** The variables of a query: those specified, else all of the device, by name. */
export function variablesOf(db: SandboxDatabase, deviceId: string, filter: RowFilter): readonly string[] {
  if (filter.variables.length > 0) return filter.variables;
  // One index step per variable, whatever the number of rows.
  const rows = db.all<{ name: string }>(
    `WITH RECURSIVE held(name) AS (
       SELECT min(variable) FROM device_data WHERE device = ?1
       UNION ALL
       SELECT (SELECT min(variable) FROM device_data WHERE device = ?1 AND variable > held.name)
       FROM held WHERE held.name IS NOT NULL
     ) SELECT name FROM held WHERE name IS NOT NULL`,
    deviceId,
  );
  return rows.map((row) => row.name);
}

/** SQLite cannot store the NUL character; values are stored and looked up without it. */
export function bindable(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}
