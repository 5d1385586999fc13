import { PlatformError } from "../core/platform-error.ts";
import { invalidParam } from "./refusals.ts";

/** The statement without comments and with empty string literals, so that their content is not parsed. */
function bare(query: string): string {
  return query.replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g, (part) =>
    part.startsWith("'") ? "''" : " ",
  );
}

/** Functions with a FROM keyword in their arguments, such as `EXTRACT(hour FROM d.time)`. */
const OWN_FROM = /\b(?:extract|trim|substring|overlay)\s*\((?:[^()]|\([^()]*\))*\)/gi;

/** Each table of FROM and JOIN, with its alias after AS. Subqueries are checked separately. */
const TABLE = /\b(?:from|join)\s+(?:lateral\s+)?(?!\()([\w."]+)(?:\s*\((?:[^()]|\([^()]*\))*\))?(\s+as\s+[\w"]+)?/gi;

const refuse = (text: string): PlatformError => new PlatformError(400, text);

/** Rejects what the platform does not store: anything but one SELECT over tables that have an alias. */
export function checkStatement(query: string): void {
  const statements = bare(query)
    .split(";")
    .filter((text) => text.trim() !== "");
  const [statement = ""] = statements;
  if (statements.length !== 1) throw refuse("Only a single SQL statement is allowed");
  if (!/^\s*\(?\s*(select|with)\b/i.test(statement)) throw refuse("Only SELECT statements are allowed");
  const tables = [...statement.replaceAll(OWN_FROM, "1").matchAll(TABLE)];
  if (tables.length === 0) throw refuse("A query must reference at least one table");
  if (tables.some(([, , alias]) => alias === undefined)) throw refuse("All tables must have an alias (use AS)");
}

/** A value of a parameter, by the key the statement uses. */
interface Param {
  readonly key: string;
  readonly value?: unknown;
}

const MOST_PARAMS = 100;

/** Rejects keys that are not `$n`. */
export function checkKeys(params: readonly Param[]): void {
  const wrong = params.find(({ key }) => !/^\$[1-9]\d*$/.test(key));
  if (wrong !== undefined) throw invalidParam(wrong.key);
}

/** Rejects defaults that are not exactly those of the statement: `$1` to the highest one in it. */
export function checkDefaults(query: string, params: readonly Param[]): void {
  checkKeys(params);
  const highest = Math.max(0, ...[...bare(query).matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  if (highest > MOST_PARAMS) throw invalidParam(`$${highest}`);
  const wanted = Array.from({ length: highest }, (_, i) => `$${i + 1}`);
  const given = new Set(params.map(({ key }) => key));
  const extra = params.find(({ key }) => !wanted.includes(key));
  const odd = wanted.find((key) => !given.has(key)) ?? extra?.key;
  if (odd !== undefined) throw invalidParam(odd);
}
