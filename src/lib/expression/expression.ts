/** A reference to a text of a dictionary, written `#DICTIONARY.KEY#` or `#DICTIONARY.KEY,first,"second, third"#`. */
export interface DictionaryExpression {
  /** Slug of the dictionary, in upper case. */
  readonly dictionary: string;
  /** Key of the text. */
  readonly key: string;
  /** Values for `$0`, `$1` ... in the text; absent when the expression names none. */
  readonly params?: readonly string[];
}

/** An expression and where it stands in a text. */
export interface FoundExpression {
  readonly expression: DictionaryExpression;
  readonly start: number;
  /** Index behind the closing `#`. */
  readonly end: number;
}

/** Slug and key as the platform allows them. Sticky, so that it reads from one place only. */
const head = /#([A-Z0-9_]+)\.([A-Z0-9_]+)(?=[#,])/y;

interface ParamList {
  readonly params: readonly string[];
  /** Index of the closing `#`. */
  readonly end: number;
}

/** Reads a value in quotes from its opening quote; a quote inside is written twice. */
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

/** Reads the values behind a comma as one line of CSV, up to the `#` that closes the expression. */
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

/** All expressions of a text, in order. */
export function findExpressions(text: string): FoundExpression[] {
  const found: FoundExpression[] = [];
  if (typeof text !== "string") return found;
  let at = text.indexOf("#");
  while (at >= 0) {
    const expression = readAt(text, at);
    if (expression !== undefined) found.push(expression);
    // A `#` that opens nothing may still be the opening one of the next try.
    at = text.indexOf("#", expression?.end ?? at + 1);
  }
  return found;
}

/** Reads a text that is an expression and nothing else; `null` when it is not. */
export function parseExpression(text: string): DictionaryExpression | null {
  if (typeof text !== "string") return null;
  const found = readAt(text, 0);
  return found !== undefined && found.end === text.length ? found.expression : null;
}

/** How a text that cannot be found is shown. */
export function placeholder(dictionary: string, key: string): string {
  return `#${dictionary}.${key}#`;
}

/** Highest number a `$N` may have. */
const MAX_PARAM = 99;

/** Puts the values in the place of `$0`, `$1` ... in one pass: values are taken literally and not searched again. */
export function insertParams(text: string, params: readonly string[]): string {
  if (params.length === 0) return text;
  return text.replace(/\$(\d+)/g, (mark: string, digits: string) => {
    const index = Number(digits);
    return index <= MAX_PARAM ? (params[index] ?? mark) : mark;
  });
}
