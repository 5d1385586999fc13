import { CACHE_MAX_ENTRIES, CACHE_TTL_MS } from "../core/limits.ts";

/** A cached result, and its neighbours in the order of use. */
interface Entry {
  readonly key: string;
  value: unknown;
  expiresAt: number;
  copy: (value: unknown) => unknown;
  newer: Entry | undefined;
  older: Entry | undefined;
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
 *
 * The order of use is a linked list: putting a key back into the Map on each hit would double the cost of a hit.
 */
export class ResponseCache {
  readonly #entries = new Map<string, Entry>();
  readonly #maxEntries: number;
  readonly #now: () => number;
  #newest: Entry | undefined;
  #oldest: Entry | undefined;

  constructor(maxEntries: number = CACHE_MAX_ENTRIES, now: () => number = () => Date.now()) {
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  /** Grows with every `clear`. */
  generation = 0;

  get size(): number {
    return this.#entries.size;
  }

  get(key: string): unknown {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    // A time that is no number must not become for ever.
    if (!(entry.expiresAt > this.#now())) {
      this.#remove(entry);
      return undefined;
    }
    if (entry !== this.#newest) {
      this.#unlink(entry);
      this.#link(entry);
    }
    return entry.copy(entry.value);
  }

  set(key: string, value: unknown, ttlMs: number = CACHE_TTL_MS): void {
    if (value === undefined) return;
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(known);
    const copy = copier(value);
    const expiresAt = this.#now() + ttlMs;
    const entry: Entry = { key, value: copy(value), expiresAt, copy, newer: undefined, older: undefined };
    this.#entries.set(key, entry);
    this.#link(entry);
    if (this.#entries.size > this.#maxEntries && this.#oldest !== undefined) this.#remove(this.#oldest);
  }

  clear(): void {
    this.generation += 1;
    this.#entries.clear();
    this.#newest = undefined;
    this.#oldest = undefined;
  }

  #remove(entry: Entry): void {
    this.#entries.delete(entry.key);
    this.#unlink(entry);
  }

  #link(entry: Entry): void {
    entry.older = this.#newest;
    entry.newer = undefined;
    if (this.#newest !== undefined) this.#newest.newer = entry;
    this.#newest = entry;
    this.#oldest ??= entry;
  }

  #unlink(entry: Entry): void {
    if (entry.newer === undefined) this.#newest = entry.older;
    else entry.newer.older = entry.older;
    if (entry.older === undefined) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
  }
}

/** The cache of the process, shared by all clients. */
export const responseCache = new ResponseCache();

/** Waits for a write and clears the cache. A failed write may have been carried out all the same. */
export function clearing<Result>(write: Promise<Result>): Promise<Result> {
  return write.finally(() => responseCache.clear());
}
