import { usageError } from "../failures/command-error.ts";
import { nearest } from "../failures/nearest.ts";

export function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

/** `durationMs` as `duration_ms`, the way fields of results are written. */
export function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Far longer than anything runs, and still within what a date can hold. */
const LONGEST_DURATION_MS = 36_500 * 86_400_000;

/** Milliseconds of `30s 5m 24h 7d`; several parts may be joined (`1h30m`). */
export function parseDuration(text: string, flag: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhdw])/g)];
  const total = parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * (unitMs[unit ?? ""] ?? 0), 0);
  const isWhole = parts.length > 0 && parts.map(([part]) => part).join("") === text;
  if (!isWhole || total > LONGEST_DURATION_MS) {
    throw usageError(`Invalid ${flag} ${quote(text)}.`, {
      ...(isWhole ? { why: "The longest duration is 36500d (100 years)." } : {}),
      next: "Use a duration such as 30s, 5m, 24h or 7d.",
    });
  }
  return Math.round(total);
}

const SHORTEST_STEP_MS = 10;

/** Milliseconds between two of `1/s`, `6/m`, `4/h` or `1/d`; 100/s at most. */
export function parseRate(text: string, flag: string): number {
  const [, amount, unit = ""] = /^(\d+(?:\.\d+)?)\/([smhd])$/.exec(text) ?? [];
  const stepMs = (unitMs[unit] ?? Number.NaN) / Number(amount);
  if (Number.isFinite(stepMs) && stepMs >= SHORTEST_STEP_MS) return stepMs;
  throw usageError(`Invalid ${flag} ${quote(text)}.`, {
    why: "It is a number per s, m, h or d, up to 100/s.",
    next: "Use a rate such as 1/s, 6/m or 4/h.",
  });
}

const intervalUnits: Readonly<Record<string, string>> = { m: "minutes", h: "hours", d: "days", w: "weeks" };

/** How often something recurs, as the platform takes it: `5m` and `5 minutes` are `5 minutes`. */
export function parseInterval(text: string, flag: string): string {
  const [, short, letter = ""] = /^([1-9]\d{0,5})([mhdw])$/.exec(text) ?? [];
  if (short !== undefined) return `${short} ${intervalUnits[letter] ?? letter}`;
  if (/^[1-9]\d{0,5} (minute|hour|day|week|month|quarter|year)s?$/.test(text)) return text;
  throw usageError(`Invalid ${flag} ${quote(text)}.`, {
    why: "The shortest interval is 1 minute.",
    next: 'Use an interval such as 5m, 1h, 2d, 1w or "3 months".',
  });
}

const cronLimits = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;

/** A cron schedule. Names and steps are left to the platform. */
export function parseCron(text: string, flag: string): string {
  const fields = text.trim().split(/\s+/);
  const isField = (field: string, least = 0, most = 0): boolean =>
    /^[\w*,/?#-]+$/.test(field) &&
    field.split(",").every((part) => {
      const [, from, to = from] = /^(\d+)(?:-(\d+))?(?:\/|$)/.exec(part) ?? [];
      return from === undefined || [from, to].every((number) => Number(number) >= least && Number(number) <= most);
    });
  if (fields.length === 5 && fields.every((field, at) => isField(field, ...(cronLimits[at] ?? [])))) return text;
  throw usageError(`Invalid ${flag} ${quote(text)}.`, {
    why: "Its fields are minute (0-59), hour (0-23), day (1-31), month (1-12) and day of the week (0-7).",
    next: 'Use a schedule such as "0 6 * * *" (every day at 6:00).',
  });
}

/** Parses a date: ISO 8601, `now`, `today`, `yesterday`, or `-24h` (before) and `+1h` (after) `nowMs`. */
export function parseInstant(text: string, flag: string, nowMs: number): Date {
  const moment = instantOf(text, flag, nowMs);
  if (moment !== undefined) return moment;
  throw usageError(`Invalid ${flag} ${quote(text)}.`, {
    next: "Use a time such as 2026-01-31T08:00:00Z, now, today or -24h.",
  });
}

function instantOf(text: string, flag: string, nowMs: number): Date | undefined {
  if (text === "now") return new Date(nowMs);
  if (text === "today" || text === "yesterday") {
    const day = new Date(nowMs);
    day.setHours(0, 0, 0, 0);
    if (text === "yesterday") day.setDate(day.getDate() - 1);
    return day;
  }
  if (/^[+-]\d/.test(text)) {
    const sign = text.startsWith("-") ? -1 : 1;
    const moment = new Date(nowMs + sign * parseDuration(text.slice(1), flag));
    if (!Number.isNaN(moment.getTime())) return moment;
  }
  if (/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.test(text) && isCalendarDay(text)) {
    const moment = new Date(text.length === 10 ? `${text}T00:00:00` : text.replace(" ", "T"));
    if (!Number.isNaN(moment.getTime())) return moment;
  }
  return undefined;
}

/** When something expires: ISO 8601 for a time that is not over, a duration such as `30d` from `nowMs`, or `never`. */
export function parseExpiry(text: string, flag: string, nowMs: number): string {
  if (text === "never") return text;
  const isDuration = /^\d+(\.\d+)?[a-z]/.test(text);
  const end = isDuration ? new Date(nowMs + parseDuration(text, flag)) : instantOf(text, flag, nowMs);
  if (end === undefined) {
    throw usageError(`Invalid ${flag} ${quote(text)}.`, {
      next: "Use a duration such as 30d, a later time such as 2030-01-31T08:00:00Z, or never.",
    });
  }
  if (end.getTime() > nowMs) return end.toISOString();
  throw usageError(`${flag} ${quote(text)} is not in the future.`, {
    next: "Use a later time, a duration such as 30d, or never.",
  });
}

/** A time zone as dates take it: `Europe/Lisbon`. */
export function parseZone(text: string, flag: string): string {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return text;
  } catch {
    const guess = nearest(text, Intl.supportedValuesOf("timeZone"));
    throw usageError(`Unknown time zone ${quote(text)} for ${flag}.`, {
      next: guess === undefined ? "Use a time zone such as UTC or Europe/Lisbon." : `Did you mean ${quote(guess)}?`,
    });
  }
}

export const isEmail = (text: string): boolean => /^[^\s@,;]+@[^\s@,;]+$/.test(text);

/** An email address; only its form can be checked. */
export function parseEmail(text: string, flag: string, isRepeated = false): string {
  if (isEmail(text)) return text;
  const isList = isRepeated && /[,;]/.test(text);
  throw usageError(`${flag} needs an email address, not ${quote(text)}.`, {
    next: isList ? `Repeat ${flag} for each address.` : "Use the form jo@example.org.",
  });
}

/** A phone number with its country code; spaces and hyphens between the digits are left as they are. */
export function parsePhone(text: string, flag: string): string {
  if (/^\+[1-9](?:[ -]?\d){5,14}$/.test(text)) return text;
  throw usageError(`${flag} needs a phone number, not ${quote(text)}.`, {
    next: "Use the international form with the country code: +15550100.",
  });
}

// JavaScript reads 30 February as 2 March; a person who typed it made a mistake.
function isCalendarDay(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split("-").map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** A whole number of at least `least`. */
export function parseCount(text: string, flag: string, least = 1): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(value) || value < least) {
    throw usageError(`${flag} needs a whole number of at least ${least}, not ${quote(text)}.`);
  }
  return value;
}

export interface Pair {
  readonly key: string;
  readonly value: string;
}

/** What a tag must be: with the value, where there is one. */
export interface TagFilter {
  readonly key: string;
  readonly value?: string;
}

/** Splits `key=value` at the first `=`. */
export function parsePair(text: string, flag: string): TagFilter {
  const at = text.indexOf("=");
  const key = at < 0 ? text : text.slice(0, at);
  if (key === "") throw usageError(`${flag} needs key=value, not ${quote(text)}.`);
  return at < 0 ? { key } : { key, value: text.slice(at + 1) };
}

/** Both halves of `key=value`, cut at the first equals sign; the value must be there. `stdin` is the flag that reads it. */
export function keyValue(text: string, flag: string, stdin?: "--input"): Pair {
  const { key, value } = parsePair(text, flag);
  if (value !== undefined) return { key, value };
  const next = text === "-" && stdin !== undefined ? `To read stdin: ${stdin} -` : `Use an equals sign: ${key}=7.`;
  throw usageError(`${flag} needs key=value, not ${quote(text)}.`, { next });
}

/** `key` or `key=value` of a tag that limits what is read or changed. */
export function parseTag(text: string, flag: string): TagFilter {
  const tag = parsePair(text, flag);
  if (tag.value === "") throw emptyValue(`${flag} ${quote(text)}`);
  return tag;
}

export const parseTagFilter = (text: string): TagFilter => parseTag(text, "--tag");

/** A `field=value` of `--filter`, whose fields the command knows. */
export function checkFilter(text: string): string {
  if (/^[^=]+=(\.\.)?$/.test(text)) throw emptyValue(`--filter ${quote(text)}`);
  return text;
}

/** The failure of a value that would widen what is read or changed. */
export function emptyValue(flag: string): Error {
  return usageError(`${flag} has no value.`, {
    code: "usage.empty_value",
    why: "An empty string usually comes from an unset shell variable.",
    next: flag.startsWith("--") ? "Give it a value, or remove the flag." : "Give it a value.",
  });
}

/** A short, readable form of what the user typed. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 79)}…` : text);
}
