import { isRecord } from "../../lib/core/json.ts";
import { SeedError } from "./seed-error.ts";

/** A record of a file, and its location. */
export interface RawRecord {
  readonly at: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** Cyclic values, by the name of their placeholder. */
type Lists = Readonly<Record<string, readonly unknown[]>>;

/** Most records from one entry. */
const MAX_REPEAT = 20_000;
const PLACEHOLDER = /\{([a-z_]\w*)(?::(x?)(\d{1,2}))?\}/g;

/** The lists of a scenario or of an entry. */
export function listsOf(value: unknown, at: string): Lists {
  if (value === undefined) return {};
  const isGood = isRecord(value) && Object.values(value).every((list) => Array.isArray(list) && list.length > 0);
  if (!isGood) throw new SeedError(`${at}: "lists" must be an object of lists that are not empty.`);
  return value as Lists;
}

/**
 * The records that an entry of a file expands to: itself, or with `repeat` that many, in which `{n}` is the number from
 * 1 (`{n:4}` has four digits, `{n:x4}` four hexadecimal ones), and `{site}` the next value of the list "site". A string
 * that is exactly one placeholder becomes the value itself, whatever its type.
 */
export function expand(entry: RawRecord, shared: Lists): RawRecord[] {
  const { repeat, lists: own, ...template } = entry.value;
  if (repeat === undefined) return [entry];
  if (typeof repeat !== "number" || !Number.isInteger(repeat) || repeat < 1 || repeat > MAX_REPEAT) {
    throw new SeedError(`${entry.at}: "repeat" must be a whole number from 1 to ${MAX_REPEAT}.`);
  }
  const lists = { ...shared, ...listsOf(own, entry.at) };
  return Array.from({ length: repeat }, (_, index) => {
    const at = `${entry.at} (n = ${index + 1})`;
    const value = fill(template, (name) => placedValue(name, index, lists, at));
    return { at, value: isRecord(value) ? value : {} };
  });
}

function placedValue(name: string, index: number, lists: Lists, at: string): unknown {
  if (name === "n") return index + 1;
  const list = Object.hasOwn(lists, name) ? lists[name] : undefined;
  if (list === undefined) throw new SeedError(`${at}: there is no list "${name}" for {${name}}.`);
  return list[index % list.length];
}

function fill(value: unknown, valueFor: (name: string) => unknown): unknown {
  if (typeof value === "string") {
    const whole = /^\{([a-z_]\w*)\}$/.exec(value)?.[1];
    return whole === undefined || whole === "n" ? fillText(value, valueFor) : valueFor(whole);
  }
  if (Array.isArray(value)) return value.map((each) => fill(each, valueFor));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [fillText(key, valueFor), fill(each, valueFor)]),
  );
}

/** A string with its placeholders filled in. */
export function fillText(text: string, valueFor: (name: string) => unknown): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string, hex: string | undefined, digits: string | undefined) => {
    const value = valueFor(name);
    const written = hex === "x" && typeof value === "number" ? value.toString(16) : String(value);
    return digits === undefined ? written : written.padStart(Number(digits), "0");
  });
}
