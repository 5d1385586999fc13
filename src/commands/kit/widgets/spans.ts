/** The position of a value in a JSON text. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Property names and element indexes, from the outside in. */
export type Path = readonly string[];

/** What is looked for below one value. */
interface Wanted {
  /** Number of the path that ends here. */
  found?: number;
  readonly below: Map<string, Wanted>;
}

/** Finds the values at some paths in a valid JSON text, in the order of the paths. One pass over the text. */
export function findSpans(text: string, paths: readonly Path[]): readonly (TextSpan | undefined)[] {
  // A line of JSON lines is most often one widget.
  if (paths.length === 1 && paths[0]?.length === 0) return [{ start: skipBlanks(text, 0), end: text.trimEnd().length }];
  const root: Wanted = { below: new Map() };
  for (const [number, path] of paths.entries()) {
    let place = root;
    for (const name of path) {
      const next = place.below.get(name) ?? { below: new Map() };
      place.below.set(name, next);
      place = next;
    }
    place.found = number;
  }
  const spans: (TextSpan | undefined)[] = paths.map(() => undefined);
  walk(text, skipBlanks(text, 0), root, spans);
  return spans;
}

/** Notes what is wanted of the value that starts at `start`, and returns where it ends. */
function walk(text: string, start: number, wanted: Wanted, spans: (TextSpan | undefined)[]): number {
  const isObject = text[start] === "{";
  const isContainer = isObject || text[start] === "[";
  const end =
    wanted.below.size > 0 && isContainer ? walkMembers(text, start, isObject, wanted, spans) : valueEnd(text, start);
  // If a name appears twice, the last one counts.
  if (wanted.found !== undefined) spans[wanted.found] = { start, end };
  return end;
}

function walkMembers(
  text: string,
  start: number,
  isObject: boolean,
  { below }: Wanted,
  spans: (TextSpan | undefined)[],
): number {
  let at = skipBlanks(text, start + 1);
  for (let number = 0; text[at] !== "}" && text[at] !== "]"; number += 1) {
    let name = String(number);
    if (isObject) {
      const nameEnd = valueEnd(text, at);
      name = String(JSON.parse(text.slice(at, nameEnd)));
      at = skipBlanks(text, skipBlanks(text, nameEnd) + 1);
    }
    const wanted = below.get(name);
    at = skipBlanks(text, wanted === undefined ? valueEnd(text, at) : walk(text, at, wanted, spans));
    if (text[at] === ",") at = skipBlanks(text, at + 1);
  }
  return at + 1;
}

const isBlank = (code: number): boolean =>
  code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff;

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

/** Where a value of any kind and depth ends. */
function valueEnd(text: string, start: number): number {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInString) {
      if (code === 0x5c) at += 1;
      else if (code === 0x22) isInString = false;
      if (!isInString && depth === 0) return at + 1;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x7b || code === 0x5b) depth += 1;
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
      if (depth === 0) return at + 1;
      // The end of the enclosing value.
      if (depth < 0) return at;
    } else if (depth === 0 && (code === 0x2c || code === 0x3a || isBlank(code))) return at;
  }
  return text.length;
}
