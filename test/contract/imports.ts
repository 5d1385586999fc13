import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, sep } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  readonly imports: Readonly<Record<string, { readonly default: string }>>;
};

/** One import of a source file. */
export interface Import {
  /** Path under `src/`. */
  readonly from: string;
  /** Path under `src/`, or the name of a package or module of Node. */
  readonly to: string;
  /** `type` leaves nothing in the program; `lazy` is `import()`. */
  readonly kind: "static" | "type" | "lazy";
}

export interface SourceFile {
  readonly name: string;
  readonly text: string;
  readonly imports: readonly Import[];
}

function onlyTypes(node: ts.ImportDeclaration): boolean {
  const clause = node.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  if (clause.name !== undefined || named === undefined || !ts.isNamedImports(named)) return false;
  return named.elements.length > 0 && named.elements.every((element) => element.isTypeOnly);
}

export function importsOf(name: string, text: string): Import[] {
  const found: Import[] = [];
  const add = (specifier: ts.Node | undefined, kind: Import["kind"]) => {
    if (specifier === undefined || !ts.isStringLiteral(specifier)) return;
    const { text: to } = specifier;
    const path = to.startsWith(".")
      ? normalize(join(dirname(name), to))
          .split(sep)
          .join("/")
      : (manifest.imports[to]?.default.replace("./src/", "") ?? to);
    found.push({ from: name, to: path, kind });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, onlyTypes(node) ? "type" : "static");
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly ? "type" : "static");
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, "type");
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], "lazy");
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(name, text, ts.ScriptTarget.Latest));
  return found;
}

let sources: readonly SourceFile[] | undefined;

/** Every source file with its imports; read once for all tests of a worker. */
export function readSources(): readonly SourceFile[] {
  sources ??= parseSources();
  return sources;
}

function parseSources(): SourceFile[] {
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .map((name) => name.split(sep).join("/"))
    .filter((name) => /\.tsx?$/.test(name) && !name.endsWith(".d.ts"))
    .sort();
  return names.map((name) => {
    const text = readFileSync(join(root, "src", name), "utf8");
    return { name, text, imports: importsOf(name, text) };
  });
}
