import { SdkError } from "../core/errors.ts";
import { CACHE_MAX_ENTRIES, CACHE_TTL_MS } from "../core/limits.ts";

interface CacheEntry {
  readonly value: unknown;
  readonly expiresAt: number;
  readonly copy: (value: unknown) => unknown;
}

const same = (value: unknown): unknown => value;
const shallow = (value: unknown): unknown => ({ ...(value as object) });
function deep(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch (cause) {
    const error = new SdkError("The result cannot be copied: it is nested too deeply, or holds functions");
    error.cause = cause;
    throw error;
  }
}

/** The cheapest copy that shares nothing: most cached results are flat objects of strings (dictionaries). */
function copier(value: unknown): (value: unknown) => unknown {
  if (typeof value !== "object" || value === null) return same;
  if (Array.isArray(value)) return deep;
  const isFlat = Object.values(value).every((member) => typeof member !== "object" || member === null);
  return isFlat && Object.getPrototypeOf(value) === Object.prototype ? shallow : deep;
}

/** A copy that shares nothing with the value. */
export function copyOf(value: unknown): unknown {
  return copier(value)(value);
}

/**
 * Results by the full text of the request. Bounded: the least recently used entry leaves first, which is the first of the Map,
 * since every hit moves its entry to the end. Expiry is looked at when an entry is read, so no timer keeps a process
 * alive. Every reader gets a copy.
 */
export class ResponseCache {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #maxEntries: number;
  readonly #now: () => number;

  constructor(maxEntries: number = CACHE_MAX_ENTRIES, now: () => number = () => Date.now()) {
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  /** Incremented by `clear`. */
  generation = 0;

  get size(): number {
    return this.#entries.size;
  }

  /** A copy of the value; undefined when there is none or it has expired. */
  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    // A NaN TTL must not make an entry permanent.
    if (!(entry.expiresAt > this.#now())) return undefined;
    this.#entries.set(key, entry);
    return entry.copy(entry.value);
  }

  set(key: string, value: unknown, ttlMs: number = CACHE_TTL_MS): void {
    if (value === undefined) return;
    const copy = copier(value);
    this.#entries.delete(key);
    this.#entries.set(key, { value: copy(value), expiresAt: this.#now() + ttlMs, copy });
    if (this.#entries.size <= this.#maxEntries) return;
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  clear(): void {
    this.generation += 1;
    this.#entries.clear();
  }
}

/** The cache of the process, shared by all clients. */
export const responseCache = new ResponseCache();

/** Clears the cache after a write, even a failed one: it may have been carried out. */
export function clearCacheAfter<Result>(write: Promise<Result>): Promise<Result> {
  return write.finally(() => responseCache.clear());
}
