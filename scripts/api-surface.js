// Writes api-surface.md: every public name, the methods of every class and the names of their arguments. A change to
// that file is a change to what programs rely on.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { checker, entries, isStarted, program, root } from "./library-program.js";

const byText = (a, b) => (a < b ? -1 : a > b ? 1 : 0);
const isInternal = (symbol) => symbol.getJsDocTags(checker).some(({ name }) => name === "internal");
const isHidden = (symbol) => {
  if (isInternal(symbol)) return true;
  const [declaration] = symbol.declarations ?? [];
  const flags = declaration === undefined ? 0 : ts.getCombinedModifierFlags(declaration);
  if (declaration?.name !== undefined && ts.isPrivateIdentifier(declaration.name)) return true;
  return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
};

function parameters(signature) {
  const names = signature.parameters.map((parameter) => {
    const { valueDeclaration: declaration } = parameter;
    if (declaration === undefined || !ts.isParameter(declaration)) return parameter.name;
    const isOptional = declaration.questionToken !== undefined || declaration.initializer !== undefined;
    const name = parameter.name.startsWith("__") ? "options" : parameter.name;
    return `${declaration.dotDotDotToken === undefined ? "" : "..."}${name}${isOptional ? "?" : ""}`;
  });
  return `(${names.join(", ")})`;
}

/** A member as a line: name with arguments for what can be called, the bare name for what can be read. */
function memberLine(symbol, prefix) {
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) return [];
  const signatures = checker.getTypeOfSymbolAtLocation(symbol, declaration).getCallSignatures();
  const isCallable = signatures.length > 0 && (symbol.flags & ts.SymbolFlags.Accessor) === 0;
  return isCallable
    ? signatures.map((one) => `${prefix}${symbol.name}${parameters(one)}`)
    : [`${prefix}${symbol.name}`];
}

const lines = (symbols, prefix) =>
  symbols
    .filter((symbol) => !isHidden(symbol))
    .flatMap((symbol) => memberLine(symbol, prefix))
    .sort(byText)
    .map((line) => `  - \`${line}\``);

function describeClass(symbol, isType = false) {
  const declaration = symbol.declarations?.find(ts.isClassDeclaration);
  const base = declaration?.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types[0];
  const constructors = checker.getTypeOfSymbol(symbol).getConstructSignatures();
  const own = [...(symbol.members?.values() ?? [])].filter(
    ({ name, flags }) => !["__constructor", "__type"].includes(name) && (flags & ts.SymbolFlags.TypeParameter) === 0,
  );
  const statics = [...(symbol.exports?.values() ?? [])].filter(({ name }) => name !== "prototype");
  return [
    `- \`${symbol.name}${base === undefined ? "" : ` extends ${base.expression.getText()}`}\``,
    ...(isType ? [] : constructors.map((one) => `  - \`new ${symbol.name}${parameters(one)}\``)),
    ...lines(statics, "static "),
    ...lines(own, ""),
  ];
}

function describeValue(symbol) {
  const [declaration] = symbol.declarations ?? [];
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const signatures = type.getCallSignatures();
  if (signatures.length > 0) return signatures.map((one) => `- \`${symbol.name}${parameters(one)}\``);
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(type);
  return [`- \`${symbol.name}\``, ...(isObject ? lines(checker.getPropertiesOfType(type), "") : [])];
}

/** Names an entry gives as values; the others are there for types only. */
function valueNames(source) {
  const names = new Set();
  for (const { name, modifiers } of source.statements) {
    if (name !== undefined && modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) names.add(name.text);
  }
  for (const statement of source.statements.filter(ts.isExportDeclaration)) {
    if (statement.isTypeOnly) continue;
    if (statement.exportClause === undefined) {
      const module = checker.getSymbolAtLocation(statement.moduleSpecifier);
      for (const { name } of checker.getExportsOfModule(module)) names.add(name);
      continue;
    }
    for (const { name, isTypeOnly } of statement.exportClause.elements) if (!isTypeOnly) names.add(name.text);
  }
  return names;
}

function describeEntry([name, path]) {
  const source = program.getSourceFile(join(root, path));
  const module = checker.getSymbolAtLocation(source);
  if (module === undefined) throw new Error(`${path} exports nothing`);
  const asValues = valueNames(source);
  const symbols = checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter((symbol, index, all) => !isInternal(symbol) && all.indexOf(symbol) === index)
    .sort((a, b) => byText(a.name, b.name));
  const isClass = ({ flags }) => (flags & ts.SymbolFlags.Class) !== 0;
  const isValue = (symbol) => (symbol.flags & ts.SymbolFlags.Value) !== 0 && asValues.has(symbol.name);
  const classes = symbols.filter((symbol) => isClass(symbol) && isValue(symbol)).flatMap((one) => describeClass(one));
  const typeClasses = symbols
    .filter((symbol) => isClass(symbol) && !isValue(symbol))
    .flatMap((one) => describeClass(one, true));
  const values = symbols.filter((symbol) => isValue(symbol) && !isClass(symbol)).flatMap(describeValue);
  const isType = (symbol) => !isValue(symbol) && !isClass(symbol);
  // A type may be exported under other names as well.
  const types = checker
    .getExportsOfModule(module)
    .map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol])
    .filter(([, symbol]) => isType(symbol) && !isInternal(symbol))
    .map(([name, symbol]) => (name === symbol.name || !/^\w+$/.test(symbol.name) ? name : `${name} = ${symbol.name}`))
    .sort(byText)
    .map((name) => `- \`${name}\``);
  const part = (title, list) => (list.length === 0 ? [] : ["", `### ${title}`, "", ...list]);
  return [
    "",
    `## ${name}`,
    ...part("Classes", classes),
    ...part("Classes of members, exported as types", typeClasses),
    ...part("Functions and values", values),
    ...part("Types", types),
  ];
}

export const text = [
  "# Public surface",
  "",
  "Written by `node scripts/api-surface.js` from the declarations; a test compares the two.",
  ...Object.entries(entries).flatMap(describeEntry),
  "",
].join("\n");

if (isStarted(import.meta.url)) writeFileSync(join(root, "api-surface.md"), text);
