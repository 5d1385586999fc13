import { keysOf } from "./paths.ts";
import type { MarkKind, Recorder } from "./readers.ts";

/** What is known about one source key. */
export interface Fate {
  /** Output paths whose value was made from the key. */
  readonly made: string[];
  /** Output paths that hold a copy of the key's whole value. */
  readonly copies: string[];
  /** Output paths where a default stands because the key's value was of no use. */
  readonly defaults: string[];
  /** Something worth knowing about a mapped value. */
  note?: string;
  /** Why nothing remains. */
  reason?: string;
}

/** A value on its way into the output, with the fate of the key it came from. */
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
 * Records where every value of an output came from. While it listens, the readers put marks into the output instead
 * of bare values; `settle` takes them out again and notes at which path each one stood. The rules know nothing of it.
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

  /** The fate of a key, undefined when nothing looked at it. */
  fate(from: object, key: string): Fate | undefined {
    return this.#fates.get(from)?.get(key);
  }

  /** Why an unread key of this table was not needed; undefined when it is no such table. */
  unusedIn(table: object): string | undefined {
    return this.#tables.get(table);
  }

  /** True when a key of this object was read. */
  wasRead(value: object): boolean {
    return this.#fates.has(value) || this.#tables.has(value);
  }
}

/** Takes the marks out of an output, noting the path where each one stood. */
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

/** The value under any marks, and the marks' kind nearest to it. */
export function unmarked(value: unknown): unknown {
  return value instanceof Mark ? unmarked(value.value) : value;
}

/** True for a value that was copied as a whole, so that nothing inside it carries marks. */
export function isWholeCopy(value: unknown): boolean {
  return value instanceof Mark && (value.kind === "copy" || isWholeCopy(value.value));
}

/** Notes on every mark inside a value that is about to be replaced why it will not be seen. */
export function overrule(value: unknown, reason: string): void {
  if (value instanceof Mark) {
    value.fate.reason = reason;
    if (value.kind !== "copy") overrule(value.value, reason);
    return;
  }
  if (typeof value !== "object" || value === null) return;
  for (const item of Object.values(value)) overrule(item, reason);
}
