import { Cron } from "croner";
import { parseOffset } from "../../lib/core/date-text.ts";

/** The first moment after another at which an expression is due; `undefined` when it never is again (30 February). */
export type NextMoment = (afterMs: number) => number | undefined;

const VALUE = "(?:\\d{1,2}|[a-z]{3})";
const PART = `(?:\\*|${VALUE}(?:-${VALUE})?)(?:/\\d{1,2})?`;
/** What every cron knows: croner alone would read nicknames, `?`, `L`, `W`, `#` and `+`, too. */
const FIELD = new RegExp(`^${PART}(?:,${PART})*$`, "i");

/**
 * Reads minute, hour, day, month and weekday; `undefined` when the text is no such expression. Fixed times that a change
 * of the clocks skips are due right after it, repeated ones once.
 *
 * @param timezone must be valid
 */
export function parseCron(text: string, timezone = "UTC"): NextMoment | undefined {
  const fields = text.trim().split(/\s+/);
  if (!fields.every((field) => FIELD.test(field))) return undefined;
  // Offsets from UTC are wider here than in croner.
  const offsetMs = parseOffset(timezone);
  try {
    const cron = new Cron(fields.join(" "), {
      mode: "5-part",
      timezone: offsetMs === undefined ? timezone : "UTC",
      sloppyRanges: true,
      fixedTimeRule: "no-wildcard",
      // With both days restricted, one of them is enough; a step over all days is no restriction.
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
