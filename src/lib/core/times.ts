import { InputError } from "./errors.ts";

/** Longest time a timer can measure, almost 25 days. */
const MAX_TIMER_MS = 2_147_483_647;

/** Clamps a delay to what `setTimeout` supports: it would treat longer delays, and NaN, as 1 ms. */
export function timerMs(ms: number): number {
  return ms > 0 ? Math.min(ms, MAX_TIMER_MS) : 0;
}

/**
 * Validates an option in milliseconds and clamps it to the longest timer, almost 25 days.
 *
 * @throws InputError for anything but a finite number from 0
 */
export function timeOption(value: number | undefined, name: string): number | undefined {
  if (value === undefined || value === null) return undefined;
  if (Number.isFinite(value) && value >= 0) return timerMs(value);
  throw new InputError(`Invalid ${name}: it must be a number from 0, in milliseconds`, name);
}
