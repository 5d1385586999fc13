// Writes api-surface.md: every public name with its type, one line per member. Types stand as they are declared, not
// expanded: a change to that file is a change to what programs rely on.
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

const typeFlags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseAliasDefinedOutsideCurrentScope;
const printer = ts.createPrinter({ removeComments: true });
const onOneLine = (node) =>
  printer.printNode(ts.EmitHint.Unspecified, node, node.getSourceFile()).replaceAll(/\s+/g, " ");

/** What a name that programs cannot look up stands for: a list of constants, or a shorthand that its file keeps to itself. */
function meaning(node) {
  if (ts.isQualifiedName(node) && checker.getSymbolAtLocation(node.left)?.declarations?.some(ts.isNamespaceImport))
    return node.right.text;
  if (ts.isTypeReferenceNode(node)) {
    const [declaration] = checker.getSymbolAtLocation(node.typeName)?.declarations ?? [];
    if (declaration === undefined || !ts.isTypeAliasDeclaration(declaration)) return undefined;
    const isOpen = declaration.modifiers !== undefined || declaration.typeParameters !== undefined;
    return isOpen ? undefined : `(${print(declaration.type)})`;
  }
  const isConstant = ts.isTypeOperatorNode(node)
    ? ts.isTypeQueryNode(node.type)
    : ts.isTypeQueryNode(node) && checker.isTupleType(checker.getTypeAtLocation(node));
  return isConstant ? checker.typeToString(checker.getTypeAtLocation(node), undefined, typeFlags) : undefined;
}

/** The text of a node on one line. */
function print(node) {
  let text = onOneLine(node);
  const visit = (child) => {
    const full = meaning(child);
    if (full === undefined) ts.forEachChild(child, visit);
    else text = text.replace(onOneLine(child), () => full);
  };
  visit(node);
  return text;
}

const printed = (nodes, open, close) => (nodes?.length ? `${open}${nodes.map(print).join(", ")}${close}` : "");
/** The type as the declaration states it; what it leaves to the compiler, as the compiler prints it. */
const typeText = (declaration, type) =>
  declaration?.type === undefined ? checker.typeToString(type, declaration, typeFlags) : print(declaration.type);

/** A line of the list. Template literal types contain backticks. */
const item = (line, indent = "") => (line.includes("`") ? `${indent}- \`\` ${line} \`\`` : `${indent}- \`${line}\``);

function parameterText(parameter) {
  const { valueDeclaration: declaration } = parameter;
  const type = checker.getTypeOfSymbol(parameter);
  if (declaration === undefined || !ts.isParameter(declaration))
    return `${parameter.name}: ${typeText(undefined, type)}`;
  const isOptional = declaration.questionToken !== undefined || declaration.initializer !== undefined;
  const name = parameter.name.startsWith("__") ? "options" : parameter.name;
  const rest = declaration.dotDotDotToken === undefined ? "" : "...";
  return `${rest}${name}${isOptional ? "?" : ""}: ${typeText(declaration, type)}`;
}

const parameters = (signature) => `(${signature.parameters.map(parameterText).join(", ")})`;

const signatureText = (signature) =>
  `${printed(signature.declaration?.typeParameters, "<", ">")}${parameters(signature)}: ${typeText(signature.declaration, signature.getReturnType())}`;

/** A member as lines: one per overload for what can be called, one for what can be read. */
function memberLines(symbol, prefix) {
  const [declaration] = symbol.declarations ?? [];
  if (declaration === undefined) return [];
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const signatures = type.getCallSignatures();
  const isAccessor = (symbol.flags & ts.SymbolFlags.Accessor) !== 0;
  if (signatures.length > 0 && !isAccessor && declaration.type?.kind !== ts.SyntaxKind.FunctionType)
    return signatures.map((one) => `${prefix}${symbol.name}${signatureText(one)}`);
  const isReadonly =
    (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Readonly) !== 0 ||
    (isAccessor && (symbol.flags & ts.SymbolFlags.SetAccessor) === 0);
  const optional = (symbol.flags & ts.SymbolFlags.Optional) === 0 ? "" : "?";
  return [`${prefix}${isReadonly ? "readonly " : ""}${symbol.name}${optional}: ${typeText(declaration, type)}`];
}

const lines = (symbols, prefix) =>
  symbols
    .filter((symbol) => !isHidden(symbol))
    .sort((a, b) => byText(a.name, b.name))
    .flatMap((symbol) => memberLines(symbol, prefix))
    .map((line) => item(line, "  "));

/** Members declared in a class or an interface itself. */
const ownMembers = (symbol) =>
  [...(symbol.members?.values() ?? [])].filter(
    ({ name, flags }) => !name.startsWith("__") && (flags & ts.SymbolFlags.TypeParameter) === 0,
  );

/** Name, type parameters and what it extends. */
function heading(symbol, declaration, name = symbol.name) {
  const bases = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types;
  return item(`${name}${printed(declaration.typeParameters, "<", ">")}${printed(bases, " extends ", "")}`);
}

function describeClass(symbol, isType = false) {
  const constructors = checker.getTypeOfSymbol(symbol).getConstructSignatures();
  const statics = [...(symbol.exports?.values() ?? [])].filter(({ name }) => name !== "prototype");
  return [
    heading(symbol, symbol.declarations.find(ts.isClassDeclaration)),
    ...(isType ? [] : constructors.map((one) => item(`new ${symbol.name}${parameters(one)}`, "  "))),
    ...lines(statics, "static "),
    ...lines(ownMembers(symbol), ""),
  ];
}

function describeValue(symbol) {
  const [declaration] = symbol.declarations ?? [];
  const type = checker.getTypeOfSymbolAtLocation(symbol, declaration);
  const isObject = (type.flags & ts.TypeFlags.Object) !== 0 && !checker.isArrayType(type);
  const isPlain = isObject && type.getCallSignatures().length === 0;
  if (!isPlain || declaration.type !== undefined) return memberLines(symbol, "").map((line) => item(line));
  return [item(symbol.name), ...lines(checker.getPropertiesOfType(type), "")];
}

/** A type with its members; under another name than its own only that name. */
function describeType([name, symbol]) {
  if (name !== symbol.name && /^\w+$/.test(symbol.name)) return [item(`${name} = ${symbol.name}`)];
  const [declaration] = symbol.declarations ?? [];
  if (ts.isInterfaceDeclaration(declaration))
    return [
      heading(symbol, declaration, name),
      ...declaration.members.filter((member) => member.name === undefined).map((member) => item(print(member), "  ")),
      ...lines(ownMembers(symbol), ""),
    ];
  if (!ts.isTypeAliasDeclaration(declaration)) return [item(name)];
  return [item(`${name}${printed(declaration.typeParameters, "<", ">")} = ${print(declaration.type)}`)];
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
    .sort(([a], [b]) => byText(a, b))
    .flatMap(describeType);
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
