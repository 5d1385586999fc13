import { LIST_AMOUNT, MAX_LIST_AMOUNT } from "../../lib/core/limits.ts";

/** Last page that is counted; every list has ended before. */
const MAX_PAGE = 1e9;

/** Strings, lists and objects without a prototype (docs/internals/platform/queries.md, Query strings). */
export type QueryValue = string | QueryValue[] | { [key: string]: QueryValue };

/** A parsed query, by parameter name. */
export type QueryObject = { [key: string]: QueryValue };

/** Brackets nested deeper than this are not parsed: no query of the platform needs them. */
const MAX_DEPTH = 8;
const MAX_PAIRS = 20_000;

/** A level that is being parsed. The count avoids counting the properties for each `[]`. */
interface Branch {
  readonly members: Record<string, string | Branch>;
  count: number;
}

const newBranch = (): Branch => ({ members: Object.create(null) as Branch["members"], count: 0 });

function put(branch: Branch, name: string, entry: string | Branch): void {
  if (branch.members[name] === undefined) branch.count += 1;
  branch.members[name] = entry;
}

function decodePart(text: string): string {
  const spaced = text.replaceAll("+", " ");
  if (!spaced.includes("%")) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** `filter[tags][0][key]` has four parts; a malformed key counts as one name. */
function keyPath(key: string): readonly string[] {
  const open = key.indexOf("[");
  if (open <= 0 || !key.endsWith("]")) return [key];
  const inner = key.slice(open + 1, -1).split("][");
  if (inner.length >= MAX_DEPTH || inner.some((part) => part.includes("[") || part.includes("]"))) return [key];
  return [key.slice(0, open), ...inner];
}

/** Descends one part; a string in the way becomes the first entry of a list. */
function descend(branch: Branch, part: string): Branch {
  const name = part === "" ? String(branch.count) : part;
  const here = branch.members[name];
  if (typeof here === "object") return here;
  const made = newBranch();
  if (here !== undefined) put(made, "0", here);
  put(branch, name, made);
  return made;
}

function insert(root: Branch, path: readonly string[], value: string): void {
  let branch = root;
  for (const part of path.slice(0, -1)) branch = descend(branch, part);
  const last = path.at(-1) ?? "";
  const name = last === "" ? String(branch.count) : last;
  if (branch.members[name] === undefined) {
    put(branch, name, value);
    return;
  }
  const list = descend(branch, name);
  put(list, String(list.count), value);
}

/** Objects whose keys are all numbers are lists, whatever their length. */
function settle(branch: Branch): QueryValue {
  const names = Object.keys(branch.members);
  if (names.length > 0 && names.every((name) => /^\d{1,9}$/.test(name))) {
    return names.sort((a, b) => Number(a) - Number(b)).map((name) => settleEntry(branch.members[name]));
  }
  return settleMembers(branch);
}

function settleEntry(entry: string | Branch | undefined): QueryValue {
  return typeof entry === "object" ? settle(entry) : (entry ?? "");
}

function settleMembers(branch: Branch): QueryObject {
  const object = Object.create(null) as QueryObject;
  for (const name of Object.keys(branch.members)) object[name] = settleEntry(branch.members[name]);
  return object;
}

/**
 * Parses a query string: numbered brackets, empty brackets, repeated keys, nested objects. Objects have no prototype,
 * and `__proto__` is dropped. Never throws.
 */
export function decodeQuery(search: string): QueryObject {
  const root = newBranch();
  const text = search.startsWith("?") ? search.slice(1) : search;
  for (const pair of text.split("&", MAX_PAIRS)) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    const key = decodePart(equals < 0 ? pair : pair.slice(0, equals));
    const path = keyPath(key);
    if (key === "" || path.includes("__proto__")) continue;
    insert(root, path, equals < 0 ? "" : decodePart(pair.slice(equals + 1)));
  }
  return settleMembers(root);
}

/** The value as one string: the first entry of a list; `undefined` for objects, no value and an empty string. */
export function textOf(value: QueryValue | undefined): string | undefined {
  const first = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" && first !== "" ? first : undefined;
}

/** The value as a list of strings: a list, or one string split at its commas. Empty entries are dropped. */
export function listOf(value: QueryValue | undefined): string[] {
  if (typeof value === "string") return value.split(",").filter((entry) => entry !== "");
  if (!Array.isArray(value)) return [];
  return value.filter((entry): entry is string => typeof entry === "string" && entry !== "");
}

/** `true`, `True`, `1` and `false`, `False`, `0`; anything else is `undefined`. */
export function booleanOf(value: QueryValue | undefined): boolean | undefined {
  const text = textOf(value)?.toLowerCase();
  if (text === "true" || text === "1") return true;
  if (text === "false" || text === "0") return false;
  return undefined;
}

/** A number written in decimal, `undefined` for anything else. */
export function numberOf(value: QueryValue | undefined): number | undefined {
  const text = textOf(value)?.trim();
  if (text === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** `page` and `amount` of a list. What cannot be read is the first page, and the usual number of rows. */
export function pagingOf(
  query: QueryObject,
  { usual = LIST_AMOUNT, most = MAX_LIST_AMOUNT } = {},
): { readonly limit: number; readonly offset: number } {
  const asked = Math.trunc(numberOf(query["amount"]) ?? 0);
  const limit = asked === 0 ? usual : Math.max(1, Math.min(most, asked));
  const page = Math.min(Math.max(1, Math.trunc(numberOf(query["page"]) ?? 1)), MAX_PAGE);
  return { limit, offset: (page - 1) * limit };
}

/** Nested parameters; empty when the value has none. */
export function objectOf(value: QueryValue | undefined): QueryObject {
  return typeof value === "object" && !Array.isArray(value) ? value : (Object.create(null) as QueryObject);
}

/** The path of a request target, and its query string without the question mark. */
export function splitTarget(target: string): readonly [path: string, search: string] {
  const cut = target.indexOf("?");
  return cut < 0 ? [target, ""] : [target.slice(0, cut), target.slice(cut + 1)];
}
