/** Durations: digits, an optional space, a unit (docs/internals/platform/queries.md, Dates and durations). */

type DurationUnit = "millisecond" | "second" | "minute" | "hour" | "day" | "month";

/** Weeks are stored as days, quarters and years as months. */
export interface Duration {
  readonly amount: number;
  readonly unit: DurationUnit;
}

const UNITS: readonly (readonly [names: readonly string[], unit: DurationUnit, factor: number])[] = [
  [["S", "SS"], "millisecond", 1],
  [["s", "ss", "sec"], "second", 1],
  [["m", "mm", "min"], "minute", 1],
  [["h", "hh"], "hour", 1],
  [["d", "dd"], "day", 1],
  [["w", "ww"], "day", 7],
  [["M", "MM"], "month", 1],
  [["y", "yy"], "month", 12],
];

/** Words may be plural and in any case; the short forms distinguish `m` from `M`. */
const WORDS: Readonly<Record<string, readonly [unit: DurationUnit, factor: number]>> = {
  millisecond: ["millisecond", 1],
  second: ["second", 1],
  minute: ["minute", 1],
  hour: ["hour", 1],
  day: ["day", 1],
  week: ["day", 7],
  month: ["month", 1],
  quarter: ["month", 3],
  year: ["month", 12],
};

const MS_PER_UNIT = { millisecond: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;

/** Largest distance from 1970 a date can have. */
const MAX_TIME_MS = 8.64e15;

function unitOf(text: string): readonly [DurationUnit, number] | undefined {
  for (const [names, unit, factor] of UNITS) if (names.includes(text)) return [unit, factor];
  const word = text.toLowerCase().replace(/s$/, "");
  return Object.hasOwn(WORDS, word) ? WORDS[word] : undefined;
}

/** Parses a duration such as `1 day`, `3months` or `15 min`; `undefined` for an invalid one. */
export function parseDuration(text: string): Duration | undefined {
  const match = /^\s*(\d{1,15}) ?([A-Za-z]+)\s*$/.exec(text);
  const unit = unitOf(match?.[2] ?? "");
  if (match === null || unit === undefined) return undefined;
  return { amount: Number(match[1]) * unit[1], unit: unit[0] };
}

function addMonths(timeMs: number, months: number): number {
  const date = new Date(timeMs);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}

/**
 * Adds a duration to a time, in UTC. Months and years follow the calendar: one month after 31 January is the last day
 * of February. The result is limited to valid dates.
 */
export function addDuration(timeMs: number, duration: Duration, sign: 1 | -1 = 1): number {
  const amount = duration.amount * sign;
  const moved = duration.unit === "month" ? addMonths(timeMs, amount) : timeMs + amount * MS_PER_UNIT[duration.unit];
  if (Number.isNaN(moved)) return sign * MAX_TIME_MS;
  return Math.max(-MAX_TIME_MS, Math.min(MAX_TIME_MS, moved));
}

/** The time before or after `nowMs` by a duration; `undefined` for an invalid duration. */
export function resolveDuration(text: string, nowMs: number, direction: "before" | "after"): number | undefined {
  const duration = parseDuration(text);
  if (duration === undefined) return undefined;
  return addDuration(nowMs, duration, direction === "before" ? -1 : 1);
}
