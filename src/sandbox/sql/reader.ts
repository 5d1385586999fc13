import { type Column, invalidParam, notRun, refused } from "./refusals.ts";
import { type Token, tokensOf } from "./tokens.ts";

/** Values of the parameters of a statement, by key: `$1`. */
export type Values = ReadonlyMap<string, unknown>;

/** Words that end a name: an alias or column with such a name must be quoted. */
const RESERVED = new Set(
  "SELECT DISTINCT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET JOIN AS AND OR NOT IN IS LIKE BETWEEN CASE NULL".split(
    " ",
  ),
);

const VALUES = new Set(["NULL", "TRUE", "FALSE"]);

/**
 * Reads a statement token by token. `take…` reads an optional token and returns whether it was there; `need…` rejects
 * any other token.
 */
export function createReader(query: string, values: Values) {
  const tokens = tokensOf(query, notRun);
  let at = 0;

  const peek = (ahead = 0): Token => tokens[Math.min(at + ahead, tokens.length - 1)] ?? { kind: "end", text: "" };
  const next = (): Token => {
    const token = peek();
    at += 1;
    return token;
  };
  const unexpected = (token = peek()): Error =>
    notRun(token.kind === "end" ? "its end" : `"${token.text.slice(0, 100)}"`);
  const isSign = (text: string, ahead = 0): boolean => peek(ahead).kind === "sign" && peek(ahead).text === text;
  const isWord = (text: string, ahead = 0): boolean =>
    peek(ahead).kind === "word" && peek(ahead).text.toUpperCase() === text;

  const take = (...words: readonly string[]): boolean => {
    const isThere = words.every(isWord);
    if (isThere) at += words.length;
    return isThere;
  };
  const takeSign = (text: string): boolean => {
    const isThere = isSign(text);
    if (isThere) at += 1;
    return isThere;
  };
  const need = (text: string): void => {
    if (!take(text)) throw unexpected();
  };
  const needSign = (text: string): void => {
    if (!takeSign(text)) throw unexpected();
  };

  const list = <Part>(read: () => Part): Part[] => {
    const parts = [read()];
    while (takeSign(",")) parts.push(read());
    return parts;
  };

  /** A name: a word that is not reserved, or any text in double quotes. */
  const word = (): string => {
    const token = next();
    const isName = token.kind === "name" || (token.kind === "word" && !RESERVED.has(token.text.toUpperCase()));
    if (!isName) throw unexpected(token);
    return token.text;
  };

  const value = (): unknown => {
    const sign = takeSign("-") ? -1 : 1;
    const token = next();
    if (token.kind === "number") return sign * Number(token.text);
    if (sign === 1 && token.kind === "text") return token.text;
    if (sign === 1 && token.kind === "param") {
      if (!values.has(token.text)) throw invalidParam(token.text);
      return values.get(token.text);
    }
    const known = token.kind === "word" && sign === 1 ? token.text.toUpperCase() : "";
    if (known === "NULL") return null;
    if (known === "TRUE" || known === "FALSE") return known === "TRUE";
    throw unexpected(token);
  };

  /** Words are case-insensitive, names in quotes are not. */
  const isNamed = (name: string): boolean =>
    peek().kind === "name" ? peek().text === name : peek().text.toLowerCase() === name.toLowerCase();

  return {
    take,
    takeSign,
    need,
    needSign,
    list,
    word,
    value,
    unexpected,
    /** Whether a column comes next, rather than a value. */
    isColumn: (): boolean =>
      peek().kind === "name" || (peek().kind === "word" && !VALUES.has(peek().text.toUpperCase())),
    isCall: (): boolean => peek().kind === "word" && isSign("(", 1),
    place: (): number => at,
    go: (place: number): void => {
      at = place;
    },
    /** Advances past the next token with this word. */
    skipPast: (text: string): void => {
      while (!take(text)) if (next().kind === "end") throw unexpected();
    },
    /** Reads `*` or `alias.*`. */
    takeAll: (alias: string): boolean => {
      if (takeSign("*")) return true;
      const isAll = isNamed(alias) && isSign(".", 1) && isSign("*", 2);
      if (isAll) at += 3;
      return isAll;
    },
    /** Reads an unqualified name if it equals this one. */
    takeName: (name: string): boolean => {
      const isThere = (peek().kind === "word" || peek().kind === "name") && isNamed(name) && !isSign(".", 1);
      if (isThere) at += 1;
      return isThere;
    },
    /** Reads `name` or `alias.name`. */
    column: (columns: readonly Column[], alias: string): Column => {
      if (isSign(".", 1)) {
        if (!isNamed(alias)) throw refused(`Unknown table ${peek().text.slice(0, 100)}`);
        at += 2;
      }
      const name = word();
      const found = columns.find((one) => one.name.toLowerCase() === name.toLowerCase());
      if (found === undefined) throw refused(`Unknown column ${name.slice(0, 100)}`);
      return found;
    },
    wholeNumber: (): number => {
      // The value of a parameter is a string.
      const found = Number(value() ?? Number.NaN);
      if (!Number.isSafeInteger(found) || found < 0) throw unexpected(tokens[at - 1]);
      return found;
    },
    end: (): void => {
      if (peek().kind !== "end") throw unexpected();
    },
  };
}

export type Reader = ReturnType<typeof createReader>;
