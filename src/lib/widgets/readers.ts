/** A value of unknown shape whose keys can be read. */
export type Source = Readonly<Record<PropertyKey, unknown>>;
/** An object under construction. Its values are plain JSON, or marks while a recorder is set. */
export type Out = Record<string, unknown>;

/** Learns which source key every output value came from. Only set while a report is being made. */
export interface Recorder {
  /** Marks a value as made from `from[key]`. `kind` says how. */
  mark(from: object, key: PropertyKey, value: unknown, kind: MarkKind, note?: string): unknown;
  /** Says that a key was looked at and why nothing of it remains. */
  drop(from: object, key: PropertyKey, reason: string): void;
  /** Says that the keys of this table name variables, origins or cells. */
  table(table: object, reason: string): void;
}

/** `made`: computed from the source. `copy`: the whole value as is. `default`: unusable, so a default stands in. */
export type MarkKind = "made" | "copy" | "default";

// Held here rather than passed to every reader: conversion is synchronous, and an unset variable costs nothing.
let recorder: Recorder | undefined;

/** Runs `make` with every read reported to `active`. */
export function recording<T>(active: Recorder, make: () => T): T {
  const before = recorder;
  recorder = active;
  try {
    return make();
  } finally {
    recorder = before;
  }
}

export function isRecord(value: unknown): value is Source {
  return typeof value === "object" && value !== null;
}

export const EMPTY: Source = Object.freeze({});

/** The value as an object to read from, `{}` when it is none. */
export function record(value: unknown): Source {
  return isRecord(value) ? value : EMPTY;
}

/** The value as a list, `[]` when it is none. */
export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/**
 * The value of a key, never an inherited one: keys often come from the data itself. Asking for the key first is also
 * much faster where it is missing, since no two widgets have the same shape.
 */
export function get(from: Source | undefined, key: PropertyKey): unknown {
  return from !== undefined && Object.hasOwn(from, key) ? from[key] : undefined;
}

/** A table of `display` whose keys are made of data (`vars_labels` and its kind); undefined when absent. */
export function table(
  d: Source,
  name: string,
  unused = "belongs to no variable that the widget shows",
): Source | undefined {
  const value = get(d, name);
  if (!isRecord(value)) return undefined;
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

// Deep values must not exhaust the stack, and a value that contains itself must end.
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

/** `value`, known to be made from `from[key]`. */
export function derived(from: object, key: PropertyKey, value: unknown, note?: string): unknown {
  return recorder === undefined ? value : recorder.mark(from, key, value, "made", note);
}

function copyOf(from: Source, key: PropertyKey, value: unknown): unknown {
  const made = typeof value === "object" && value !== null ? copyObject(value, PLAIN_DEPTH) : value;
  return recorder === undefined ? made : recorder.mark(from, key, made, "copy");
}

/** A copy of `from[key]`; undefined when it is absent. */
export function copied(from: Source, key: PropertyKey): unknown {
  return copyOf(from, key, get(from, key));
}

/** The items of a list as copies that are known one by one. */
export function copiedItems(items: unknown): unknown[] {
  const from = list(items) as readonly unknown[] & Source;
  return from.map((item, i) => copyOf(from, i, item));
}

/** A copy of `from[key]` when it is truthy, else the default. */
export function copyOr(from: Source, key: string, defaultValue: unknown): unknown {
  const value = get(from, key);
  return value ? copyOf(from, key, value) : fallback(from, key, defaultValue);
}

/** As `copyOr`, but an explicit 0 is a value too. */
export function copyNumberOr(from: Source, key: string, defaultValue: unknown): unknown {
  const value = get(from, key);
  return value || value === 0 ? copyOf(from, key, value) : fallback(from, key, defaultValue);
}

/** The default, standing in for an unusable `from[key]`. */
export function fallback(from: Source, key: string, defaultValue: unknown): unknown {
  const value = recorder === undefined ? undefined : get(from, key);
  if (recorder === undefined || value === undefined) return defaultValue;
  return recorder.mark(from, key, defaultValue, Object.is(value, defaultValue) ? "made" : "default");
}

/** Truthiness as a boolean. */
export function flag(from: Source, key: string): unknown {
  return derived(from, key, Boolean(get(from, key)));
}

/** The opposite of `flag`. */
export function not(from: Source, key: string): unknown {
  return derived(from, key, !get(from, key));
}

/** A copy of the table's entry when it is truthy, else undefined. */
export function entry(from: Source | undefined, key: string): unknown {
  const value = get(from, key);
  return from !== undefined && value ? copyOf(from, key, value) : undefined;
}

/** As `entry`, with a default. */
export function entryOr(from: Source | undefined, key: string, defaultValue: unknown): unknown {
  return entry(from, key) ?? (from === undefined ? defaultValue : fallback(from, key, defaultValue));
}

/** Notes why nothing remains of `from[key]`. */
export function drop(from: object, key: PropertyKey, reason: string): void {
  recorder?.drop(from, key, reason);
}

/** Sets a key unless the value is undefined: the new structure has no key where the old one had none. */
export function set(out: Out, key: string, value: unknown): void {
  if (value !== undefined) out[key] = value;
}

/** As `set`, for keys that come from the data: `__proto__` becomes a key like any other. */
export function setOwn(out: Out, key: string, value: unknown): void {
  if (value === undefined) return;
  if (key === "__proto__")
    Object.defineProperty(out, key, { value, writable: true, enumerable: true, configurable: true });
  else out[key] = value;
}

/** The text a value has inside a key such as origin + variable. Objects have none of their own. */
export function text(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? "[object Object]" : String(value);
}
