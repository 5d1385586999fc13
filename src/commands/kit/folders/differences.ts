import { isObject } from "../files/files.ts";
import { canonicalText } from "../state/snapshots.ts";

/** One path where two documents differ. A side without a value is undefined. */
export interface Difference {
  /** `display.range.maximum`, `tabs[1705050000101].value`, `data[0].origin`. */
  readonly path: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

/** The deepest paths where two documents differ, in key order. */
export function differences(old: unknown, now: unknown, path = ""): Difference[] {
  if (canonicalText(old ?? null) === canonicalText(now ?? null)) return [];
  if (isObject(old) && isObject(now)) return inObjects(old, now, path);
  if (Array.isArray(old) && Array.isArray(now)) return inLists(old, now, path);
  // To the platform null and absent are the same.
  return [{ path, ...(isNothing(old) ? {} : { old }), ...(isNothing(now) ? {} : { new: now }) }];
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

type Members = Readonly<Record<string, unknown>>;

function inObjects(old: Members, now: Members, path: string): Difference[] {
  const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])].sort();
  return keys.flatMap((key) => differences(member(old, key), member(now, key), join(path, key)));
}

const member = (of: Members, key: string): unknown => (Object.hasOwn(of, key) ? of[key] : undefined);

/** Properties that identify the entries of a list: `tabs[1705050000101]` is the tab with this key. */
export const naming = ["id", "widget_id", "key"] as const;

/** Entries that have names are compared by name, so that one that was put in between changes no other. */
function inLists(old: readonly unknown[], now: readonly unknown[], path: string): Difference[] {
  const name = naming.find((key) => isNamedBy(old, key) && isNamedBy(now, key));
  if (name === undefined) {
    const longest = Math.max(old.length, now.length);
    return Array.from({ length: longest }, (_, i) => differences(old[i], now[i], `${path}[${i}]`)).flat();
  }
  const before = byName(old, name);
  const after = byName(now, name);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  const found = names.flatMap((each) => differences(before.get(each), after.get(each), `${path}[${each}]`));
  const stayed = (from: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>): string[] =>
    [...from.keys()].filter((each) => other.has(each));
  const [was, is] = [stayed(before, after), stayed(after, before)];
  const isReordered = was.some((each, i) => each !== is[i]);
  return isReordered ? [...found, { path: `${path} (order)`, old: was, new: is }] : found;
}

function isNamedBy(list: readonly unknown[], key: string): boolean {
  const names = list.map((entry) => (isObject(entry) ? entry[key] : undefined));
  return names.every((name) => typeof name === "string") && new Set(names).size === names.length;
}

function byName(list: readonly unknown[], key: string): ReadonlyMap<string, unknown> {
  return new Map(list.map((entry) => [isObject(entry) ? String(entry[key]) : "", entry]));
}

function join(path: string, key: string): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(key);
  if (!isPlain) return `${path}[${JSON.stringify(key)}]`;
  return path === "" ? key : `${path}.${key}`;
}
