/** A word, literal or symbol of a statement. */
export interface Token {
  readonly kind: "word" | "name" | "text" | "number" | "param" | "sign" | "end";
  /** Its text; names and string literals without their quotes. */
  readonly text: string;
}

const TOKEN =
  /(?<blank>\s+|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|'(?<text>(?:[^']|'')*)'|"(?<name>[^"]+)"|(?<param>\$\d+)|(?<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)(?!\w)|(?<word>[A-Za-z_]\w*)|(?<sign><>|!=|<=|>=|[=<>(),.*;-])/y;

const KINDS = ["name", "text", "number", "param", "word", "sign"] as const;

/**
 * Splits a statement into tokens. The last one is of the kind `end`.
 *
 * @throws what `refuse` returns for an invalid token
 */
export function tokensOf(query: string, refuse: (what: string) => Error): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < query.length; ) {
    TOKEN.lastIndex = at;
    const groups = TOKEN.exec(query)?.groups;
    if (groups === undefined) throw refuse(`"${query.slice(at, at + 20)}"`);
    at = TOKEN.lastIndex;
    const kind = KINDS.find((one) => groups[one] !== undefined);
    if (kind === undefined) continue;
    const text = groups[kind] ?? "";
    tokens.push({ kind, text: kind === "text" ? text.replaceAll("''", "'") : text });
  }
  return [...tokens, { kind: "end", text: "" }];
}
