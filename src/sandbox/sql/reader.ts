import { incomplete, notRun, type Span, shortened } from "./refusals.ts";
import { isSign, isWord, type Token, tokensOf } from "./tokens.ts";

/** Words that end a name: an alias or column with such a name must be quoted. */
const RESERVED = new Set(
  (
    "SELECT DISTINCT FROM WHERE GROUP BY HAVING ORDER LIMIT OFFSET JOIN INNER LEFT RIGHT FULL CROSS NATURAL ON USING UNION " +
    "INTERSECT EXCEPT WITH RECURSIVE AS AND OR NOT IN IS LIKE BETWEEN CASE WHEN THEN ELSE END NULL TRUE FALSE EXISTS CAST OVER"
  ).split(" "),
);

/** Deepest nesting of a statement. */
const MAX_DEPTH = 100;

/**
 * Reads a statement token by token. `take…` reads an optional token and returns whether it was there; `need…` rejects
 * any other token.
 */
export class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(query: string) {
    this.#tokens = tokensOf(query);
  }

  peek(ahead = 0): Token {
    const last = this.#tokens.length - 1;
    return this.#tokens[Math.min(this.#at + ahead, last)] ?? { kind: "end", text: "", start: 0, end: 0 };
  }

  next(): Token {
    const token = this.peek();
    this.#at += 1;
    return token;
  }

  unexpected(token = this.peek()): Error {
    if (token.kind === "end") return incomplete("it is not complete", token);
    const isOpen = token.kind === "unknown" && /^['"]/.test(token.text);
    return isOpen ? incomplete("a quote is not closed", token) : notRun(`"${shortened(token.text)}"`, token);
  }

  /** The text from a token to the last one that was read. */
  spanFrom({ start }: Span): Span {
    return { start, end: this.#tokens[this.#at - 1]?.end ?? start };
  }

  isSign(text: string, ahead = 0): boolean {
    return isSign(this.peek(ahead), text);
  }

  isWord(...words: readonly string[]): boolean {
    return words.every((word, ahead) => isWord(this.peek(ahead), word));
  }

  take(...words: readonly string[]): boolean {
    const isThere = this.isWord(...words);
    if (isThere) this.#at += words.length;
    return isThere;
  }

  takeSign(text: string): boolean {
    const isThere = this.isSign(text);
    if (isThere) this.#at += 1;
    return isThere;
  }

  need(text: string): void {
    if (!this.take(text)) throw this.unexpected();
  }

  needSign(text: string): void {
    if (!this.takeSign(text)) throw this.unexpected();
  }

  /** One or more, separated by commas. */
  list<Part>(read: () => Part): Part[] {
    const parts = [read()];
    while (this.takeSign(",")) parts.push(read());
    return parts;
  }

  isName(ahead = 0): boolean {
    const { kind, text } = this.peek(ahead);
    return kind === "name" || (kind === "word" && !RESERVED.has(text.toUpperCase()));
  }

  /** A word that is not reserved, or any text in double quotes. */
  name(): string {
    if (!this.isName()) throw this.unexpected();
    return this.next().text;
  }

  /** Reads a nested part. */
  nested<Part>(read: () => Part): Part {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw notRun(`nesting deeper than ${MAX_DEPTH} levels`, this.peek());
    const part = read();
    this.#depth -= 1;
    return part;
  }
}
