import { type TimeInterval, utcDay, utcHour, utcMinute, utcMonday, utcMonth, utcSecond, utcYear } from "d3-time";

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
