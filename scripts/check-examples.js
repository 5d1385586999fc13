// Compiles every example: those of the docstrings and the `ts` blocks of README.md and docs. Fails as well when a public
// method has none; a static getter beside a property of the same name needs none. What examples take as given is
// in examples-prelude.d.ts; names of the library need no import.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import ts from "typescript";
import { checker, entries, exportsOf, isStarted, root, settings, program as surface } from "./library-program.js";

const prelude = join(root, "scripts", "examples-prelude.d.ts");

const names = (folder, form) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => form.test(name))
    .map((name) => join(root, folder, name));

/** Blocks of code of a text, each with the line it begins in. */
function blocks(text, firstLine = 1) {
  return [...text.matchAll(/^([ \t*]*)```ts\n([\s\S]*?)^[ \t*]*```/gm)].map((match) => ({
    line: firstLine + text.slice(0, match.index).split("\n").length,
    code: match[2].replaceAll(/^[ \t]*\* ?/gm, (start) => (match[1].includes("*") ? "" : start)),
  }));
}

/** Docstrings of a source file as text, with their lines. */
function docstrings(source) {
  const found = new Map();
  const visit = (node) => {
    for (const doc of node.jsDoc ?? []) found.set(doc.pos, doc);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...found.values()].map((doc) => ({
    text: doc.getText(source),
    line: source.getLineAndCharacterOfPosition(doc.getStart(source)).line + 1,
  }));
}

const sources = names("src/lib", /\.ts$/);
const papers = [join(root, "README.md"), ...names("docs", /\.md$/)];
const examples = [
  ...sources.flatMap((path) => {
    const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
    return docstrings(source).flatMap(({ text, line }) => blocks(text, line).map((block) => ({ path, ...block })));
  }),
  ...papers.flatMap((path) => blocks(readFileSync(path, "utf8")).map((block) => ({ path, ...block }))),
];

const publicNames = exportsOf(entries.iotdeck).map(({ name }) => name);

/** An example as a module: with imports of the names of the library that it uses and does not import itself. */
function asModule({ code }) {
  const imported = [...code.matchAll(/^import [\s\S]*?from/gm)].map(([text]) => text).join("\n");
  const rest = code.replaceAll(/(["'`])(?:\\.|(?!\1)[^\\\n])*\1|\/\/.*$/gm, "");
  const isUsed = (name) => new RegExp(`(?<![.\\w])${name}\\b(?!\\s*:)`).test(rest);
  const isOwn = (name) =>
    new RegExp(`\\b${name}\\b`).test(imported) || new RegExp(`(const|class|type) ${name}\\b`).test(rest);
  const used = publicNames.filter((name) => isUsed(name) && !isOwn(name));
  const types = used.filter(
    (name) => new RegExp(`[<:]\\s*${name}\\b`).test(rest) && !new RegExp(`\\bnew ${name}\\b`).test(rest),
  );
  const list = used.map((name) => (types.includes(name) ? `type ${name}` : name)).join(", ");
  return `${list === "" ? "export {};" : `import { ${list} } from "iotdeck";`}\n${code}`;
}

const files = new Map(
  examples.map((one, index) => [join(root, "src", `example-${index}.ts`), { ...one, text: asModule(one) }]),
);
const host = ts.createCompilerHost(settings, true);
const { fileExists, readFile, getSourceFile } = host;
host.fileExists = (path) => files.has(path) || fileExists(path);
host.readFile = (path) => files.get(path)?.text ?? readFile(path);
host.getSourceFile = (path, ...rest) =>
  files.has(path)
    ? ts.createSourceFile(path, files.get(path).text, rest[0], true)
    : (surface.getSourceFile(path) ?? getSourceFile(path, ...rest));
const program = ts.createProgram({
  rootNames: [prelude, ...files.keys()],
  options: settings,
  host,
  oldProgram: surface,
});

export const faults = [];
for (const [path, example] of files) {
  const source = program.getSourceFile(path);
  for (const { start = 0, messageText } of [
    ...program.getSyntacticDiagnostics(source),
    ...program.getSemanticDiagnostics(source),
  ]) {
    const line = example.line + source.getLineAndCharacterOfPosition(start).line - 1;
    faults.push(`${relative(root, example.path)}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n  ")}`);
  }
}
for (const { messageText } of [
  ...program.getOptionsDiagnostics(),
  ...program.getSemanticDiagnostics(program.getSourceFile(prelude)),
])
  faults.push(`examples-prelude.d.ts: ${ts.flattenDiagnosticMessageText(messageText, "\n  ")}`);

const lib = join(root, "src", "lib");
const isOurs = (declaration) => declaration.getSourceFile().fileName.startsWith(lib);
const isHidden = (declaration) =>
  ts.getCombinedModifierFlags(declaration) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected) ||
  (declaration.name !== undefined && ts.isPrivateIdentifier(declaration.name)) ||
  ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal");
const hasBody = (declaration) =>
  ts.isMethodDeclaration(declaration) ||
  ts.isAccessor(declaration) ||
  ts.isMethodSignature(declaration) ||
  ts.isFunctionDeclaration(declaration);

/** Everything that can be called or got from the entry: what the exported names are, hold and give back. */
function publicMembers() {
  const seen = new Set();
  const found = new Map();
  const visitType = (type) => {
    if (seen.has(type)) return;
    seen.add(type);
    if (type.isUnionOrIntersection()) for (const part of type.types) visitType(part);
    for (const part of checker.getTypeArguments(type.target ? type : {}) ?? []) visitType(part);
    for (const declaration of type.symbol?.declarations ?? []) {
      if (!isOurs(declaration)) continue;
      if (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration)) visitOwner(declaration);
    }
  };
  const visitSignature = (symbol, declaration) => {
    const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
    for (const signature of type.getCallSignatures()) visitType(checker.getReturnTypeOfSignature(signature));
    if (type.getCallSignatures().length === 0) visitType(type);
  };
  const add = (name, symbol, declarations) => {
    const docs = declarations.flatMap((declaration) => declaration.jsDoc ?? []);
    const has = docs.some((doc) => /```ts/.test(doc.getText()));
    found.set(name, { has, at: declarations[0] });
    visitSignature(symbol, declarations[0]);
  };
  const visitOwner = (owner) => {
    if (seen.has(owner)) return;
    seen.add(owner);
    for (const clause of owner.heritageClauses ?? [])
      for (const base of clause.types) visitType(checker.getTypeAtLocation(base));
    for (const member of owner.members) {
      const symbol = member.name && checker.getSymbolAtLocation(member.name);
      if (symbol === undefined || isHidden(member)) continue;
      const name = `${owner.name.text}.${symbol.name}`;
      const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
      const isTwin = isStatic && ts.isGetAccessor(member) && checker.getTypeAtLocation(owner).getProperty(symbol.name);
      if (hasBody(member) && !isTwin) add(isStatic ? `static ${name}` : name, symbol, symbol.declarations);
      else visitSignature(symbol, member);
    }
  };
  for (const alias of exportsOf(entries.iotdeck)) {
    const symbol = alias.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(alias) : alias;
    if (symbol.getJsDocTags(checker).some(({ name }) => name === "internal")) continue;
    const [declaration] = symbol.declarations;
    if (ts.isClassDeclaration(declaration)) visitOwner(declaration);
    else if (ts.isFunctionDeclaration(declaration)) add(symbol.name, symbol, symbol.declarations);
    else if (ts.isVariableDeclaration(declaration)) {
      for (const member of checker.getTypeOfSymbolAtLocation(symbol, declaration).getProperties()) {
        const type = checker.getTypeOfSymbol(member);
        const own = (type.symbol?.declarations ?? []).filter((one) => isOurs(one) && hasBody(one));
        if (own.length > 0) add(`${symbol.name}.${member.name}`, member, own);
        else visitType(type);
        for (const one of type.symbol?.declarations ?? []) if (ts.isClassDeclaration(one)) visitOwner(one);
      }
    }
  }
  return found;
}

const members = publicMembers();
for (const [name, { has, at }] of members) {
  if (has) continue;
  const source = at.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(at.getStart(source));
  faults.push(`${relative(root, source.fileName)}:${line + 1} ${name} has no example`);
}

export const counts = { examples: examples.length, methods: members.size };

if (isStarted(import.meta.url)) {
  if (process.argv.includes("--list")) console.log([...members.keys()].sort().join("\n"));
  for (const fault of faults) console.error(fault);
  console.log(`${counts.examples} examples, ${counts.methods} public methods, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
