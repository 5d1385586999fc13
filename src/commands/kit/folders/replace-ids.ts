import { isObject } from "../files/files.ts";

/** Ids to be replaced: old to new. */
export type IdMap = ReadonlyMap<string, string>;

const fullId = /^[0-9a-f]{24}$/i;

/**
 * The same value with other ids. Full ids are replaced wherever they stand: as a text, inside of one such as an address,
 * and in the keys of legacy tables, which join device and variable. Shorter names are replaced only as a whole text.
 */
export function replaceIds<T>(value: T, ids: IdMap): T {
  const full = [...ids.keys()].filter((id) => fullId.test(id));
  const anywhere = full.length === 0 ? undefined : new RegExp(full.join("|"), "g");
  const inText = (text: string): string => {
    const whole = ids.get(text);
    if (whole !== undefined || anywhere === undefined) return whole ?? text;
    return text.replace(anywhere, (id) => ids.get(id) ?? id);
  };
  const inKey = (key: string): string =>
    anywhere === undefined ? key : key.replace(anywhere, (id) => ids.get(id) ?? id);
  const inValue = (each: unknown): unknown => {
    if (typeof each === "string") return inText(each);
    if (Array.isArray(each)) return each.map(inValue);
    if (!isObject(each)) return each;
    return Object.fromEntries(Object.entries(each).map(([key, inner]) => [inKey(key), inValue(inner)]));
  };
  // Only texts and keys are other ones, so the form stays what it was.
  return ids.size === 0 ? value : (inValue(value) as T);
}
