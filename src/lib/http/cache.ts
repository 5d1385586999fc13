import { CACHE_TTL_MS } from "../core/limits.ts";
import { responseCache } from "./response-cache.ts";

/** Identifies a cached result: any description of the request that can be written as JSON. */
export type CacheRequest = object;

/** A key that differs whenever the request does, whatever the order of its properties. */
function keyOf(request: CacheRequest): string {
  const ordered = (_name: string, value: unknown): unknown => {
    if (typeof value === "bigint") return `${value}n`;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return `own ${JSON.stringify(request, ordered)}`;
}

/**
 * Stores a copy of a value for a limited time.
 *
 * @param request identifies the value; the order of its properties does not matter
 * @param ttlMS time to live, milliseconds. @default 5000
 * @example
 * ```ts
 * Cache.addCache({ report: "daily", day: "2026-11-20" }, { total: 3 }, 60_000);
 * ```
 */
function addCache(request: CacheRequest, value: unknown, ttlMS: number = CACHE_TTL_MS): void {
  responseCache.set(keyOf(request), value, ttlMS);
}

/**
 * Returns a copy of the value stored for a request; undefined when there is none or it has expired.
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
 * Removes all stored values, responses of the platform included.
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
 * nothing valid is stored) and `clearCache()`. At most 10,000 entries; values are copied in and out.
 */
export const Cache = { addCache, getCache, clearCache };
