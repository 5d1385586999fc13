import { type Kept, type KeptRow, type Series, seriesKey } from "./buffer.ts";
import type { LiveState } from "./live-state.ts";
import type { LiveRow } from "./types.ts";

/** A row of the table. */
export interface VisibleRow {
  readonly id: string;
  readonly kept: Kept;
  /** Records behind it, when rows are grouped. */
  readonly count: number;
}

type Choice = Pick<LiveState, "filter" | "group" | "sort" | "isReversed">;

function matches({ row }: KeptRow, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = `${row.device} ${row.variable} ${row.value}`.toLowerCase();
  return words.every((word) => text.includes(word));
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function compareGroups(a: VisibleRow, b: VisibleRow): number {
  if (a.kept.kind !== "row" || b.kept.kind !== "row") return 0;
  const [left, right] = [a.kept.row, b.kept.row];
  const hasNumber = Number(right.number !== undefined) - Number(left.number !== undefined);
  return hasNumber || byText(left.device, right.device) || byText(left.variable, right.variable);
}

function compare(sort: Choice["sort"], a: VisibleRow, b: VisibleRow): number {
  if (a.kept.kind !== "row" || b.kept.kind !== "row") return b.kept.id - a.kept.id;
  const [left, right] = [a.kept.row, b.kept.row];
  const newest = b.kept.id - a.kept.id;
  if (sort === "device") return byText(left.device, right.device) || byText(left.variable, right.variable) || newest;
  if (sort === "variable") return byText(left.variable, right.variable) || byText(left.device, right.device) || newest;
  if (left.number === undefined || right.number === undefined) {
    if (left.number !== right.number) return left.number === undefined ? 1 : -1;
    return byText(left.value, right.value) || newest;
  }
  return right.number - left.number || newest;
}

const wordsOf = (filter: string): string[] =>
  filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");

/** The records that fit a filter. */
export function recordsOf(kept: readonly Kept[], filter: string): LiveRow[] {
  const words = wordsOf(filter);
  return kept.flatMap((one) => (one.kind === "row" && matches(one, words) ? [one.row] : []));
}

/**
 * Rows to show, of those kept (newest first): filtered, grouped, sorted. Gap marks stay only in the order of time. Groups
 * stay where they are while records arrive: those with numbers first, by name.
 */
export function visibleRows(kept: readonly Kept[], series: ReadonlyMap<string, Series>, choice: Choice): VisibleRow[] {
  const words = wordsOf(choice.filter);
  const isTimeline = choice.group === "none" && choice.sort === "time";
  const rows =
    choice.group === "none"
      ? kept.filter((one) => (one.kind === "gap" ? isTimeline : matches(one, words))).map(single)
      : grouped(kept, series, choice.group, words);
  if (choice.sort !== "time") rows.sort((a, b) => compare(choice.sort, a, b));
  else if (choice.group !== "none") rows.sort(compareGroups);
  return choice.isReversed ? rows.reverse() : rows;
}

const single = (kept: Kept): VisibleRow => ({ id: `#${kept.id}`, kept, count: 1 });

/** The newest record of each group. */
function grouped(
  kept: readonly Kept[],
  series: ReadonlyMap<string, Series>,
  group: "variable" | "device",
  words: readonly string[],
): VisibleRow[] {
  const found = new Map<string, { kept: KeptRow; count: number }>();
  for (const one of kept) {
    if (one.kind === "gap" || !matches(one, words)) continue;
    const key = group === "device" ? one.row.device : seriesKey(one.row);
    const entry = found.get(key);
    if (entry === undefined) found.set(key, { kept: one, count: 1 });
    else entry.count += 1;
  }
  return Array.from(found, ([id, entry]) => ({
    id,
    kept: entry.kept,
    count: group === "variable" ? (series.get(entry.kept.series)?.count ?? entry.count) : entry.count,
  }));
}
