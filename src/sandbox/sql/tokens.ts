/** A word, literal or symbol of a statement. */
export interface Token {
  readonly kind: "word" | "name" | "text" | "number" | "param" | "sign" | "unknown" | "end";
  /** Its text; names and string literals without their quotes. */
  readonly text: string;
  /** Offsets in the statement. */
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /(?<blank>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|'(?<text>(?:[^']|'')*)'|"(?<name>(?:[^"]|"")+)"|(?<param>\$\d+)|(?<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)(?![\p{L}\p{N}_])|(?<word>[\p{L}_][\p{L}\p{N}_]*)|(?<sign><>|!=|<=|>=|\|\||[=<>(),.*;+/%-])|(?<unknown>['"][\s\S]*|[\s\S])/uy;

const KINDS = ["name", "text", "number", "param", "word", "sign", "unknown"] as const;
const QUOTES: Readonly<Record<string, string>> = { text: "'", name: '"' };

/** Splits a statement into tokens, without blanks and comments. The last one is of the kind `end`. */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  for (let start = 0; start < query.length; ) {
    TOKEN.lastIndex = start;
    const groups = TOKEN.exec(query)?.groups ?? {};
    const kind = KINDS.find((one) => groups[one] !== undefined);
    const end = TOKEN.lastIndex;
    if (kind !== undefined) {
      const [text = "", quote] = [groups[kind], QUOTES[kind]];
      tokens.push({ kind, text: quote === undefined ? text : text.replaceAll(quote + quote, quote), start, end });
    }
    start = end;
  }
  return [...tokens, { kind: "end", text: "", start: query.length, end: query.length }];
}

/** Whether a token is this keyword, in any case. */
export const isWord = (token: Token | undefined, word: string): boolean =>
  token?.kind === "word" && token.text.toUpperCase() === word;

export const isSign = (token: Token | undefined, sign: string): boolean =>
  token?.kind === "sign" && token.text === sign;
