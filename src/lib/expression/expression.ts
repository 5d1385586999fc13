/** A reference to a value of a dictionary, written `#DICTIONARY.KEY#` or `#DICTIONARY.KEY,first,"second, third"#`. */
export interface DictionaryExpression {
  /** Slug of the dictionary, in upper case. */
  dictionary: string;
  /** Key of the value. */
  key: string;
  /** Values for `$0`, `$1` ...; absent when the expression has none. */
  params?: string[];
}

/** An expression and its position in a string. */
export interface FoundExpression {
  readonly expression: DictionaryExpression;
  readonly start: number;
  /** Index after the closing `#`. */
  readonly end: number;
}

/** Slug and key as the platform allows them. Sticky, so that it matches at one position only. */
const head = /#([A-Z0-9_]+)\.([A-Z0-9_]+)(?=[#,])/y;

interface ParamList {
  readonly params: string[];
  /** Index of the closing `#`. */
  readonly end: number;
}

/** Reads a quoted value from its opening quote; quotes inside are doubled. */
function readQuoted(text: string, from: number): { value: string; end: number } | undefined {
  let value = "";
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return undefined;
    value += text.slice(at, quote);
    if (text[quote + 1] !== '"') return { value, end: quote + 1 };
    value += '"';
    at = quote + 2;
  }
}

/** Reads the values after a comma as one CSV line, up to the `#` that closes the expression. */
function readParams(text: string, from: number): ParamList | undefined {
  const params: string[] = [];
  let at = from;
  while (text[at] === ",") {
    at += 1;
    const quoted = text[at] === '"' ? readQuoted(text, at) : undefined;
    if (quoted !== undefined && (text[quoted.end] === "," || text[quoted.end] === "#")) {
      params.push(quoted.value);
      at = quoted.end;
      continue;
    }
    const start = at;
    while (at < text.length && text[at] !== "," && text[at] !== "#") at += 1;
    params.push(text.slice(start, at));
  }
  return text[at] === "#" ? { params, end: at } : undefined;
}

function readAt(text: string, start: number): FoundExpression | undefined {
  head.lastIndex = start;
  const match = head.exec(text);
  if (match === null) return undefined;
  const [, dictionary = "", key = ""] = match;
  const afterKey = head.lastIndex;
  if (text[afterKey] === "#") return { expression: { dictionary, key }, start, end: afterKey + 1 };
  const list = readParams(text, afterKey);
  if (list === undefined) return undefined;
  return { expression: { dictionary, key, params: list.params }, start, end: list.end + 1 };
}

/** Finds all expressions in a string, in order. */
export function findExpressions(text: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  if (typeof text !== "string") return found;
  let at = text.indexOf("#");
  while (at >= 0) {
    const expression = readAt(text, at);
    if (expression !== undefined) found.push(expression);
    // A `#` that opens no expression may still open the next one.
    at = text.indexOf("#", expression?.end ?? at + 1);
  }
  return found;
}

/** Parses a string that is one expression; otherwise returns `null`. */
export function parseExpression(text: string): DictionaryExpression | null {
  if (typeof text !== "string") return null;
  const found = readAt(text, 0);
  return found !== undefined && found.end === text.length ? found.expression : null;
}

/** Placeholder of a value that cannot be found. */
export function placeholder(dictionary: string, key: string): string {
  return `#${dictionary}.${key}#`;
}

/** Highest number a `$N` may have. */
const MAX_PARAM = 99;

/** Replaces `$0`, `$1` ... in one pass: inserted values are not searched again. */
export function insertParams(text: string, params: readonly string[]): string {
  if (params.length === 0) return text;
  return text.replace(/\$(\d+)/g, (mark: string, digits: string) => {
    const index = Number(digits);
    return index <= MAX_PARAM ? (params[index] ?? mark) : mark;
  });
}
