/**
 * Reads one query parameter in any form a client sends: a string, a list, or an object with numeric keys. An empty
 * string counts as absent.
 */

/** The first of the named parameters that is present, as one string. The first item of a list. */
export function readText(query: Readonly<Record<string, unknown>>, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const [first] = items(query[name]);
    if (first !== undefined) return first;
  }
  return undefined;
}

/** All strings of the named parameters. With `commas`, a single string is split at its commas. */
export function readList(
  query: Readonly<Record<string, unknown>>,
  names: readonly string[],
  options: { readonly commas: boolean },
): string[] {
  const found = new Set<string>();
  for (const name of names) {
    const value = query[name];
    const texts = items(value);
    const split = options.commas && typeof value === "string" ? texts.flatMap((text) => text.split(",")) : texts;
    for (const text of split) if (text !== "") found.add(text);
  }
  return [...found];
}

export function readFlag(query: Readonly<Record<string, unknown>>, ...names: readonly string[]): boolean {
  return /^(true|1)$/i.test(readText(query, ...names) ?? "");
}

/** An integer of at least `least`, or the fallback. */
export function readCount(
  query: Readonly<Record<string, unknown>>,
  name: string,
  limits: { readonly least: number; readonly most: number; readonly fallback: number },
): number {
  const count = Math.floor(Number(readText(query, name) ?? Number.NaN));
  if (Number.isNaN(count) || count < limits.least) return limits.fallback;
  return Math.min(count, limits.most);
}

function items(value: unknown): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap((item) => items(item));
}
