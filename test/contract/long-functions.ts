import ts from "typescript";

/** Functions of more lines than this, from their first line to their closing brace, as `name.ts:12 (75 lines)`. */
export function longFunctions(name: string, text: string, most: number): string[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const first = lineOf(node.getStart());
      const lines = lineOf(node.end) - first + 1;
      if (lines > most) found.push(`${name}:${first} (${lines} lines)`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
