import { get, isSource, list, record, type Source } from "../readers.ts";
import type { Style } from "./format.ts";
import { areGrouped, intervalIn, wallTime } from "./intervals.ts";
import { idIn, numberIn, textIn } from "./read.ts";

/** One record of a widget's data. */
export interface Point {
  readonly variable: string;
  readonly origin: string | undefined;
  readonly value: unknown;
  readonly unit: string;
  /** Milliseconds since 1970; 0 without a time. */
  readonly timeMs: number;
  readonly group: string | undefined;
  /** The record as it was given. */
  readonly raw: Source;
}

/** Records of one group or time, or one row of a list. */
export interface Row {
  readonly timeMs: number;
  readonly points: ReadonlyMap<string, readonly Point[]>;
  readonly raw: Source;
}

/** The records of a widget, by variable. */
export class Records {
  /** Rows without a variable: of lists of devices, users and entities. */
  readonly rows: readonly Source[];
  /** Records that were given, and how many of them were read. */
  readonly total: number;
  readonly read: number;
  private readonly byVariable = new Map<string, Point[]>();

  constructor(data: unknown) {
    const rows: Source[] = [];
    const items = itemsIn(data);
    let read = 0;
    for (const each of recordsIn(items)) {
      read += 1;
      const point = pointOf(each);
      if (point === undefined) rows.push(each);
      else {
        const points = this.byVariable.get(point.variable);
        if (points === undefined) this.byVariable.set(point.variable, [point]);
        else points.push(point);
      }
    }
    for (const points of this.byVariable.values()) points.sort((a, b) => a.timeMs - b.timeMs);
    this.rows = rows;
    this.read = read;
    this.total = countOf(items);
  }

  /** Whether there were more records than are read. */
  get isCut(): boolean {
    return this.total > MAX_RECORDS;
  }

  get isEmpty(): boolean {
    return this.byVariable.size === 0 && this.rows.length === 0;
  }

  /** Records of a variable, oldest first. One without an origin belongs to every origin. */
  of(variable: string, origin?: string): readonly Point[] {
    const points = this.byVariable.get(variable) ?? [];
    return origin === undefined ? points : points.filter((each) => each.origin === undefined || each.origin === origin);
  }

  last(variable: string, origin?: string): Point | undefined {
    return this.of(variable, origin).at(-1);
  }

  /**
   * Groups the records of entries that ask for `aggregate`, each once, of at most 100 variables. What the platform has grouped
   * already stays as it is.
   */
  aggregate(widget: Source, style: Style): void {
    const done = new Set<Point>();
    let left = MAX_ENTRIES;
    for (const entry of list(get(widget, "data")).slice(0, MAX_ENTRIES).map(record)) {
      if (get(entry, "query") !== "aggregate") continue;
      const origin = idIn(get(entry, "origin"));
      for (const name of [get(entry, "variables")].flat().slice(0, left).map(textIn)) {
        left -= 1;
        const own = new Set(this.of(name, origin).filter((point) => !done.has(point)));
        if (own.size === 0) continue;
        const others = this.of(name).filter((point) => !own.has(point));
        const grouped = aggregated([...own], textIn(get(entry, "interval")), textIn(get(entry, "function")), style);
        for (const point of grouped) done.add(point);
        this.byVariable.set(
          name,
          [...others, ...grouped].sort((a, b) => a.timeMs - b.timeMs),
        );
      }
    }
  }

  /** Records of variables in rows of a group or a time, the newest row first; of each variable at most twenty. */
  rowsOf(variables: Iterable<string>): readonly Row[] {
    const rows = new Map<string, { timeMs: number; points: Map<string, Point[]>; raw: Source }>();
    for (const name of new Set(variables)) {
      for (const point of this.of(name)) {
        const key = point.group ?? String(point.timeMs);
        const row = rows.get(key) ?? { timeMs: point.timeMs, points: new Map<string, Point[]>(), raw: point.raw };
        rows.set(key, row);
        row.timeMs = Math.max(row.timeMs, point.timeMs);
        row.points.set(name, [...(row.points.get(name) ?? []), point].slice(-20));
      }
    }
    return [...rows.values()].sort((a, b) => b.timeMs - a.timeMs);
  }

  /** The newest record of all. */
  get newest(): Point | undefined {
    let found: Point | undefined;
    for (const points of this.byVariable.values()) {
      const last = points.at(-1);
      if (last !== undefined && (found === undefined || last.timeMs > found.timeMs)) found = last;
    }
    return found;
  }
}

const MAX_ENTRIES = 100;
/** Records that are read: the platform sends 10,000 of a variable at most. */
const MAX_RECORDS = 100_000;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const FUNCTIONS = new Map<string, (values: readonly number[]) => number>([
  ["avg", (values) => sum(values) / values.length],
  ["sum", sum],
  ["min", (values) => values.reduce((least, value) => Math.min(least, value))],
  ["max", (values) => values.reduce((most, value) => Math.max(most, value))],
]);

/**
 * One record per interval, at its start on the calendar of the zone; the records themselves where interval or function is
 * unknown. Days that the platform has grouped, which are those of UTC, stand at the start of the day with the same date.
 */
function aggregated(points: readonly Point[], interval: string, name: string, style: Style): readonly Point[] {
  const calculate = FUNCTIONS.get(name);
  if (calculate === undefined) return points;
  const times = points.map(({ timeMs }) => timeMs);
  if (areGrouped(times, interval)) return points.map((each) => ({ ...each, timeMs: wallTime(each.timeMs, style) }));
  const groups: {
    readonly startMs: number;
    readonly endMs: number;
    readonly first: Point;
    readonly values: number[];
  }[] = [];
  for (const point of points) {
    const value = numberIn(point.value);
    if (value === undefined) continue;
    const group = groups.at(-1);
    // The records are in order: most are in the interval of the one before.
    if (group !== undefined && point.timeMs < group.endMs) group.values.push(value);
    else {
      const found = intervalIn(point.timeMs, interval, style);
      if (found === undefined) return points;
      groups.push({ ...found, first: point, values: [value] });
    }
  }
  return groups.map(({ startMs, first, values }) => ({
    ...first,
    timeMs: startMs,
    value: calculate(values),
    group: undefined,
  }));
}

/** Records of one item of a widget's data. */
function lengthOf(item: unknown): number {
  const result = isSource(item) ? get(item, "result") : undefined;
  return Array.isArray(result) ? result.length : 1;
}

/** The end of a list at which its newest records are, where it has more than `most`. */
function newest(rows: readonly unknown[], most: number): readonly unknown[] {
  if (rows.length <= most) return rows;
  const timeOf = (row: unknown): number => timeIn(get(record(row), "time")) ?? 0;
  return timeOf(rows.at(-1)) > timeOf(rows[0]) ? rows.slice(-most) : rows.slice(0, most);
}

const countOf = (items: readonly unknown[]): number => items.reduce<number>((count, item) => count + lengthOf(item), 0);

/** Data of a widget, its `content`, or plain records. */
const itemsIn = (data: unknown): readonly unknown[] =>
  Array.isArray(data) ? data : list(get(record(data), "content"));

function* recordsIn(all: readonly unknown[]): Generator<Source> {
  const items = newest(all, MAX_RECORDS);
  const total = countOf(items);
  for (const item of items) {
    if (!isSource(item)) continue;
    const result = get(item, "result");
    if (result === undefined) yield item;
    else if (Array.isArray(result)) {
      const share = total > MAX_RECORDS ? Math.ceil((result.length * MAX_RECORDS) / total) : result.length;
      for (const row of newest(result, share)) if (isSource(row)) yield row;
    } else if (numberIn(result) !== undefined || typeof result === "string") {
      const entry = record(get(item, "data"));
      const [variable] = [get(entry, "variables")].flat();
      yield { variable, value: result, origin: get(entry, "origin") };
    }
  }
}

function pointOf(raw: Source): Point | undefined {
  const variable = textIn(get(raw, "variable"));
  if (variable === "") return undefined;
  return {
    variable,
    origin: idIn(get(raw, "origin")) ?? idIn(get(raw, "device")),
    value: get(raw, "value"),
    unit: textIn(get(raw, "unit")),
    timeMs: timeIn(get(raw, "time")) ?? 0,
    group: textIn(get(raw, "group") ?? get(raw, "serie")) || undefined,
    raw,
  };
}

/** A date in milliseconds: a Date, an ISO string or a number of milliseconds. */
export function timeIn(value: unknown): number | undefined {
  const ms =
    value instanceof Date
      ? value.getTime()
      : typeof value === "number"
        ? value
        : typeof value === "string" && value.length <= 40 && /\d{4}-\d\d/.test(value)
          ? Date.parse(value)
          : Number.NaN;
  return Math.abs(ms) <= 8.64e15 ? ms : undefined;
}
