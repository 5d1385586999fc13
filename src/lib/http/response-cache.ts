import { SdkError } from "../core/errors.ts";
import { CACHE_MAX_ENTRIES, CACHE_TTL_MS } from "../core/limits.ts";

/** A cached result. */
export interface CacheEntry {
  readonly key: string;
  readonly value: unknown;
  readonly expiresAt: number;
  readonly copy: (value: unknown) => unknown;
  /** Place of its last use in the list of uses; below 0 once it is out of the cache. */
  lastUse: number;
}

/** Uses that are noted before any is forgotten. */
const SPARE_USES = 64;

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
 * Uses are noted one after the other in a list, in which only an entry's last one counts: a hit then writes to two places,
 * where moving the entry within an order would touch its neighbours, which are rarely in the processor's cache.
 */
export class ResponseCache {
  readonly #entries = new Map<string, CacheEntry>();
  readonly #maxEntries: number;
  readonly #now: () => number;
  #uses: CacheEntry[] = [];
  /** Where the oldest use that may still count stands. */
  #firstUse = 0;

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
    return entry === undefined ? undefined : this.read(entry);
  }

  /** The entry under a key, for readers that come back: `read` takes it without looking the key up. */
  entry(key: string): CacheEntry | undefined {
    return this.#entries.get(key);
  }

  /** A copy of an entry's value; undefined when its time is over or it left the cache. */
  read(entry: CacheEntry): unknown {
    if (entry.lastUse < 0) return undefined;
    // A time that is no number must not become for ever.
    if (!(entry.expiresAt > this.#now())) {
      this.#remove(entry);
      return undefined;
    }
    this.#use(entry);
    return entry.copy(entry.value);
  }

  set(key: string, value: unknown, ttlMs: number = CACHE_TTL_MS): void {
    if (value === undefined) return;
    const known = this.#entries.get(key);
    if (known !== undefined) this.#remove(known);
    const copy = copier(value);
    const entry: CacheEntry = { key, value: copy(value), expiresAt: this.#now() + ttlMs, copy, lastUse: 0 };
    this.#entries.set(key, entry);
    this.#use(entry);
    if (this.#entries.size > this.#maxEntries) this.#removeOldest();
  }

  clear(): void {
    this.generation += 1;
    for (const entry of this.#entries.values()) entry.lastUse = -1;
    this.#entries.clear();
    this.#uses = [];
    this.#firstUse = 0;
  }

  #remove(entry: CacheEntry): void {
    this.#entries.delete(entry.key);
    entry.lastUse = -1;
  }

  #removeOldest(): void {
    for (; this.#firstUse < this.#uses.length; this.#firstUse += 1) {
      const entry = this.#uses[this.#firstUse];
      if (entry?.lastUse !== this.#firstUse) continue;
      this.#remove(entry);
      return;
    }
  }

  #use(entry: CacheEntry): void {
    if (entry === this.#uses[this.#uses.length - 1]) return;
    if (this.#uses.length >= SPARE_USES + 4 * this.#entries.size) this.#forgetUses();
    entry.lastUse = this.#uses.length;
    this.#uses.push(entry);
  }

  /** Drops the uses that later ones have made meaningless. */
  #forgetUses(): void {
    this.#uses = this.#uses.filter((entry, at) => entry.lastUse === at);
    for (const [at, entry] of this.#uses.entries()) entry.lastUse = at;
    this.#firstUse = 0;
  }
}

/** The cache of the process, shared by all clients. */
export const responseCache = new ResponseCache();

/** Waits for a write and clears the cache. A failed write may have been carried out all the same. */
export function clearing<Result>(write: Promise<Result>): Promise<Result> {
  return write.finally(() => responseCache.clear());
}
