import { invalidParam, refused, rejected } from "./refusals.ts";
import { isSign, isWord, type Token, tokensOf } from "./tokens.ts";

/** Functions with a FROM keyword in their arguments, such as `EXTRACT(hour FROM d.time)`. */
const OWN_FROM = ["EXTRACT", "TRIM", "SUBSTRING", "OVERLAY"];

/** Position after the parenthesis that closes the one at `open`. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at += 1) {
    if (isSign(tokens[at], "(")) depth += 1;
    if (isSign(tokens[at], ")")) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return tokens.length;
}

/** The tables after FROM, JOIN and commas of FROM; subqueries are walked through for their own tables. */
function* tablesIn(tokens: readonly Token[]): Generator<{ readonly name: Token; readonly alias: Token | undefined }> {
  for (let at = 0; at < tokens.length; at += 1) {
    const isOwn = OWN_FROM.some((word) => isWord(tokens[at], word)) && isSign(tokens[at + 1], "(");
    if (isOwn) at = closing(tokens, at + 1) - 1;
    if (!isWord(tokens[at], "FROM") && !isWord(tokens[at], "JOIN")) continue;
    for (let next = at + 1; ; ) {
      if (isWord(tokens[next], "LATERAL")) next += 1;
      const name = tokens[next];
      if (name === undefined || name.kind === "end") break;
      const isSubquery = isSign(name, "(");
      const after =
        isSubquery || isSign(tokens[next + 1], "(") ? closing(tokens, isSubquery ? next : next + 1) : next + 1;
      const alias = isWord(tokens[after], "AS") ? tokens[after + 1] : undefined;
      if (!isSubquery) yield { name, alias };
      // A comma leads to the next table.
      const end = alias === undefined ? after : after + 2;
      if (!isSign(tokens[end], ",")) break;
      next = end + 1;
    }
  }
}

/** Rejects what the platform does not store: anything but one SELECT over tables that have an alias. */
export function checkStatement(query: string): void {
  if (query.includes("\0")) throw refused("A statement must not contain the NUL character");
  const statements: Token[][] = [[]];
  for (const token of tokensOf(query)) {
    if (isSign(token, ";")) statements.push([]);
    else if (token.kind !== "end") statements.at(-1)?.push(token);
  }
  const [tokens, second] = statements.filter(({ length }) => length > 0);
  if (tokens === undefined || second !== undefined) {
    throw rejected("Only a single SQL statement is allowed", second?.[0]);
  }
  const start = tokens.find((token) => !isSign(token, "("));
  if (!isWord(start, "SELECT") && !isWord(start, "WITH")) {
    throw rejected("Only SELECT statements are allowed", tokens[0]);
  }
  const tables = [...tablesIn(tokens)];
  if (tables.length === 0) throw rejected("A query must reference at least one table");
  const bare = tables.find(({ alias }) => alias === undefined);
  if (bare !== undefined) throw rejected("All tables must have an alias (use AS)", bare.name);
}

/** A value of a parameter, by the key the statement uses. */
export interface Param {
  readonly key: string;
  readonly value?: unknown;
}

const MAX_PARAMS = 100;

/** Rejects keys that are not `$n`. */
export function checkKeys(params: readonly Param[]): void {
  const wrong = params.find(({ key }) => !/^\$[1-9]\d*$/.test(key));
  if (wrong !== undefined) throw invalidParam(wrong.key);
}

/** The parameters a statement needs: `$1` to the highest one in it. */
export function paramsOf(query: string): string[] {
  const named = tokensOf(query).filter(({ kind }) => kind === "param");
  const highest = Math.max(0, ...named.map(({ text }) => Number(text.slice(1))));
  const tooHigh = named.find(({ text }) => Number(text.slice(1)) > MAX_PARAMS || !/^\$[1-9]/.test(text));
  if (tooHigh !== undefined) throw invalidParam(tooHigh.text, tooHigh);
  return Array.from({ length: highest }, (_, at) => `$${at + 1}`);
}

/** Rejects defaults that are not exactly those of the statement. */
export function checkDefaults(query: string, params: readonly Param[]): void {
  checkKeys(params);
  const wanted = paramsOf(query);
  const given = new Set(params.map(({ key }) => key));
  const odd = wanted.find((key) => !given.has(key)) ?? params.find(({ key }) => !wanted.includes(key))?.key;
  if (odd !== undefined) throw invalidParam(odd);
}

/** Whether the result of a statement depends on who runs it. */
export const usesSession = (query: string): boolean =>
  tokensOf(query).some(({ kind, text }) => kind === "word" && /^session_user_/i.test(text));
