/** Years 0000 to 9999: what the ISO form with four digits can say. */
const EARLIEST_MS = Date.parse("0000-01-01T00:00:00.000Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const OFFSET = /^([+-])(\d{2})(?::?(\d{2}))?$/;

/** A date text taken apart. `offsetMs` is absent when the text names none. */
export interface DateTime {
  readonly wallMs: number;
  readonly dateOnly: boolean;
  readonly offsetMs?: number;
}

/** Milliseconds ahead of UTC for a timezone written as `Z`, `+02`, `+0200` or `-03:30`; `undefined` for other texts. */
export function parseOffset(text: string): number | undefined {
  if (/^z$/i.test(text)) return 0;
  const match = OFFSET.exec(text);
  if (match === null) return undefined;
  const hours = Number(match[2]);
  const minutes = Number(match[3] ?? "0");
  if (hours > 23 || minutes > 59) return undefined;
  return (match[1] === "-" ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

function utc(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Takes a date apart: ISO 8601, a plain date-time, or a date alone; `undefined` for other texts. */
export function parseDateTime(text: string): DateTime | undefined {
  const match = DATE_TIME.exec(text);
  if (match === null) return undefined;
  const dayMs = utc(Number(match[1]), Number(match[2]), Number(match[3]));
  if (dayMs === undefined) return undefined;
  if (match[4] === undefined) return { wallMs: dayMs, dateOnly: true };
  const [hours, minutes, seconds] = [Number(match[4]), Number(match[5]), Number(match[6] ?? "0")];
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  const ms = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const wallMs = dayMs + ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms;
  if (match[8] === undefined) return { wallMs, dateOnly: false };
  const offsetMs = parseOffset(match[8]);
  return offsetMs === undefined ? undefined : { wallMs, dateOnly: false, offsetMs };
}

/** The instant, where it lies in the years that ISO 8601 writes with four digits. */
export function inRange(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : undefined;
}

/** Milliseconds since 1970, as digits. */
export const instantInDigits = (text: string): number | undefined =>
  /^-?\d{1,15}$/.test(text) ? inRange(Number(text)) : undefined;
