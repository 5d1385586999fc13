import { CACHE_TTL_MS } from "../core/limits.ts";
import { responseCache } from "./response-cache.ts";

/** What a cached result is known by: any description of the request that can be written as JSON. */
export type CacheRequest = Readonly<Record<string, unknown>>;

/** A text that differs whenever the request does, whatever the order of its members. */
function keyOf(request: CacheRequest): string {
  const ordered = (_name: string, value: unknown): unknown => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  };
  return `own ${JSON.stringify(request, ordered)}`;
}

function addCache(request: CacheRequest, value: unknown, ttlMS: number = CACHE_TTL_MS): void {
  responseCache.set(keyOf(request), value, ttlMS);
}

function getCache(request: CacheRequest): unknown {
  return responseCache.get(keyOf(request));
}

function clearCache(): void {
  responseCache.clear();
}

/**
 * The response cache of the process: `addCache(request, value, ttlMS = 5000)`, `getCache(request)` (undefined when
 * nothing valid is there) and `clearCache()`. At most 10,000 entries; values are copied in and out.
 */
export const Cache = { addCache, getCache, clearCache };
