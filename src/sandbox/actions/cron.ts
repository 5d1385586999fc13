import { fromWall, toWall } from "../data/dates.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** A 29 February may be eight years away. */
const MAX_DAYS = 366 * 9;

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"] as const;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** A cron expression of five fields. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** With both days restricted, one of them is enough. */
  readonly eitherDay: boolean;
}

interface Field {
  readonly from: number;
  readonly to: number;
  readonly names?: readonly string[];
}

const FIELDS = [
  { from: 0, to: 59 },
  { from: 0, to: 23 },
  { from: 1, to: 31 },
  { from: 1, to: 12, names: MONTHS },
  { from: 0, to: 7, names: WEEKDAYS },
] as const satisfies readonly Field[];

function numberOf(text: string, { from, to, names }: Field): number | undefined {
  const name = names?.indexOf(text.toLowerCase()) ?? -1;
  const value = name >= 0 ? name + from : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= from && value <= to ? value : undefined;
}

/** One part of a list: a number, a range or `*`, each with a step or without. */
function partValues(part: string, field: Field): number[] | undefined {
  const [range = "", step = "1", ...more] = part.split("/");
  if (more.length > 0 || !/^\d{1,2}$/.test(step) || Number(step) === 0) return undefined;
  const [start = "", end, ...rest] = range.split("-");
  if (rest.length > 0) return undefined;
  const from = range === "*" ? field.from : numberOf(start, field);
  const open = range === "*" || (end === undefined && part.includes("/"));
  const to = open ? field.to : end === undefined ? from : numberOf(end, field);
  if (from === undefined || to === undefined || from > to) return undefined;
  const values: number[] = [];
  for (let value = from; value <= to; value += Number(step)) values.push(value);
  return values;
}

function fieldValues(text: string, field: Field): number[] | undefined {
  const parts = text.split(",").map((part) => partValues(part, field));
  const values = parts.flatMap((part) => part ?? []);
  return parts.includes(undefined) ? undefined : [...new Set(values)].sort((a, b) => a - b);
}

/** Reads minute, hour, day, month and weekday; `undefined` when the text is no such expression. */
export function parseCron(text: string): Cron | undefined {
  const texts = text.trim().split(/\s+/);
  if (texts.length !== FIELDS.length) return undefined;
  const values = FIELDS.map((field, index) => fieldValues(texts[index] ?? "", field));
  const [minutes, hours, days, months, weekdays] = values;
  if (minutes === undefined || hours === undefined || days === undefined) return undefined;
  if (months === undefined || weekdays === undefined) return undefined;
  return {
    minutes,
    hours,
    days: new Set(days),
    months: new Set(months),
    // Sunday is 0 and 7.
    weekdays: new Set(weekdays.map((day) => day % 7)),
    eitherDay: !texts[2]?.startsWith("*") && !texts[4]?.startsWith("*"),
  };
}

function fitsDay(cron: Cron, dayMs: number): boolean {
  const date = new Date(dayMs);
  if (!cron.months.has(date.getUTCMonth() + 1)) return false;
  const day = cron.days.has(date.getUTCDate());
  const weekday = cron.weekdays.has(date.getUTCDay());
  return cron.eitherDay ? day || weekday : day && weekday;
}

/**
 * The first moment after another at which an expression is due; `undefined` for one that never is (30 February).
 * Hours that a change of the clocks skips are due right after it; repeated ones once.
 */
export function nextCron(cron: Cron, afterMs: number, timezone = "UTC"): number | undefined {
  const wallMs = Math.floor(toWall(afterMs, timezone) / MINUTE_MS) * MINUTE_MS;
  const firstDayMs = Math.floor(wallMs / DAY_MS) * DAY_MS;
  for (let day = 0; day < MAX_DAYS; day += 1) {
    const dayMs = firstDayMs + day * DAY_MS;
    if (!fitsDay(cron, dayMs)) continue;
    for (const hour of cron.hours) {
      for (const minute of cron.minutes) {
        const moment = dayMs + (hour * 60 + minute) * MINUTE_MS;
        if (moment <= wallMs) continue;
        const instant = fromWall(moment, timezone);
        if (instant > afterMs) return instant;
      }
    }
  }
  return undefined;
}
