import { type TimeInterval, utcDay, utcHour, utcMinute, utcMonday, utcMonth, utcSecond, utcYear } from "d3-time";
import { offsetMs, type Style, timesAt } from "./format.ts";

const UNITS = new Map<string, TimeInterval | null>([
  ["second", utcSecond],
  ["minute", utcMinute],
  ["hour", utcHour],
  ["day", utcDay],
  ["week", utcMonday],
  ["month", utcMonth],
  ["quarter", utcMonth.every(3)],
  ["year", utcYear],
]);

const valid = (date: Date | undefined): number | undefined => {
  const ms = date?.getTime();
  return Number.isNaN(ms) ? undefined : ms;
};

/** Start of the minute, hour, day, week (from Monday), month, quarter or year that a time is in, UTC. */
export const intervalStart = (ms: number, unit: string): number | undefined =>
  valid(UNITS.get(unit)?.floor(new Date(ms)));

/** The time that is a span such as `3 days` from another, before or after it; undefined for any other text. */
export function timeFrom(ms: number, span: string, direction: -1 | 1): number | undefined {
  const [, count = "", unit = ""] = /^(\d{1,6}) ?([a-z]+?)s?$/.exec(span) ?? [];
  return valid(UNITS.get(unit)?.offset(new Date(ms), direction * Number(count)));
}

/** An interval of a calendar: from its start until the next one. */
interface Interval {
  readonly startMs: number;
  readonly endMs: number;
}

/** The interval that a time is in, on the calendar of a zone; undefined for an unknown unit. */
export function intervalIn(ms: number, unit: string, style: Style): Interval | undefined {
  const interval = UNITS.get(unit);
  const ahead = offsetMs(ms, style);
  const start = valid(interval?.floor(new Date(ms + ahead)));
  if (interval === undefined || interval === null || start === undefined) return undefined;
  const next = valid(interval.offset(new Date(start), 1)) ?? start;
  if (next - start < DAY_MS) return { startMs: start - ahead, endMs: next - ahead };
  return { startMs: wallTime(start, style), endMs: wallTime(next, style) };
}

const DAY_MS = 86_400_000;

/** When the day of a zone starts that starts on its clock as if it were UTC. */
export const wallTime = (wallMs: number, style: Style): number => timesAt(wallMs, true, style)[0] ?? wallMs;

/** Whether days and longer intervals of UTC have at most one time each, at their start: the platform has grouped them. */
export const areGrouped = (times: readonly number[], unit: string): boolean =>
  !["second", "minute", "hour"].includes(unit) &&
  times.every((ms, i) => intervalStart(ms, unit) === ms && ms !== times[i - 1]);
