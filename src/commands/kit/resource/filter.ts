import { emptyValue, parseInstant, quote } from "../command/values.ts";
import { usageError } from "../failures/command-error.ts";
import { atPath } from "../output/values.ts";

type Operator = "=" | "!=" | "<" | "<=" | ">" | ">=";

export interface Comparison {
  readonly field: string;
  readonly operator: Operator;
  readonly value: string;
}

/** A `--filter`: comparisons one of which must hold. */
export type Filter = readonly Comparison[];

/**
 * `name=Pump*`, `last_input<-24h`, `type!=mutable`, or several joined by `or`.
 *
 * @param flag names the flag in failures
 */
export function parseFilter(text: string, flag = "--filter"): Filter {
  const next = `Use ${flag} "name=Pump*", ${flag} "last_input<-24h" or ${flag} "type=a or type=b".`;
  return text.split(/ or (?=[A-Za-z_][\w.]*[=<>!])/).map((part) => parseComparison(part, flag, next));
}

/** `name=Pump*`: one comparison of a flag; `next` says how they are written. */
export function parseComparison(text: string, flag: string, next: string): Comparison {
  const [, field, operator, value] = /^([A-Za-z_][\w.]*)(!=|<=|>=|=|<|>)(.*)$/s.exec(text) ?? [];
  if (field === undefined || operator === undefined || value === undefined) {
    throw usageError(`Invalid filter ${quote(text)}.`, { next });
  }
  if (value === "") throw emptyValue(`${flag} ${quote(text)}`);
  return { field, operator: operator as Operator, value };
}

/** The condition that the platform can check: it finds equal values, and `*` for any text. */
export function platformFilter(filter: Filter): readonly [string, string] | undefined {
  const [only, ...others] = filter;
  return only?.operator === "=" && others.length === 0 ? [only.field, only.value] : undefined;
}

/** Whether a row passes the filters. Times are compared with what `-24h` or `2026-01-31` stand for at `nowMs`. */
export function passes(row: object, filters: readonly Filter[], nowMs: number): boolean {
  return filters.every((filter) => filter.some((comparison) => holds(row, comparison, nowMs)));
}

function holds(row: object, { field, operator, value }: Comparison, nowMs: number): boolean {
  const found = atPath(row, field);
  if (operator === "=") return matches(found, value);
  if (operator === "!=") return !matches(found, value);
  const order = orderOf(found, value, () => parseInstant(value, `--filter ${field}`, nowMs).getTime());
  switch (operator) {
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

/** NaN for what is not there: it is neither smaller nor larger. */
function orderOf(found: unknown, value: string, instantMs: () => number): number {
  if (found === undefined || found === null || found === "") return Number.NaN;
  if (found instanceof Date) return found.getTime() - instantMs();
  if (typeof found === "number") return found - Number(value);
  return String(found).localeCompare(value, "en", { sensitivity: "base", numeric: true });
}

/** Compares a value with a text where `*` stands for any text, in any case. */
export function matches(value: unknown, wanted: unknown): boolean {
  const pattern = String(wanted)
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
  const text = value instanceof Date ? value.toISOString() : String(value ?? "");
  return new RegExp(`^${pattern}$`, "is").test(text);
}
