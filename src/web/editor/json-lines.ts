import { type Node, type ParseError, parseTree } from "jsonc-parser";

/** Where the parts of a JSON text are, and where it stops being JSON. */
export interface JsonLines {
  /** Line, from 1, of each path, written as the schema's problems write them: `display.range.type`, `data[0].origin`. */
  readonly lines: ReadonlyMap<string, number>;
  /** The line of the first mistake. */
  readonly wrong?: number;
}

/** Reads where everything in a JSON text is. */
export function jsonLines(text: string): JsonLines {
  try {
    return read(text);
  } catch (error) {
    // A text nested too deeply for this is too deep to be edited.
    if (error instanceof RangeError) return { lines: new Map(), wrong: 1 };
    throw error;
  }
}

function read(text: string): JsonLines {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const lineAt = (offset: number): number => starts.findLastIndex((start) => start <= offset) + 1;
  const lines = new Map<string, number>();
  const visit = ({ type, offset, children = [] }: Node, path: string): void => {
    if (!lines.has(path)) lines.set(path, lineAt(offset));
    for (const [index, child] of children.entries()) {
      if (type === "array") visit(child, `${path}[${index}]`);
      const [name, value] = type === "object" ? (child.children ?? []) : [];
      if (name === undefined) continue;
      const below = path === "" ? String(name.value) : `${path}.${name.value}`;
      lines.set(below, lineAt(name.offset));
      if (value !== undefined) visit(value, below);
    }
  };
  if (root !== undefined) visit(root, "");
  const [first] = errors;
  return first === undefined ? { lines } : { lines, wrong: lineAt(first.offset) };
}

/** The line of a path, or of what it would be in. */
export function lineOf({ lines }: Pick<JsonLines, "lines">, path: string): number {
  const line = lines.get(path);
  const above = path.replace(/(?:^|\.)[^.[\]]*$|\[\d+\]$/, "");
  return line ?? (above === path ? 1 : lineOf({ lines }, above));
}
