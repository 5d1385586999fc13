/** Values of `--time`. `auto` is relative in tables, where the exact time does not matter, and local elsewhere. */
export const timeForms = ["auto", "relative", "local", "utc", "iso"] as const;
export type TimeForm = (typeof timeForms)[number];

/** How dates are shown. */
export interface TimeStyle {
  readonly form: TimeForm;
  /** IANA zone; the machine's own when absent. */
  readonly zone?: string;
  readonly nowMs: number;
}

const two = (value: number): string => String(value).padStart(2, "0");
const formatters = new Map<string, Intl.DateTimeFormat>();

function inZone(date: Date, zone: string): string {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    // The Swedish form is year-month-day hour:minute:second, whatever the language of the machine.
    formatter = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
    formatters.set(zone, formatter);
  }
  return formatter.format(date);
}

function local(date: Date): string {
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

/** Clocks of two machines differ by this much: what has just happened is not "in 1 s". */
const CLOCKS_DIFFER_MS = 5_000;
const YEAR_MS = 365.25 * 86_400_000;

const steps = [
  ["s", 1_000, 60_000],
  ["min", 60_000, 3_600_000],
  ["h", 3_600_000, 86_400_000],
  ["d", 86_400_000, 2 * YEAR_MS],
  ["y", YEAR_MS, Number.POSITIVE_INFINITY],
] as const;

function relative(date: Date, nowMs: number): string {
  const away = date.getTime() - nowMs;
  const size = Math.abs(away);
  if (size < 1_000 || (away > 0 && size < CLOCKS_DIFFER_MS)) return "now";
  const [unit, unitMs] = steps.find(([, , below]) => size < below) ?? ["y", YEAR_MS];
  const amount = `${Math.floor(size / unitMs)} ${unit}`;
  return away < 0 ? `${amount} ago` : `in ${amount}`;
}

/** A difference in days says little beyond this. */
const relativeForMs = 60 * 86_400_000;

export function showTime(date: Date, style: TimeStyle): string {
  if (style.form === "iso") return date.toISOString();
  if (style.form === "relative") return relative(date, style.nowMs);
  if (style.form === "utc") return inZone(date, "UTC");
  return style.zone === undefined ? local(date) : inZone(date, style.zone);
}

/** A date in a table whose exact time does not matter: how long ago, or the day. */
export function showAge(date: Date, style: TimeStyle): string {
  if (style.form !== "auto") return showTime(date, style);
  const isNear = Math.abs(date.getTime() - style.nowMs) < relativeForMs;
  return isNear ? relative(date, style.nowMs) : showTime(date, style).slice(0, 10);
}

/** A date of one resource: the exact time, and how long ago it was. */
export function showTimeAndAge(date: Date, style: TimeStyle): string {
  const exact = showTime(date, style);
  return style.form === "auto" ? `${exact} (${relative(date, style.nowMs)})` : exact;
}
