// Lists what is public and has no doc comment, one line each: exported declarations and members. Also lists the types of
// the library that a public signature uses but src/index.ts does not export. Prints nothing when there is none.
//
// The surface is what can be reached from the exports of the two entries: exported interfaces, type literals and classes
// of this project, and what their members, arguments and results name. A member counts as documented when
// - it has a doc comment, or the member it overrides or implements has one, or the function it is a name of, or
// - it overrides a member of a class that is not of this project, such as `name` of `Error`, or
// - it belongs to an inline object type, and the comment of what holds that type names it: `name`, or `@param x.name`.
// Private and internal members, index signatures, tuples and what `Pick` and `Omit` take over need nothing.
import { join, relative, sep } from "node:path";
import ts from "typescript";
import { checker, entries, exportsOf, isStarted, root } from "./library-program.js";

const sources = join(root, "src") + sep;
const library = join(sources, "lib") + sep;
/** Shown by constructors and base classes only, or kept to itself by its file. */
const unnamed = new Set(
  "HttpClient Rate RequestInput Route RouteTraits ListDefaults Results ResultKind Message RelayedEmail".split(" "),
);

const faults = [];
const seen = new Set();
const named = new Set();

const aliased = (symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
const isOurs = (node) => node.getSourceFile().fileName.startsWith(sources);
const isInternal = (node) => ts.getJSDocTags(node).some(({ tagName }) => tagName.text === "internal");
const isHidden = (node) =>
  (ts.getCombinedModifierFlags(node) & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 ||
  (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
  isInternal(node);

const isType = (node) =>
  ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node);

const isMember = (node) =>
  ts.isPropertySignature(node) ||
  ts.isMethodSignature(node) ||
  ts.isPropertyDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isAccessor(node) ||
  ((ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) && isInVariable(node));

/** What other files can name. A function or class has its own name; variables are declared one level deeper. */
const isExported = (node) =>
  (ts.isDeclarationStatement(node) || ts.isVariableDeclaration(node)) &&
  (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Export) !== 0;

/** Whether an object literal is a value that is exported as such, as in `export const Utils = { ... }`. */
const isInVariable = ({ parent }) => {
  const holder = ts.isVariableDeclaration(parent.parent) ? parent.parent : parent.parent.parent;
  return ts.isVariableDeclaration(holder);
};

/** What the comment of the nearest member, type or function around an inline object type says. */
function holderText(node) {
  for (let { parent } = node.parent; parent !== undefined; { parent } = parent) {
    const text = (parent.jsDoc ?? []).map((doc) => doc.getText()).join("\n");
    if (text !== "") return text;
    if (ts.isClassDeclaration(parent) || ts.isInterfaceDeclaration(parent)) return "";
  }
  return "";
}

/** Whether a class that is not of this project, such as `Error`, has the member too. */
function isForeign({ parent, name }) {
  const bases = ts.isClassDeclaration(parent) ? checker.getTypeAtLocation(parent).getBaseTypes() : [];
  const symbols = (bases ?? []).map((base) => checker.getPropertyOfType(base, name.getText()));
  return symbols.some((symbol) =>
    symbol?.declarations?.some((declaration) => !isOurs(declaration) || isForeign(declaration)),
  );
}

function isDocumented(member) {
  const symbol = ts.isShorthandPropertyAssignment(member)
    ? aliased(checker.getShorthandAssignmentValueSymbol(member))
    : checker.getSymbolAtLocation(member.name);
  if (symbol === undefined || isForeign(member)) return true;
  if (symbol.getDocumentationComment(checker).length > 0) return true;
  if (symbol.getJsDocTags(checker).some(({ text }) => text !== undefined)) return true;
  const isInline = ts.isTypeLiteralNode(member.parent) && !ts.isTypeAliasDeclaration(member.parent.parent);
  if (!isInline) return false;
  const name = member.name.getText();
  return holderText(member).includes(`\`${name}\``) || new RegExp(`@param \\w+\\.${name}\\b`).test(holderText(member));
}

/** The names of the declarations around a member, e.g. `DeviceInfo.rpm.data_input`. */
function path(node) {
  const names = [];
  for (let one = node; one !== undefined; one = one.parent) {
    if (one.name !== undefined && !ts.isParameter(one)) names.unshift(one.name.getText());
  }
  return names.join(".");
}

function report(node, name) {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  faults.push({ file: relative(root, source.fileName).replaceAll(sep, "/"), line: line + 1, name });
}

function check(member) {
  if (!isDocumented(member)) report(member, path(member));
}

/** A type that a public signature uses and no entry exports: programs could not name it. */
function checkName(node) {
  if (!isType(node) || node.parent !== node.getSourceFile() || unnamed.has(node.name.text)) return;
  const file = node.getSourceFile().fileName;
  // A local alias is a shorthand, which editors show in full.
  const isLocalAlias = ts.isTypeAliasDeclaration(node) && !isExported(node);
  if (!file.startsWith(library) || isLocalAlias || named.has(checker.getSymbolAtLocation(node.name))) return;
  report(node, `${path(node)} is not exported by src/index.ts`);
}

function visitSymbol(symbol) {
  for (const declaration of aliased(symbol).declarations ?? []) if (isOurs(declaration)) visit(declaration);
}

/** Types that are not written down: what a method without a declared result gives back. */
function visitType(type) {
  if (seen.has(type)) return;
  seen.add(type);
  const ofClass = checker.getTypeArguments(type.target === undefined ? {} : type);
  for (const part of [...(type.types ?? []), ...(type.aliasTypeArguments ?? []), ...(ofClass ?? [])]) visitType(part);
  for (const symbol of [type.aliasSymbol, type.symbol]) if (symbol !== undefined) visitSymbol(symbol);
}

function visitInferred(node) {
  const type = checker.getTypeAtLocation(node);
  const signatures = type.getCallSignatures();
  for (const signature of signatures) visitType(checker.getReturnTypeOfSignature(signature));
  if (signatures.length === 0) visitType(type);
}

function visit(node) {
  if (seen.has(node) || ts.isBlock(node) || isHidden(node)) return;
  if (ts.isFunctionLike(node) && checker.isImplementationOfOverload(node)) return;
  seen.add(node);
  if (isMember(node) || isExported(node)) check(node);
  checkName(node);
  if (ts.isIdentifier(node)) {
    const symbol =
      ts.isDeclaration(node.parent) && node.parent.name === node ? undefined : checker.getSymbolAtLocation(node);
    if (symbol !== undefined) visitSymbol(symbol);
    return;
  }
  const isInferred =
    (ts.isFunctionLike(node) || ts.isVariableDeclaration(node) || ts.isPropertyDeclaration(node)) &&
    node.type === undefined;
  if (isInferred && !ts.isConstructorDeclaration(node)) visitInferred(node);
  ts.forEachChild(node, (child) => {
    // Neither what a value is made of nor the pattern of a conditional type is a type of the surface.
    if (child === node.initializer || child === node.extendsType) return;
    visit(child);
  });
}

const symbols = Object.values(entries).flatMap(exportsOf);
for (const symbol of symbols) named.add(aliased(symbol));
for (const symbol of symbols) visitSymbol(symbol);

faults.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
export const undocumented = faults.map(({ file, line, name }) => `${file}:${line} ${name}`);

if (isStarted(import.meta.url)) for (const fault of undocumented) console.log(fault);
