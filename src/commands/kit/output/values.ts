import type { Column } from "../command/columns.ts";

/** Splits a dotted path at its first dot; `tags.KEY` ends there, since keys may have dots. */
function stepsOf(path: string): readonly string[] {
  return path.startsWith("tags.") ? ["tags", path.slice("tags.".length)] : path.split(".");
}

/** Reads a dotted path. A property whose own name has dots wins; `tags.KEY` is the value of a tag. */
export function atPath(row: unknown, path: string): unknown {
  if (typeof row !== "object" || row === null) return undefined;
  if (Object.hasOwn(row, path)) return (row as Readonly<Record<string, unknown>>)[path];
  const [name = "", ...rest] = stepsOf(path);
  if (rest.length === 0) return undefined;
  const inner = (row as Readonly<Record<string, unknown>>)[name];
  return name === "tags" && Array.isArray(inner) ? tagValue(inner, rest.join(".")) : atPath(inner, rest.join("."));
}

/** The value of a tag. The platform ignores the case of keys, so the exact key goes first. */
function tagValue(tags: readonly unknown[], key: string): unknown {
  const keyOf = (tag: unknown): string => String(atPath(tag, "key") ?? "");
  const isKey = (tag: unknown): boolean => keyOf(tag).toLowerCase() === key.toLowerCase();
  return atPath(tags.find((tag) => keyOf(tag) === key) ?? tags.find(isKey), "value");
}

export function cellValue<Row>(row: Row, column: Column<Row>): unknown {
  return column.value === undefined ? atPath(row, column.key) : column.value(row);
}

function putPath(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path;
  // A path part of this name would reach the prototype of every object.
  if (name === undefined || name === "__proto__") return;
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const next: Record<string, unknown> = typeof inner === "object" && inner !== null ? { ...inner } : {};
  target[name] = next;
  putPath(next, rest, value);
}

/** The asked fields of a row, in order, as an object of the same nesting. */
export function pickFields<Row extends object>(
  row: Row,
  fields: readonly string[],
  columns: readonly Column<Row>[],
): object {
  const picked: Record<string, unknown> = {};
  for (const field of fields) {
    const own = atPath(row, field);
    const computed =
      own === undefined ? columns.find((column) => column.key === field && column.value !== undefined) : undefined;
    const value = computed === undefined ? own : cellValue(row, computed);
    // Next to the list of all tags, a single tag cannot be nested.
    const isFlat = Object.hasOwn(row, field) || (field.startsWith("tags.") && fields.includes("tags"));
    putPath(picked, isFlat ? [field] : stepsOf(field), value === undefined ? null : value);
  }
  return picked;
}

/** The row with its keys in a fixed order: the columns' first, the others by name. */
export function orderKeys<Row extends object>(row: Row, columns: readonly Column<Row>[]): object {
  const source = Object.fromEntries(Object.entries(row));
  const first = columns.map((column) => column.key.split(".")[0] ?? "").filter((key) => Object.hasOwn(source, key));
  const rest = Object.keys(source).sort((a, b) => (a < b ? -1 : 1));
  return Object.fromEntries([...new Set([...first, ...rest])].map((key) => [key, source[key]]));
}

/** JSON that never throws over a value: a bigint becomes text, a bad date null. */
export function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(
    value,
    (_, member: unknown) => (typeof member === "bigint" ? String(member) : member),
    indent,
  );
  return text === undefined ? "null" : text;
}

/** A date, from whatever type a time column holds. */
export function asDate(value: unknown): Date | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value;
  if (typeof value === "number") return asDate(new Date(value));
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2}T/.test(value)) return asDate(new Date(value));
  return undefined;
}

function tagsText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined;
  const pairs = value.map(
    (tag: unknown) => `${String(atPath(tag, "key") ?? "")}=${String(atPath(tag, "value") ?? "")}`,
  );
  return pairs.join(", ");
}

/** The full value as text, for formats that machines read cell by cell. */
export function plainText<Row>(row: Row, column: Column<Row>): string {
  const value = cellValue(row, column);
  if (value === undefined || value === null) return "";
  if (typeof value === "string") return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
  if (column.kind === "tags") return tagsText(value) ?? toJson(value);
  if (column.kind === "time" && typeof value === "number") return asDate(value)?.toISOString() ?? String(value);
  return typeof value === "object" ? toJson(value) : String(value);
}
