import { keysOf } from "./paths.ts";
import type { MarkKind, Recorder } from "./readers.ts";

/** What is known about one source key. */
export interface Fate {
  /** Output paths with a value derived from the key. */
  readonly made: string[];
  /** Output paths with a copy of the whole value. */
  readonly copies: string[];
  /** Output paths with a default because the value was unusable. */
  readonly defaults: string[];
  /** What changed about a mapped value. */
  note?: string;
  /** Why the key was dropped. */
  reason?: string;
}

/** A value in the output, with the fate of the key it came from. */
class Mark {
  readonly value: unknown;
  readonly kind: MarkKind;
  readonly fate: Fate;
  constructor(value: unknown, kind: MarkKind, fate: Fate) {
    this.value = value;
    this.kind = kind;
    this.fate = fate;
  }
}

/**
 * Records where every value of an output came from. While it is active, the readers write marks instead of plain
 * values; `settle` replaces the marks by their values and records their paths. The rules are unaware of it.
 */
export class Provenance implements Recorder {
  readonly #fates = new Map<object, Map<string, Fate>>();
  readonly #tables = new Map<object, string>();

  mark(from: object, key: PropertyKey, value: unknown, kind: MarkKind, note?: string): unknown {
    if (value === undefined) return undefined;
    const fate = this.#fateFor(from, key);
    if (note !== undefined) fate.note = note;
    return new Mark(value, kind, fate);
  }

  drop(from: object, key: PropertyKey, reason: string): void {
    this.#fateFor(from, key).reason = reason;
  }

  table(table: object, reason: string): void {
    this.#tables.set(table, reason);
  }

  #fateFor(from: object, key: PropertyKey): Fate {
    const name = String(key);
    const keys = this.#fates.get(from) ?? new Map<string, Fate>();
    const fate = keys.get(name) ?? { made: [], copies: [], defaults: [] };
    this.#fates.set(from, keys.set(name, fate));
    return fate;
  }

  /** The fate of a key; undefined if it was not read. */
  fate(from: object, key: string): Fate | undefined {
    return this.#fates.get(from)?.get(key);
  }

  /** Why an unread key of this table was not needed; undefined if it is not a table. */
  unusedIn(table: object): string | undefined {
    return this.#tables.get(table);
  }

  /** True if a key of this object was read. */
  wasRead(value: object): boolean {
    return this.#fates.has(value) || this.#tables.has(value);
  }
}

/** Replaces the marks in an output by their values and records their paths. */
export function settle(value: unknown, path: string): unknown {
  if (value instanceof Mark) {
    const { fate, kind } = value;
    if (kind === "copy") {
      fate.copies.push(path);
      return value.value;
    }
    (kind === "made" ? fate.made : fate.defaults).push(path);
    return settle(value.value, path);
  }
  if (typeof value === "object" && value !== null) {
    const fields = value as Record<string, unknown>;
    for (const [key, below] of keysOf(value, path)) fields[key] = settle(fields[key], below);
  }
  return value;
}

/** The value without its marks. */
export function unmarked(value: unknown): unknown {
  return value instanceof Mark ? unmarked(value.value) : value;
}

/** True for a value that was copied as a whole, so nothing inside it is marked. */
export function isWholeCopy(value: unknown): boolean {
  return value instanceof Mark && (value.kind === "copy" || isWholeCopy(value.value));
}

/** Records for every mark in a value why the value is replaced. */
export function overrule(value: unknown, reason: string): void {
  if (value instanceof Mark) {
    value.fate.reason = reason;
    if (value.kind !== "copy") overrule(value.value, reason);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) overrule(item, reason);
}
