import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { EntityDocument } from "../store/document.ts";
import { sqlGaps } from "./refusals.ts";
import type { SqlResult } from "./run.ts";

const MINUTE_MS = 60_000;
/** Results cached; the oldest are removed first. */
const MAX_CACHED = 100;

interface Cached {
  readonly result: SqlResult;
  readonly fromMs: number;
  readonly untilMs: number;
}

/** Cached results of stored queries, and their runs of the current minute. */
export class SqlResults {
  readonly #clock: Clock;
  readonly #cached = new Map<string, Cached>();
  #minute = -1;
  readonly #runs = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns a cached result, or runs the query within its rate.
   *
   * @param key everything the result depends on besides the query; undefined neither reads nor writes the cache
   */
  async read(document: EntityDocument, key: string | undefined, run: () => Promise<SqlResult>): Promise<SqlResult> {
    const { cache_enabled: isOn, cache_ttl_seconds: seconds, cache_version: version } = document;
    const isCached = key !== undefined && isOn === true && typeof seconds === "number" && seconds > 0;
    const whole = JSON.stringify([document.id, version, key]);
    const known = isCached ? this.#cached.get(whole) : undefined;
    const nowMs = this.#clock.now();
    if (known !== undefined && nowMs >= known.fromMs && nowMs < known.untilMs) {
      return { ...known.result, served_from_cache: true };
    }
    this.#countRun(document);
    const result = await run();
    if (isCached) this.#store(whole, { result, fromMs: nowMs, untilMs: nowMs + seconds * 1_000 });
    return result;
  }

  #store(key: string, cached: Cached): void {
    this.#cached.delete(key);
    this.#cached.set(key, cached);
    for (const oldest of this.#cached.keys()) {
      if (this.#cached.size <= MAX_CACHED) break;
      this.#cached.delete(oldest);
    }
  }

  #countRun({ id, rate_limit_rpm: most }: EntityDocument): void {
    if (typeof most !== "number") return;
    const nowMs = this.#clock.now();
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute !== this.#minute) this.#runs.clear();
    this.#minute = minute;
    const runs = this.#runs.get(id) ?? 0;
    if (runs >= most) {
      const seconds = Math.ceil((MINUTE_MS - (nowMs % MINUTE_MS)) / 1_000);
      const text = `Too many requests (Retry-After: ${seconds})`;
      throw new PlatformError(429, text, undefined, seconds).assumed(sqlGaps.rate);
    }
    this.#runs.set(id, runs + 1);
  }
}
