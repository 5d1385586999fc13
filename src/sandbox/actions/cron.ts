import { Cron } from "croner";
import { parseOffset } from "../../lib/core/date-text.ts";

/** The next date after another at which an expression is due; `undefined` when there is none (30 February). */
export type NextMoment = (afterMs: number) => number | undefined;

const VALUE = "(?:\\d{1,2}|[a-z]{3})";
const PART = `(?:\\*|${VALUE}(?:-${VALUE})?)(?:/\\d{1,2})?`;
/** Standard cron syntax: croner alone would also accept nicknames, `?`, `L`, `W`, `#` and `+`. */
const FIELD = new RegExp(`^${PART}(?:,${PART})*$`, "i");

/**
 * Parses minute, hour, day, month and weekday; `undefined` for an invalid expression. Fixed times that are skipped when
 * clocks change are due right after the change, repeated ones once.
 *
 * @param timezone must be valid
 */
export function parseCron(text: string, timezone = "UTC"): NextMoment | undefined {
  const fields = text.trim().split(/\s+/);
  if (!fields.every((field) => FIELD.test(field))) return undefined;
  // The sandbox accepts larger offsets from UTC than croner does.
  const offsetMs = parseOffset(timezone);
  try {
    const cron = new Cron(fields.join(" "), {
      mode: "5-part",
      timezone: offsetMs === undefined ? timezone : "UTC",
      sloppyRanges: true,
      fixedTimeRule: "no-wildcard",
      // If both days are restricted, either one is enough; a step over all days is not a restriction.
      domAndDow: [fields[2], fields[4]].some((field) => field?.startsWith("*")),
    });
    return (afterMs) => {
      const next = cron.nextRun(new Date(afterMs + (offsetMs ?? 0)))?.getTime();
      return next === undefined ? undefined : next - (offsetMs ?? 0);
    };
  } catch {
    return undefined;
  }
}
