/** Years 0000 to 9999: what the ISO form with four digits can say. */
const EARLIEST_MS = Date.parse("0000-01-01T00:00:00.000Z");
const LATEST_MS = Date.parse("9999-12-31T23:59:59.999Z");

const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;
const OFFSET = /^([+-])(\d{2})(?::?(\d{2}))?$/;

/** A date text taken apart. `offsetMs` is absent when the text names none. */
interface DateTime {
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

function parseDateTime(text: string): DateTime | undefined {
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

const formats = new Map<string, Intl.DateTimeFormat>();
const MAX_FORMATS = 500;

function formatFor(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: timezone,
    hourCycle: "h23",
    era: "short",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  if (formats.size >= MAX_FORMATS) formats.clear();
  formats.set(timezone, format);
  return format;
}

/** Milliseconds the clocks of a timezone are ahead of UTC at an instant. */
function offsetAt(instantMs: number, timezone: string): number {
  const fixed = parseOffset(timezone);
  if (fixed !== undefined) return fixed;
  const part: Record<string, string> = {};
  for (const { type, value } of formatFor(timezone).formatToParts(instantMs)) part[type] = value;
  const year = part["era"] === "BC" ? 1 - Number(part["year"]) : Number(part["year"]);
  const date = new Date(0);
  date.setUTCFullYear(year, Number(part["month"]) - 1, Number(part["day"]));
  date.setUTCHours(Number(part["hour"]), Number(part["minute"]), Number(part["second"]));
  return date.getTime() - Math.floor(instantMs / 1000) * 1000;
}

/** The instant at which the clocks of a timezone show `wallMs`; in a gap, the instant as far after its start. */
function fromWall(wallMs: number, timezone: string): number {
  const before = offsetAt(wallMs - 86_400_000, timezone);
  const instant = wallMs - before;
  if (offsetAt(instant, timezone) === before) return instant;
  const after = wallMs - offsetAt(wallMs + 86_400_000, timezone);
  return offsetAt(after, timezone) === wallMs - after ? after : instant;
}

export function isTimezone(timezone: string): boolean {
  if (parseOffset(timezone) !== undefined) return true;
  try {
    formatFor(timezone);
    return true;
  } catch {
    return false;
  }
}

function inRange(ms: number | undefined): number | undefined {
  return ms !== undefined && ms >= EARLIEST_MS && ms <= LATEST_MS ? ms : undefined;
}

/**
 * Reads an absolute date: ISO 8601, plain date-time, date only, or epoch milliseconds as digits (QUERY.md 3.1).
 *
 * @param edge what a date without a time means: the first or the last instant of that day
 * @param timezone for texts without an offset; default UTC. Must be valid
 * @returns epoch milliseconds, or `undefined` when the text is none of these
 */
export function parseInstant(text: string, edge: "start" | "end" = "start", timezone = "UTC"): number | undefined {
  if (/^-?\d{1,15}$/.test(text)) return inRange(Number(text));
  const date = parseDateTime(text);
  if (date === undefined) return undefined;
  if (date.offsetMs !== undefined) return inRange(date.wallMs - date.offsetMs);
  if (!date.dateOnly || edge === "start") return inRange(fromWall(date.wallMs, timezone));
  return inRange(fromWall(date.wallMs + 86_400_000, timezone) - 1);
}

/** Reads the time of a written row: a text as above, or epoch milliseconds as a number. */
export function parseRowTime(value: unknown): number | undefined {
  if (typeof value === "number") return inRange(Number.isFinite(value) ? Math.floor(value) : undefined);
  return typeof value === "string" ? parseInstant(value.trim()) : undefined;
}
