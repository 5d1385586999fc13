import { CACHE_TTL_MS } from "../core/limits.ts";
import { responseCache } from "./response-cache.ts";

/** What a cached result is known by: any description of the request that can be written as JSON. */
export type CacheRequest = Readonly<Record<string, unknown>>;

/** A text that differs whenever the request does, whatever the order of its members. */
function keyOf(request: CacheRequest): string {
  const ordered = (_name: string, value: unknown): unknown => {
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return `own ${JSON.stringify(request, ordered)}`;
}

/**
 * Keeps a copy of a value for a while.
 *
 * @param request what the value is known by; the order of its members does not matter
 * @param ttlMS how long, milliseconds. @default 5000
 * @example
 * ```ts
 * Cache.addCache({ report: "daily", day: "2026-11-20" }, { total: 3 }, 60_000);
 * ```
 */
function addCache(request: CacheRequest, value: unknown, ttlMS: number = CACHE_TTL_MS): void {
  responseCache.set(keyOf(request), value, ttlMS);
}

/**
 * Gives a copy of the value kept for a request; undefined when there is none or its time is over.
 *
 * @example
 * ```ts
 * const report = Cache.getCache({ report: "daily", day: "2026-11-20" });
 * ```
 */
function getCache(request: CacheRequest): unknown {
  return responseCache.get(keyOf(request));
}

/**
 * Forgets everything that is kept, replies of the platform included.
 *
 * @example
 * ```ts
 * Cache.clearCache();
 * ```
 */
function clearCache(): void {
  responseCache.clear();
}

/**
 * The response cache of the process: `addCache(request, value, ttlMS = 5000)`, `getCache(request)` (undefined when
 * nothing valid is there) and `clearCache()`. At most 10,000 entries; values are copied in and out.
 */
export const Cache = { addCache, getCache, clearCache };
