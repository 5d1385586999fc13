import { InputError } from "../core/errors.ts";

const maxDepth = 32;
const safe = /^[A-Za-z0-9._~-]*$/;

/** Percent-encodes everything but letters, digits and `-._~`. */
function encodeText(text: string): string {
  if (safe.test(text)) return text;
  try {
    return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  } catch {
    throw new InputError("The query holds text that is not valid Unicode", "query");
  }
}

function append(pairs: string[], key: string, value: unknown, depth: number): void {
  if (value === undefined || typeof value === "function" || typeof value === "symbol") return;
  if (value === null) {
    pairs.push(`${key}=`);
    return;
  }
  if (typeof value !== "object") {
    pairs.push(`${key}=${encodeText(String(value))}`);
    return;
  }
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new InputError("The query contains an invalid Date", "query");
    pairs.push(`${key}=${encodeText(value.toISOString())}`);
    return;
  }
  if (depth > maxDepth) throw new InputError("The query is nested too deeply or circular", "query");
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i += 1) append(pairs, `${key}%5B${i}%5D`, value[i], depth + 1);
    return;
  }
  for (const name of Object.keys(value)) {
    append(pairs, `${key}%5B${encodeText(name)}%5D`, (value as Record<string, unknown>)[name], depth + 1);
  }
}

/**
 * Writes parameters as the platform expects them: bracket form with indexes, everything escaped. `undefined`, empty
 * lists and empty objects are left out, `null` becomes `key=`, dates are ISO strings.
 *
 * @returns the query without a question mark; empty when nothing is left
 */
export function queryString(parameters: Readonly<Record<string, unknown>> | null): string {
  if (typeof parameters !== "object" || parameters === null) return "";
  const pairs: string[] = [];
  for (const name of Object.keys(parameters)) append(pairs, encodeText(name), parameters[name], 0);
  return pairs.join("&");
}
