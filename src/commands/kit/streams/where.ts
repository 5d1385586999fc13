import { quote } from "../command/values.ts";
import { usageError } from "../failures/command-error.ts";
import type { JsonObject } from "../files/files.ts";
import { atPath } from "../output/values.ts";
import { type Condition, comparisonTest, parseComparison, type RowTest } from "../resource/filter.ts";
import type { RecordFilter } from "./records.ts";

/** What a comparison may name besides a variable. A variable with such a name is found with `variable=…`. */
const fields = ["id", "device", "device_name", "variable", "value", "unit", "group", "location", "metadata"];
const timeFields = ["time", "created_at"];
const isField = (field: string): boolean => [...fields, ...timeFields].includes(field.split(".", 1)[0] ?? "");
const isOrder = ({ operator }: Condition): boolean => operator.startsWith("<") || operator.startsWith(">");

const next = 'Use --where "temperature>8", --where "temperature>8 and unit=C" or --where "door=open or battery<20".';

/** Comparisons all of which must hold; those of a variable concern its records only. */
interface Group {
  readonly tests: readonly RowTest[];
  readonly variable: string | undefined;
}

/**
 * The condition of `--where` texts, all of which must hold: comparisons of a variable (`temperature>8`) or a field of the
 * record, joined by `and` and `or`; `and` binds closer.
 */
export function parseWhere(texts: readonly string[], now: () => number): NonNullable<RecordFilter["where"]> {
  const conditions = texts.map((text) => partsOf(text, "or").map((part) => groupOf(part)));
  return (record, name) => {
    const variable = String(record["variable"]).toLowerCase();
    const row = rowOf(record, variable, name);
    const holds = (group: Group): boolean =>
      (group.variable === undefined || group.variable === variable) && group.tests.every((test) => test(row, now()));
    return conditions.every((groups) => groups.some(holds));
  };
}

function groupOf(text: string): Group {
  const all = partsOf(text, "and").map((one) => checked(parseComparison(plain(one), "--where", next)));
  const [variable, second] = new Set(all.map(({ field }) => field).filter((field) => !isField(field)));
  if (variable === undefined || second === undefined) return { tests: all.map(testOf), variable };
  throw usageError(`${variable} and ${second} are two variables, which are never in one record.`, {
    why: "Each record is checked by itself, and has one variable.",
    next: `Join them with or, or check ${variable} alone.`,
  });
}

const partsOf = (text: string, word: "or" | "and"): string[] =>
  text.split(new RegExp(` ${word} (?=\\s*[A-Za-z_][\\w.]*\\s*[=<>!])`));

/** Without the spaces and the second equals sign that people write. */
const plain = (text: string): string =>
  text.trim().replace(/^([A-Za-z_][\w.]*)\s*(!=|<=|>=|==?|<|>)\s*/, (_, field: string, operator: string) => {
    return `${field}${operator === "==" ? "=" : operator}`;
  });

/** A comparison that can hold; what never could would be an alarm that never rings. */
function checked(comparison: Condition): Condition {
  const { field, value } = comparison;
  const isValue = field === "value" || !isField(field);
  if (isValue && isOrder(comparison) && !Number.isFinite(Number(value))) {
    throw usageError(`${quote(value)} is not a number, in --where.`, { next });
  }
  return isField(field) ? comparison : { ...comparison, field: field.toLowerCase() };
}

function testOf(comparison: Condition): RowTest {
  const { field } = comparison;
  const kind = timeFields.includes(field) ? "time" : undefined;
  return comparisonTest(comparison, kind, (row: object) => [atPath(row, field)], "--where");
}

/** A record as comparisons see it: the value by the name of its variable, and the fields. */
function rowOf(record: JsonObject, variable: string, name: string | undefined): object {
  const times = timeFields.flatMap((field) => {
    const moment = record[field];
    return typeof moment === "string" ? [[field, new Date(moment)] as const] : [];
  });
  return { [variable]: record["value"], ...record, ...Object.fromEntries(times), device_name: name };
}
