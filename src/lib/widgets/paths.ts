const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** The path of a key below `parent`: `display.variables[0].alias`, with `["any key"]` for unusual names. */
export function keyPath(parent: string, key: string | number): string {
  if (typeof key === "number") return `${parent}[${key}]`;
  if (!PLAIN_KEY.test(key)) return `${parent}[${JSON.stringify(key)}]`;
  return parent === "" ? key : `${parent}.${key}`;
}

/** The keys of a value with their paths; list items by index. */
export function* keysOf(value: object, parent: string): Generator<readonly [key: string, path: string]> {
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) yield [key, keyPath(parent, isList ? Number(key) : key)];
}

/** Longest path that contains both; `""` for the whole widget. */
export function commonPath(a: string, b: string): string {
  if (a === b) return a;
  const longest = Math.min(a.length, b.length);
  let end = 0;
  for (let i = 0; i <= longest; i++) {
    if (isEnd(a, i) && isEnd(b, i)) end = i;
    if (a[i] !== b[i]) break;
  }
  return a.slice(0, end);
}

function isEnd(path: string, at: number): boolean {
  return at === path.length || path[at] === "." || path[at] === "[";
}
