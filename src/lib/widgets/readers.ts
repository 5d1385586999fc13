import { harmless } from "./harmless.ts";

/** A value of unknown shape whose keys can be read. */
export type Source = Readonly<Record<PropertyKey, unknown>>;
/** An object being built. Its values are plain JSON, or marks while a recorder is active. */
export type Out = Record<string, unknown>;

/** Records which source key every output value came from. Only active while a report is created. */
export interface Recorder {
  /** Marks a value as derived from `from[key]`. */
  mark(from: object, key: PropertyKey, value: unknown, kind: MarkKind, note?: string): unknown;
  /** Records why a key that was read is dropped. */
  drop(from: object, key: PropertyKey, reason: string): void;
  /** Records that the keys of this table are variables, origins or cells. */
  table(table: object, reason: string): void;
}

/** `made`: computed from the value. `copy`: the whole value. `default`: the value was unusable, so a default is used. */
export type MarkKind = "made" | "copy" | "default";

// Not passed to every reader, because conversion is synchronous and an unset variable costs nothing.
let recorder: Recorder | undefined;

/** Runs `make` and reports every read to `active`. */
export function recording<T>(active: Recorder, make: () => T): T {
  const before = recorder;
  recorder = active;
  try {
    return make();
  } finally {
    recorder = before;
  }
}

/** True for everything whose keys can be read, lists included. */
export function isSource(value: unknown): value is Source {
  return typeof value === "object" && value !== null;
}

export const EMPTY: Source = Object.freeze({});

/** The value if it is an object, else `{}`. */
export function record(value: unknown): Source {
  return isSource(value) ? value : EMPTY;
}

/** The value if it is a list, else `[]`. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The value of an own key, never an inherited one: keys often come from the data itself. Checking first is also much
 * faster for missing keys, since no two widgets have the same shape.
 */
export function get(from: Source | undefined, key: PropertyKey): unknown {
  return from !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
}

/** A table of `display` with keys from the data, such as `vars_labels`; undefined if missing. */
export function table(d: Source, name: string, unused: string = harmless.hiddenVariable): Source | undefined {
  const value = get(d, name);
  if (!isSource(value)) return undefined;
  recorder?.table(value, unused);
  return value;
}

const PLAIN_DEPTH = 8;

/** A deep copy that shares nothing with the value, at any depth and with any key. */
export function copy(value: unknown): unknown {
  return typeof value === "object" && value !== null ? copyObject(value, PLAIN_DEPTH) : value;
}

function copyObject(value: object, levels: number): object {
  if (levels === 0) return copyWithoutRecursion(value);
  if (!Array.isArray(value)) return copyFields(value as Source, levels);
  const items: unknown[] = value.slice();
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    if (typeof item === "object" && item !== null) items[i] = copyObject(item, levels - 1);
  }
  return items;
}

function copyFields(value: Source, levels: number): object {
  const fields: Out = {};
  let isEmpty = true;
  for (const key in value) {
    const item = value[key];
    const made = typeof item === "object" && item !== null ? copyObject(item, levels - 1) : item;
    isEmpty = false;
    if (key === "__proto__") setOwn(fields, key, made);
    else fields[key] = made;
  }
  return isEmpty ? shallow(value) : fields;
}

function shallow(value: object): object {
  if (Array.isArray(value)) return value.slice();
  return value instanceof Date ? new Date(value) : { ...value };
}

// Deep values must not exhaust the stack, and circular values must terminate.
function copyWithoutRecursion(value: object): object {
  const copies = new Map<object, object>();
  const open: object[] = [];
  const copyOnce = (original: object): object => {
    const known = copies.get(original);
    if (known !== undefined) return known;
    const made = shallow(original);
    copies.set(original, made);
    open.push(made);
    return made;
  };
  const root = copyOnce(value);
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const fields = next as Out;
    for (const key of Object.keys(fields)) {
      const item = fields[key];
      if (typeof item === "object" && item !== null) fields[key] = copyOnce(item);
    }
  }
  return root;
}

/** `value`, recorded as derived from `from[key]`. */
export function derived(from: object, key: PropertyKey, value: unknown, note?: string): unknown {
  return recorder === undefined ? value : recorder.mark(from, key, value, "made", note);
}

function copyOf(from: Source, key: PropertyKey, value: unknown): unknown {
  const made = typeof value === "object" && value !== null ? copyObject(value, PLAIN_DEPTH) : value;
  return recorder === undefined ? made : recorder.mark(from, key, made, "copy");
}

/** A copy of `from[key]`; undefined if missing. */
export function copied(from: Source, key: PropertyKey): unknown {
  return copyOf(from, key, get(from, key));
}

/** Copies of the items of a list, recorded one by one. */
export function copiedItems(items: unknown): unknown[] {
  const from = list(items) as readonly unknown[] & Source;
  return from.map((item, i) => copyOf(from, i, item));
}

/** A copy of `from[key]` if truthy, else the default. */
export function copyOr(from: Source, key: string, defaultValue: unknown): unknown {
  const value = get(from, key);
  return value ? copyOf(from, key, value) : fallback(from, key, defaultValue);
}

/** Like `copyOr`, but 0 counts as a value. */
export function copyNumberOr(from: Source, key: string, defaultValue: unknown): unknown {
  const value = get(from, key);
  return value || value === 0 ? copyOf(from, key, value) : fallback(from, key, defaultValue);
}

/** The default, recorded as the replacement of an unusable `from[key]`. */
export function fallback(from: Source, key: string, defaultValue: unknown): unknown {
  const value = recorder === undefined ? undefined : get(from, key);
  if (recorder === undefined || value === undefined) return defaultValue;
  return recorder.mark(from, key, defaultValue, Object.is(value, defaultValue) ? "made" : "default");
}

/** `from[key]` as a boolean. */
export function flag(from: Source, key: string): unknown {
  return derived(from, key, Boolean(get(from, key)));
}

/** The opposite of `flag`. */
export function not(from: Source, key: string): unknown {
  return derived(from, key, !get(from, key));
}

/** A copy of a table entry if truthy, else undefined. */
export function entry(from: Source | undefined, key: string): unknown {
  const value = get(from, key);
  return from !== undefined && value ? copyOf(from, key, value) : undefined;
}

/** Like `entry`, with a default. */
export function entryOr(from: Source | undefined, key: string, defaultValue: unknown): unknown {
  return entry(from, key) ?? (from === undefined ? defaultValue : fallback(from, key, defaultValue));
}

/** Records why `from[key]` is dropped. */
export function drop(from: object, key: PropertyKey, reason: string): void {
  recorder?.drop(from, key, reason);
}

/** Sets a key unless the value is undefined, so a missing old key stays missing. */
export function set(out: Out, key: string, value: unknown): void {
  if (value !== undefined) out[key] = value;
}

/** Like `set`, for keys from the data: `__proto__` becomes an ordinary key. */
export function setOwn(out: Out, key: string, value: unknown): void {
  if (value === undefined) return;
  if (key === "__proto__")
    Object.defineProperty(out, key, { value, writable: true, enumerable: true, configurable: true });
  else out[key] = value;
}

/** The value as part of a key such as origin + variable. */
export function text(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? "[object Object]" : String(value);
}

export function decimalsIn(pattern: unknown): number {
  const digits = typeof pattern === "string" ? (/\.(\d{1,10}|#{1,10})/.exec(pattern)?.[1]?.length ?? 0) : 0;
  return digits === 0 ? -1 : digits;
}
