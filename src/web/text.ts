import type { JsonObject } from "../lib/core/json.ts";
import { isRecord } from "../lib/widgets/draw/page.ts";

/** Characters that draw nothing, or that turn the text around them: shown in their place, so that a name cannot lie. */
const INVISIBLE = /(?![\t\n\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const MAX_CHARS = 2_000;

/** Any value as text for people. */
export function shown(value: unknown, maxChars: number = MAX_CHARS): string {
  const text =
    value === undefined || value === null
      ? ""
      : value instanceof Date
        ? moment(value)
        : typeof value === "object"
          ? (JSON.stringify(value) ?? "")
          : String(value);
  const cut = text.length > maxChars ? `${text.slice(0, maxChars)} ...` : text;
  return cut.replace(INVISIBLE, "\ufffd");
}

/** `2026-01-31 12:00:00.000`, in UTC as it is stored. */
export function moment(value: unknown): string {
  if (value === undefined || value === null || value === "never") return "never";
  const date = value instanceof Date ? value : new Date(String(value));
  return Number.isNaN(date.getTime()) ? shown(value) : date.toISOString().replace("T", " ").replace("Z", "");
}

export const includes = (search: string, ...values: readonly unknown[]): boolean =>
  search === "" || values.some((value) => shown(value).toLowerCase().includes(search.toLowerCase()));

/** What went wrong, in the words of the platform. */
export function problem(error: unknown): string {
  return shown(error instanceof Error ? error.message : error) || "Unknown error";
}

/** Why something could not be read, with the HTTP status where there is one. */
export function failureOf(error: unknown): string {
  const status = isRecord(error) ? error["status"] : undefined;
  return typeof status === "number" && status > 0 ? `${status} ${problem(error)}` : problem(error);
}

/** A JSON text as a value. An empty one is `undefined`. */
export function parseJson(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`This is not JSON: ${problem(error)}`);
  }
}

export const recordsOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isRecord) : []);
