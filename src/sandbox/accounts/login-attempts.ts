import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import { refusalGaps } from "./refusal-gaps.ts";

/** Counts what went wrong, by key, so that guessing comes to an end. Kept in memory: a refused request stores nothing. */
export interface Tries {
  fail(key: string): void;
  /** Milliseconds until the key may be tried again; 0 when it may. */
  waitMs(key: string): number;
  clear(key: string): void;
}

/** Keys remembered; the oldest are forgotten first. */
const MAX_KEYS = 10_000;

/** After `most` failures within `windowMs` of the first one, a key is locked until that time is over. */
export function createTries(clock: Clock, most: number, windowMs: number): Tries {
  const known = new Map<string, { count: number; readonly endsAt: number }>();
  const current = (key: string): { count: number; readonly endsAt: number } | undefined => {
    const found = known.get(key);
    if (found !== undefined && found.endsAt > clock.now()) return found;
    known.delete(key);
    return undefined;
  };
  return {
    fail: (key) => {
      const found = current(key) ?? { count: 0, endsAt: clock.now() + windowMs };
      found.count += 1;
      known.set(key, found);
      const [oldest] = known.keys();
      if (known.size > MAX_KEYS && oldest !== undefined) known.delete(oldest);
    },
    waitMs: (key) => {
      const found = current(key);
      return found === undefined || found.count < most ? 0 : found.endsAt - clock.now();
    },
    clear: (key) => {
      known.delete(key);
    },
  };
}

/** The refusal of a key that is locked. */
export function tooManyTries(waitMs: number): PlatformError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new PlatformError(429, `Too many requests (Retry-After: ${seconds})`, undefined, seconds).assumed(
    refusalGaps.wrongPasswords,
  );
}
