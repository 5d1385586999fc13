import type { Column } from "../command/columns.ts";
import { emptyValue, parseInstant, quote } from "../command/values.ts";
import { usageError } from "../failures/command-error.ts";
import { didYouMean } from "../failures/unknown-word.ts";
import { asDate, atPath, cellValue, toJson } from "../output/values.ts";

type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=";
export type ColumnKind = Column<never>["kind"];

export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

/** Whether a row matches. Times are compared with what `-24h` or `2026-01-31` mean at `nowMs`. */
export type RowTest<Row = object> = (row: Row, nowMs: number) => boolean;

/** A `--filter` whose fields and values fit the rows. */
export interface RowFilter<Row> {
  readonly comparisons: readonly Condition[];
  readonly test: RowTest<Row>;
}

// A tag key may have any characters but those of the operators.
const FIELD = String.raw`tags\.[^=<>!]+|[A-Za-z_][\w.]*`;
const OR = new RegExp(` or (?=(?:${FIELD})[=<>!])`);
const COMPARISON = new RegExp(`^(${FIELD})(!=|<=|>=|=|<|>)(.*)$`, "s");

/**
 * `name=Pump*`, `last_input<-24h`, `tags.site!=plant`, or several joined by `or`.
 *
 * @throws exit 2 for a field that the rows do not have, or a value that does not fit it: the platform would ignore the
 * filter and return all rows
 */
export function rowFilter<Row>(text: string, flag: string, columns: readonly Column<Row>[]): RowFilter<Row> {
  const next = `Use ${flag} "name=Pump*", ${flag} "last_input<-24h" or ${flag} "type=a or type=b".`;
  const comparisons = text.split(OR).map((part) => parseComparison(part, flag, next));
  const tests = comparisons.map((comparison) => {
    const { kind, read } = fieldOf(comparison.field, columns, flag);
    return comparisonTest(comparison, kind, read, flag);
  });
  return { comparisons, test: (row, nowMs) => tests.some((test) => test(row, nowMs)) };
}

/** `name=Pump*`: one comparison of a flag; `next` says how they are written. */
export function parseComparison(text: string, flag: string, next: string): Condition {
  const [, field, operator, value] = COMPARISON.exec(text) ?? [];
  if (field === undefined || operator === undefined || value === undefined) {
    throw usageError(`Invalid filter ${quote(text)}.`, { next });
  }
  if (value === "") throw emptyValue(`${flag} ${quote(text)}`);
  return { field, operator: operator as Operator, value };
}

/** How a field of the rows is read: a tag key may have several values. */
export interface FieldReader<Row> {
  readonly kind: ColumnKind;
  readonly read: (row: Row) => readonly unknown[];
}

/** A field that filters or orders name: a column, `tags.KEY`, or a path inside a JSON column. */
export function fieldOf<Row>(field: string, columns: readonly Column<Row>[], flag: string): FieldReader<Row> {
  const column = columns.find(({ key }) => key === field);
  if (column !== undefined && column.kind !== "tags") {
    return { kind: column.kind, read: (row) => [cellValue(row, column)] };
  }
  const key = tagKey(field);
  if (key !== undefined && columns.some(({ kind }) => kind === "tags")) {
    const isKey = patternTest(key);
    return { kind: undefined, read: (row) => tagsOf(row).flatMap((tag) => (isKey(tag.key) ? [tag.value] : [])) };
  }
  if (columns.some((each) => each.kind === "json" && field.startsWith(`${each.key}.`))) {
    return { kind: "json", read: (row) => [atPath(row, field)] };
  }
  const known = columns.map(({ key: name, kind }) => (kind === "tags" ? `${name}.KEY` : name));
  throw usageError(`Unknown field ${quote(field)} in ${flag}.`, {
    code: "usage.unknown_field",
    why: `The fields are ${known.join(", ")}.`,
    ...didYouMean(field, known, "Use one of them."),
  });
}

/** `site` of `tags.site`. */
export const tagKey = (field: string): string | undefined => /^tags\.(.+)$/s.exec(field)?.[1];

function tagsOf(row: unknown): { readonly key: unknown; readonly value: unknown }[] {
  const tags = atPath(row, "tags");
  return Array.isArray(tags) ? tags.map((tag) => ({ key: atPath(tag, "key"), value: atPath(tag, "value") })) : [];
}

/** The test of one comparison. `!=` holds where none of the values is equal. */
export function comparisonTest<Row>(
  comparison: Condition,
  kind: ColumnKind,
  read: FieldReader<Row>["read"],
  flag: string,
): RowTest<Row> {
  const { operator } = comparison;
  const test = valueTest({ ...comparison, operator: operator === "!=" ? "=" : operator }, kind, flag);
  if (operator === "!=") return (row, nowMs) => !read(row).some((value) => test(value, nowMs));
  return (row, nowMs) => read(row).some((value) => test(value, nowMs));
}

type ValueTest = (value: unknown, nowMs: number) => boolean;

function valueTest(comparison: Condition, kind: ColumnKind, flag: string): ValueTest {
  switch (kind) {
    case "flag":
      return flagTest(comparison, flag);
    case "number":
      return numberTest(comparison, flag);
    case "time":
      return timeTest(comparison, flag);
    default:
      return textTest(comparison);
  }
}

function wrongValue({ field, value }: Condition, flag: string, why: string, example: string): Error {
  return usageError(`Invalid value ${quote(value)} for ${field} in ${flag}.`, {
    code: "usage.invalid_value",
    why,
    next: `Example: ${flag} "${field}${example}".`,
  });
}

function flagTest(comparison: Condition, flag: string): ValueTest {
  const wanted = comparison.value.toLowerCase();
  if (comparison.operator !== "=" || !/^(true|false)$/.test(wanted)) {
    throw wrongValue(comparison, flag, `${comparison.field} is true or false.`, "=true");
  }
  return (value) => value === (wanted === "true");
}

function numberTest(comparison: Condition, flag: string): ValueTest {
  const wanted = numberOf(comparison.value);
  if (!Number.isFinite(wanted)) {
    throw wrongValue(comparison, flag, `${comparison.field} is a number.`, `${comparison.operator}5`);
  }
  return (value) => isOrdered(comparison.operator, numberOf(value) - wanted);
}

/** NaN for what is not a number: it is neither equal, smaller nor larger. */
function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && value.trim() !== "" ? Number(value) : Number.NaN;
}

function timeTest(comparison: Condition, flag: string): ValueTest {
  const { field, operator, value: text } = comparison;
  const timeOf = (value: unknown): number => asDate(value)?.getTime() ?? Number.NaN;
  const wantedMs = (nowMs: number): number => parseInstant(text, `${flag} ${field}`, nowMs).getTime();
  if (operator !== "=") {
    wantedMs(0);
    return (value, nowMs) => isOrdered(operator, timeOf(value) - wantedMs(nowMs));
  }
  if (text === "never") return (value) => asDate(value) === undefined;
  wantedMs(0);
  if (/^(now|[+-].*)$/.test(text)) {
    throw wrongValue(comparison, flag, "A time relative to now is compared with <, <=, > or >=.", `>${text}`);
  }
  return (value, nowMs) => {
    const startMs = wantedMs(nowMs);
    const timeMs = timeOf(value);
    return timeMs >= startMs && timeMs < endOf(text, startMs);
  };
}

/** End of the time that is written: `2026-01-31` and `today` are a day, `2026-01-31T08:00` is a minute. */
function endOf(text: string, startMs: number): number {
  const [, seconds, fraction] = /T?\d{2}:\d{2}(:\d{2}(\.\d+)?)?/.exec(text.slice("2026-01-31".length)) ?? [undefined];
  if (/^[a-z]+$/.test(text) || text.length === "2026-01-31".length) {
    const day = new Date(startMs);
    return day.setDate(day.getDate() + 1);
  }
  return startMs + (seconds === undefined ? 60_000 : fraction === undefined ? 1_000 : 1);
}

function textTest({ operator, value: wanted }: Condition): ValueTest {
  if (operator === "=") return patternTest(wanted);
  return (value) => {
    if (value === undefined || value === null || value === "") return false;
    const order =
      typeof value === "number"
        ? value - Number(wanted)
        : textOf(value).localeCompare(wanted, "en", { sensitivity: "base", numeric: true });
    return isOrdered(operator, order);
  };
}

/** Never true for NaN. */
function isOrdered(operator: Operator, order: number): boolean {
  switch (operator) {
    case "=":
      return order === 0;
    case "!=":
      return order !== 0;
    case "<":
      return order < 0;
    case "<=":
      return order <= 0;
    case ">":
      return order > 0;
    case ">=":
      return order >= 0;
  }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" && value !== null ? toJson(value) : String(value ?? "");
}

/** Compares values with a string where `*` matches anything, in any case: as the platform does. */
function patternTest(wanted: unknown): (value: unknown) => boolean {
  const pattern = String(wanted)
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  const expression = new RegExp(`^${pattern}$`, "is");
  return (value) => expression.test(textOf(value));
}

/** A tag that rows must have: with the value, where there is one. */
interface WantedTag {
  readonly key?: string;
  readonly value?: string;
}

/**
 * The meaning of a filter of the platform. Rows of its lists are checked with it: a platform that ignores a filter
 * returns all of them.
 */
export function meeting(filter: object): (row: object) => boolean {
  const tests = Object.entries(filter).map(([field, wanted]: [string, unknown]): ((row: object) => boolean) => {
    if (field === "tags" && Array.isArray(wanted)) return hasTags(wanted);
    if (typeof wanted === "boolean") return (row) => atPath(row, field) === wanted;
    const isWanted = patternTest(wanted);
    return (row) => isWanted(atPath(row, field));
  });
  return (row) => tests.every((test) => test(row));
}

function hasTags(wanted: readonly WantedTag[]): (row: object) => boolean {
  const tests = wanted.map(({ key = "*", value = "*" }) => [patternTest(key), patternTest(value)] as const);
  return (row) => {
    const tags = tagsOf(row);
    return tests.every(([isKey, isValue]) => tags.some(({ key, value }) => isKey(key) && isValue(value)));
  };
}
