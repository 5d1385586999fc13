import { InputError } from "./errors.ts";

/** Longest time a timer can measure, almost 25 days. */
const MAX_TIMER_MS = 2_147_483_647;

/** A time a timer can measure: `setTimeout` would take anything longer, or no number at all, for 1 ms. */
export function timerMs(ms: number): number {
  return ms > 0 ? Math.min(ms, MAX_TIMER_MS) : 0;
}

/**
 * A time in milliseconds as an option gives it. More than a timer can measure, almost 25 days, counts as that.
 *
 * @throws InputError for anything but a finite number from 0
 */
export function timeOption(value: number | undefined, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isFinite(value) && value >= 0) return timerMs(value);
  throw new InputError(`Invalid ${name}: it must be a number from 0, in milliseconds`, name);
}
