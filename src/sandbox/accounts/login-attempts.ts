import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import { refusalGaps } from "./refusal-gaps.ts";

/** Keys stored; the oldest are dropped first. */
const MAX_KEYS = 10_000;

/**
 * Failed logins by key. After `most` failures within `windowMs` of the first, a key is locked until that time is over.
 * Stored in memory: a rejected request writes nothing to the database.
 */
export class LoginAttempts {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #windowMs: number;
  readonly #known = new Map<string, { count: number; readonly endsAt: number }>();

  constructor(clock: Clock, most: number, windowMs: number) {
    this.#clock = clock;
    this.#most = most;
    this.#windowMs = windowMs;
  }

  fail(key: string): void {
    const found = this.#current(key) ?? { count: 0, endsAt: this.#clock.now() + this.#windowMs };
    found.count += 1;
    this.#known.set(key, found);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KEYS && oldest !== undefined) this.#known.delete(oldest);
  }

  /** Milliseconds until the key may be tried again; 0 when it may. */
  waitMs(key: string): number {
    const found = this.#current(key);
    return found === undefined || found.count < this.#most ? 0 : found.endsAt - this.#clock.now();
  }

  clear(key: string): void {
    this.#known.delete(key);
  }

  #current(key: string): { count: number; readonly endsAt: number } | undefined {
    const found = this.#known.get(key);
    if (found !== undefined && found.endsAt > this.#clock.now()) return found;
    this.#known.delete(key);
    return undefined;
  }
}

/** The error for a locked key. */
export function tooManyTries(waitMs: number): PlatformError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new PlatformError(429, `Too many requests (Retry-After: ${seconds})`, undefined, seconds).assumed(
    refusalGaps.wrongPasswords,
  );
}
