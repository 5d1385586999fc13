import { type Duration, parseDuration } from "../core/duration.ts";
import { PlatformError } from "../core/platform-error.ts";

const MINUTE_MS = 60_000;

/** Shortest length of a duration, in milliseconds. */
function shortestMs({ amount, unit }: Duration): number {
  const unitMs = {
    millisecond: 1,
    second: 1_000,
    minute: MINUTE_MS,
    hour: 3_600_000,
    day: 86_400_000,
    month: 28 * 86_400_000,
  };
  return amount * unitMs[unit];
}

/** The interval of an action; `undefined` for none, `never` and less than a minute. */
export function intervalOf(text: unknown): Duration | undefined {
  if (typeof text !== "string") return undefined;
  const duration = parseDuration(text);
  return duration !== undefined && shortestMs(duration) >= MINUTE_MS ? duration : undefined;
}

/** Rejects an interval that is invalid or shorter than a minute. */
export function checkInterval(text: unknown): void {
  if (text === undefined || text === null || text === "" || text === "never") return;
  if (intervalOf(text) === undefined) throw new PlatformError(400, "Invalid interval");
}
