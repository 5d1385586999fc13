import { isRecord } from "../core/json.ts";

const zero = 48;

function two(text: string, at: number): number {
  const high = text.charCodeAt(at) - zero;
  const low = text.charCodeAt(at + 1) - zero;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : Number.NaN;
}

/** Days of each month, but for the 29th of February. */
const daysOf = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Days before the first of each month in a year that is not a leap year. */
const daysBefore = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/**
 * Milliseconds of `2024-01-31T12:00:00.000Z`, the form the platform writes; several times faster than `Date.parse`.
 * NaN when the string has another form or names no date.
 */
function isoMs(text: string): number {
  if (
    text.length !== 24 ||
    text.charCodeAt(23) !== 90 ||
    text.charCodeAt(4) !== 45 ||
    text.charCodeAt(7) !== 45 ||
    text.charCodeAt(10) !== 84 ||
    text.charCodeAt(13) !== 58 ||
    text.charCodeAt(16) !== 58 ||
    text.charCodeAt(19) !== 46
  ) {
    return Number.NaN;
  }
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const day = two(text, 8);
  const hour = two(text, 11);
  const minute = two(text, 14);
  const second = two(text, 17);
  const tenths = two(text, 20);
  const last = text.charCodeAt(22) - zero;
  // The 29th of February and years before the Gregorian rules need the calendar; the general parser knows it.
  if (!(year >= 1600 && month >= 1 && month <= 12 && day >= 1 && day <= (daysOf[month - 1] ?? 0))) return Number.NaN;
  if (!(hour <= 23 && minute <= 59 && second <= 59 && tenths >= 0 && last >= 0 && last <= 9)) return Number.NaN;
  const past = month > 2 ? year : year - 1;
  const leaps = Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - 477;
  const days = (year - 1970) * 365 + leaps + (daysBefore[month - 1] ?? 0) + day - 1;
  return days * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000 + tenths * 10 + last;
}

/** Strings that are meant as a date; the engine's own parser would also read "Pump 3" as one. */
const dateLike = /^(\d{4}-\d{2}|[+-]\d{6}-\d{2}|\d{1,2}\/\d{1,2}\/\d{4}|(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\b)/;

/** Converts a string that holds a date; `never`, empty and unreadable strings and all other values stay. */
export function toDate(value: unknown): unknown {
  if (typeof value !== "string") return value;
  const fast = isoMs(value);
  if (!Number.isNaN(fast)) return new Date(fast);
  if (!dateLike.test(value)) return value;
  const slow = Date.parse(value);
  return Number.isNaN(slow) ? value : new Date(slow);
}

/** Properties to convert: their names, and what to convert below each, `undefined` where the value is the date itself. */
interface Plan {
  readonly names: string[];
  readonly below: (Plan | undefined)[];
}

const plans = new WeakMap<readonly string[], Plan>();

function plan(paths: readonly string[]): Plan {
  let made = plans.get(paths);
  if (made !== undefined) return made;
  made = { names: [], below: [] };
  for (const path of paths) {
    let level = made;
    const names = path.split(".");
    for (const [index, name] of names.entries()) {
      let at = level.names.indexOf(name);
      if (at < 0) at = level.names.push(name) - 1;
      if (index === names.length - 1) break;
      const next = level.below[at] ?? { names: [], below: [] };
      level.below[at] = next;
      level = next;
    }
  }
  plans.set(paths, made);
  return made;
}

function convert(value: unknown, { names, below }: Plan): void {
  if (!isRecord(value)) return;
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] ?? "";
    const member = value[name];
    if (member === undefined) continue;
    const deeper = below[i];
    if (deeper !== undefined) convertEach(member, deeper);
    else {
      const made = toDate(member);
      // Most properties that are no date (null, never) stay; storing them again would cost as much as a date.
      if (made !== member) value[name] = made;
    }
  }
}

function convertEach(value: unknown, plan: Plan): void {
  // A list directly in a list holds no dates of the platform, and could be nested deeper than calls can be.
  if (Array.isArray(value)) for (const item of value) convert(item, plan);
  else convert(value, plan);
}

/**
 * Converts the named properties of a result (an object or a list of objects) to dates, in place: a copy of each row would
 * cost as much as all its dates.
 *
 * @param paths dotted; a list on the way is converted item by item (`files.last_modified`)
 */
export function convertDates(value: unknown, paths: readonly string[]): void {
  convertEach(value, plan(paths));
}

type DateKey<Info> = {
  [Key in keyof Info & string]-?: Extract<Info[Key], Date> extends never ? never : Key;
}[keyof Info & string];

/** The names of all properties of a type that may hold a date, in any order. One that is missing does not compile. */
export type DateKeys<Info, Key extends string = DateKey<Info>> = [Key] extends [never]
  ? readonly []
  : { [First in Key]: readonly [First, ...DateKeys<Info, Exclude<Key, First>>] }[Key];
