import { get, record, type Source } from "../readers.ts";

/** A finite number, or a string that holds one. */
export function numberIn(value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "" || value.length > 40))
    return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** A string, number or boolean as a string; "" for everything else. */
export function textIn(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

/** The first key with text in it. */
export function textOf(from: Source | undefined, ...keys: readonly string[]): string {
  for (const key of keys) {
    const text = textIn(get(from, key));
    if (text !== "") return text;
  }
  return "";
}

/** The object under a key; `{}` if there is none. */
export const below = (from: Source | undefined, key: string): Source => record(get(from, key));

/** The id of a device or entity: a string, or an object with `id`. */
export function idIn(value: unknown): string | undefined {
  const id = typeof value === "string" ? value : textIn(get(record(value), "id"));
  return id === "" ? undefined : id;
}
