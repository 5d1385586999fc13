import { inRange, instantInDigits, parseDateTime, parseOffset } from "../../lib/core/date-text.ts";

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

/** Offset of a timezone from UTC at a given time, in milliseconds. */
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

/** The time at which clocks of a timezone show `wallMs`; in a gap, as far after the start of the gap. */
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

/**
 * Parses an absolute date: ISO 8601, plain date-time, date only, or epoch milliseconds as digits.
 *
 * @param edge meaning of a date without a time: start or end of that day
 * @param timezone for strings without an offset; default UTC. Must be valid
 * @returns epoch milliseconds, or `undefined` for an invalid date
 */
export function parseInstant(text: string, edge: "start" | "end" = "start", timezone = "UTC"): number | undefined {
  const digits = instantInDigits(text);
  if (digits !== undefined) return digits;
  const date = parseDateTime(text);
  if (date === undefined) return undefined;
  if (date.offsetMs !== undefined) return inRange(date.wallMs - date.offsetMs);
  if (!date.dateOnly || edge === "start") return inRange(fromWall(date.wallMs, timezone));
  return inRange(fromWall(date.wallMs + 86_400_000, timezone) - 1);
}
