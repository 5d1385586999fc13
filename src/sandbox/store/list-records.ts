import type { ListDefaults } from "../../lib/api/route.ts";
import type { QueryObject } from "../core/query.ts";
import { listOf, objectOf, pagingOf, textOf } from "../core/query.ts";
import { fold } from "./list-query.ts";

type Row = Readonly<Record<string, unknown>>;

/**
 * True when `*` in the pattern can match the corresponding part of the string. Linear in the string, whatever the
 * pattern.
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  const [first = "", ...others] = fold(pattern).split("*");
  const subject = fold(text);
  if (others.length === 0) return subject === first;
  if (!subject.startsWith(first)) return false;
  const last = others.pop() ?? "";
  let position = first.length;
  for (const piece of others) {
    const found = subject.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  return subject.length - last.length >= position && subject.endsWith(last);
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || value === "never";
}

function compare(a: unknown, b: unknown, sign: number): number {
  if (isMissing(a) || isMissing(b)) return Number(isMissing(a)) - Number(isMissing(b));
  const left = fold(String(a));
  const right = fold(String(b));
  if (left === right) return 0;
  return left < right ? -sign : sign;
}

function orderOf(query: QueryObject, defaults: ListDefaults, sortable: readonly string[]): readonly [string, number] {
  const [field = "", direction = "asc"] = listOf(query["orderBy"]).map((part) => part.trim());
  if (sortable.includes(field)) return [field, direction.toLowerCase() === "desc" ? -1 : 1];
  const [fallback, fallbackDirection] = defaults.orderBy ?? ["", "asc"];
  return [fallback, fallbackDirection === "desc" ? -1 : 1];
}

/**
 * The list query over records in memory: tokens, which have no id and no tags. Filters compare strings, with `*`. The
 * records come oldest first; equal ones stay in the requested order.
 */
export function listRecords(records: readonly Row[], query: QueryObject, defaults: ListDefaults): Row[] {
  const names = Object.keys(records[0] ?? {});
  const tests = Object.entries(objectOf(query["filter"])).filter(([name]) => names.includes(name));
  const kept = records.filter((record) =>
    tests.every(([name, value]) => {
      const pattern = textOf(value);
      return pattern === undefined || matchesWildcard(String(record[name] ?? ""), pattern);
    }),
  );
  const [field, sign] = orderOf(query, defaults, names);
  // Reversing the insertion order makes "newest first" correct within one millisecond.
  const arranged = sign < 0 ? kept.reverse() : kept;
  arranged.sort((a, b) => compare(a[field], b[field], sign));
  const { limit, offset } = pagingOf(query);
  const fields = listOf(query["fields"]);
  const shown = (fields.length > 0 ? fields : (defaults.fields ?? names)).filter((name) => names.includes(name));
  return arranged
    .slice(offset, offset + limit)
    .map((record) => Object.fromEntries(shown.map((name) => [name, record[name]])));
}
