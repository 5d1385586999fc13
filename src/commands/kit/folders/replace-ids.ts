import { isObject } from "../files/files.ts";

/** Ids to be replaced: old to new. */
export type IdMap = ReadonlyMap<string, string>;

/**
 * The same value with other ids. Full ids are replaced everywhere: as a string, inside one such as an address, and in
 * the keys of legacy tables, which join device and variable. Shorter names are replaced only as a whole string.
 */
export function replaceIds<T>(value: T, ids: IdMap): T {
  const anywhere = (text: string): string => text.replace(/[0-9a-f]{24,}/gi, (digits) => inDigits(digits, ids));
  const inValue = (each: unknown): unknown => {
    if (typeof each === "string") return ids.get(each) ?? anywhere(each);
    if (Array.isArray(each)) return each.map(inValue);
    if (!isObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [anywhere(key), inValue(inner)]));
  };
  // Only texts and keys are other ones, so the form stays what it was.
  return ids.size === 0 ? value : (inValue(value) as T);
}

/** A name that ends in hexadecimal digits may touch the id behind it. */
function inDigits(digits: string, ids: IdMap): string {
  for (let at = 0; at + 24 <= digits.length; at += 1) {
    const now = ids.get(digits.slice(at, at + 24));
    if (now !== undefined) return digits.slice(0, at) + now + inDigits(digits.slice(at + 24), ids);
  }
  return digits;
}
