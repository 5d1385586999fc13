import { get, type Source } from "../readers.ts";
import { numberIn, textIn } from "./read.ts";

/** How numbers and dates are written. */
export interface Style {
  readonly locale: string;
  readonly timeZone: string;
}

const MAX_KEPT = 200;
const numberFormats = new Map<string, Intl.NumberFormat>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

function kept<T>(cache: Map<string, T>, key: string, make: () => T, otherwise: () => T): T {
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= MAX_KEPT) cache.clear();
  let made: T;
  try {
    made = make();
  } catch (error) {
    // An unknown locale or time zone; both come from outside.
    if (!(error instanceof RangeError)) throw error;
    made = otherwise();
  }
  cache.set(key, made);
  return made;
}

/** Sizes from which on, and below which, numbers are written with an exponent. */
const [HUGE, TINY] = [1e15, 1e-9];

/** A number as the widget wants it: `decimals` (-1: unrounded) and `show_thousand`. */
export function formatNumber(value: number, format: Source, { locale }: Style): string {
  const size = Math.abs(value);
  if (size >= HUGE || (size > 0 && size < TINY)) return value.toExponential(3);
  const wanted = numberIn(get(format, "decimals")) ?? -1;
  const decimals = wanted < 0 ? -1 : Math.min(10, Math.trunc(wanted));
  const useGrouping = get(format, "show_thousand") === true;
  const digits =
    decimals < 0
      ? { maximumSignificantDigits: 10 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return kept(
    numberFormats,
    `${locale} ${decimals} ${useGrouping}`,
    () => new Intl.NumberFormat(locale, { ...digits, useGrouping }),
    () => new Intl.NumberFormat("en-US", { ...digits, useGrouping }),
  ).format(value);
}

const METRIC: readonly (readonly [number, string])[] = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e4, "k"],
];

/**
 * How the marks of an axis are written: as the widget writes its numbers, all with the same decimals, as many as it
 * takes to distinguish them. Short ones (350k, 1.2M) where the widget asks for them, or the numbers are very long; with
 * an exponent (1.5e+21) where no letter makes them short.
 */
export function tickFormat(
  ticks: readonly number[],
  format: Source,
  style: Style,
  isShort = false,
): (value: number) => string {
  const most = ticks.reduce((size, tick) => Math.max(size, Math.abs(tick)), 0);
  const apart = Math.abs((ticks[1] ?? 0) - (ticks[0] ?? 0));
  if (most >= HUGE || (most > 0 && most < 1e-6)) {
    const digits = apart > 0 ? Math.max(0, exponentOf(most) - exponentOf(apart)) : 3;
    return (value) => (value === 0 ? "0" : value.toExponential(Math.min(10, digits + (isRound(apart) ? 0 : 1))));
  }
  const [limit, letter] = METRIC.find(([least]) => most >= least && (isShort || least >= 1e9)) ?? [1, ""];
  const divisor = limit === 1e4 ? 1e3 : limit;
  const step = apart / divisor;
  // A step of 0.25 has two decimals, one of 2e-7 seven.
  const needed = step > 0 ? Math.max(0, Number(/e-(\d+)$/.exec(step.toExponential(0))?.[1] ?? 0)) : 0;
  const own = numberIn(get(format, "decimals")) ?? 0;
  const exact = needed + (Math.abs(step * 10 ** needed - Math.round(step * 10 ** needed)) > 0.01 ? 1 : 0);
  const decimals = Math.min(10, Math.max(exact, letter === "" ? own : 0));
  const shown = { decimals, show_thousand: get(format, "show_thousand") !== false };
  return (value) => (value === 0 && letter !== "" ? "0" : `${formatNumber(value / divisor, shown, style)}${letter}`);
}

const exponentOf = (value: number): number => Number(value.toExponential().split("e")[1]);

/** Whether one digit says it: a step of 500, not one of 250. */
const isRound = (value: number): boolean => /^\d(\.0+)?e/.test(value.toExponential(5));

const dateParts = {
  milliseconds: {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    fractionalSecondDigits: 3,
    hourCycle: "h23",
  },
  tenths: { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 1, hourCycle: "h23" },
  seconds: { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" },
  minutes: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  days: { day: "numeric", month: "short" },
  date: { year: "numeric", month: "short", day: "numeric" },
  month: { month: "short" },
  years: { year: "numeric" },
  full: { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  exact: {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  },
  fields: {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
    hourCycle: "h23",
  },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Which parts of a date are written. */
export type TimeParts = Exclude<keyof typeof dateParts, "fields">;

const MAX_DATE_MS = 8.64e15;

function dateFormat(parts: keyof typeof dateParts, { locale, timeZone }: Style): Intl.DateTimeFormat {
  const options = dateParts[parts];
  return kept(
    dateFormats,
    `${parts} ${locale} ${timeZone}`,
    () => new Intl.DateTimeFormat(locale, { ...options, timeZone }),
    () => new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" }),
  );
}

export function formatTime(ms: number, parts: TimeParts, style: Style): string {
  return Math.abs(ms) > MAX_DATE_MS ? "" : dateFormat(parts, style).format(ms);
}

/** Milliseconds that local clocks are ahead of UTC at a time. */
export function offsetMs(ms: number, style: Style): number {
  if (Math.abs(ms) > MAX_DATE_MS) return 0;
  const parts = dateFormat("fields", { ...style, locale: "en-US" }).formatToParts(ms);
  const part = (type: string): number => Number(parts.find((each) => each.type === type)?.value ?? 0);
  const local = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"), part("second"));
  return local - Math.floor(ms / 1000) * 1000;
}

const DAY_MS = 86_400_000;
/** When the clocks of a zone show a time: once, twice where they are put back, never where they are put forward. */
export function timesAt(wallMs: number, isDate: boolean, style: Style): readonly number[] {
  const [before, after] = [wallMs - offsetMs(wallMs - DAY_MS, style), wallMs - offsetMs(wallMs + DAY_MS, style)];
  if (before === after) return [before];
  const shown = [before, after].filter((ms) => ms + offsetMs(ms, style) === wallMs);
  // A day whose midnight is skipped starts when the clocks change.
  return shown.length === 0 && isDate ? [before] : shown.sort((a, b) => a - b);
}

const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/;

/** A value that is no number: dates are written as everywhere. */
export function valueText(value: unknown, style: Style): string {
  const date = value instanceof Date ? value.toJSON() : value;
  const ms = typeof date === "string" && DATE.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) ? plainText(value) : formatTime(ms, "full", style);
}

/** Anything as one line. */
export function plainText(value: unknown): string {
  if (typeof value !== "object" || value === null) return textIn(value);
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "…";
  }
}
