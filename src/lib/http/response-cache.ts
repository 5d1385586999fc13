import { CACHE_MAX_ENTRIES, CACHE_TTL_MS } from "../core/limits.ts";

interface Entry {
  readonly value: unknown;
  readonly expiresAt: number;
  readonly copy: (value: unknown) => unknown;
}

const same = (value: unknown): unknown => value;
const shallow = (value: unknown): unknown => ({ ...(value as object) });
const deep = (value: unknown): unknown => structuredClone(value);

/** The cheapest copy that shares nothing: most cached results are one level of texts (dictionaries). */
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
 * Results by full request text. Bounded: the least recently used entry leaves first. Expiry is looked at on the
 * entry when it is read, so no timer keeps a process alive. Every reader gets a copy of its own.
 */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;
  readonly #now: () => number;

  constructor(maxEntries: number = CACHE_MAX_ENTRIES, now: () => number = Date.now) {
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    if (entry.expiresAt <= this.#now()) {
      this.#entries.delete(key);
      return undefined;
    }
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.copy(entry.value);
  }

  set(key: string, value: unknown, ttlMs: number = CACHE_TTL_MS): void {
    if (value === undefined) return;
    const copy = copier(value);
    this.#entries.delete(key);
    this.#entries.set(key, { value: copy(value), expiresAt: this.#now() + ttlMs, copy });
    if (this.#entries.size > this.#maxEntries) this.#evict();
  }

  #evict(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      if (this.#entries.size <= this.#maxEntries) return;
    }
  }

  clear(): void {
    this.#entries.clear();
  }
}

/** The cache of the process, shared by all clients. */
export const responseCache = new ResponseCache();
