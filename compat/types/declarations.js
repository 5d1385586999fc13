// Reads declarations: the calls and properties of a package (classes, the objects in them, namespaces), and its types.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const here = dirname(fileURLToPath(import.meta.url));
const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

/** The modules of these names, as a file of this folder imports them, and what knows their types. */
export function readModules(names) {
  const entry = join(here, "entry.ts");
  const options = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  const text = names.map((name) => `import "${name}";`).join("\n");
  host.fileExists = (name) => name === entry || fileExists.call(host, name);
  host.getSourceFile = (name, version, ...rest) =>
    name === entry ? ts.createSourceFile(name, text, version, true) : getSourceFile.call(host, name, version, ...rest);
  const program = ts.createProgram([entry], options, host);
  const checker = program.getTypeChecker();
  const { statements } = program.getSourceFile(entry);
  const modules = statements.map(({ moduleSpecifier }, index) => {
    const module = checker.getSymbolAtLocation(moduleSpecifier);
    if (module === undefined) throw new Error(`${names[index]} has no declarations`);
    return module;
  });
  return { checker, modules };
}

/**
 * Paths from the values of a module, each with the TypeScript expression of its type, given the one of the module. A class
 * that several properties lead to is listed once, by the shortest path.
 */
export function pathsOf(checker, module, moduleName, values) {
  const found = [];
  const seen = new Set();
  const queue = [];

  function isHidden(symbol) {
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined || symbol.name === "prototype" || symbol.name.startsWith("_")) return true;
    return (ts.getCombinedModifierFlags(declaration) & hidden) !== 0;
  }

  function addMembers(type, path, expression) {
    for (const symbol of checker.getPropertiesOfType(type)) {
      if (!isHidden(symbol)) queue.push([symbol, `${path}.${symbol.name}`, `${expression}["${symbol.name}"]`]);
    }
  }

  function visit(symbol, path, expression) {
    const type = checker.getTypeOfSymbol(symbol);
    const [construct] = type.getConstructSignatures();
    if (construct !== undefined) {
      const signatures = [construct];
      found.push({ path: `new ${path}`, expression, kind: "constructor", arity: arity(signatures), signatures });
      addMembers(type, path, expression);
      addMembers(construct.getReturnType(), `${path}#`, `InstanceType<${expression}>`);
      return;
    }
    const signatures = type.getCallSignatures();
    if (signatures.length > 0) {
      found.push({ path, expression, kind: "call", arity: arity(signatures), signatures });
    } else if (type.symbol?.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.ValueModule)) {
      // Static getters lead to the same classes as the properties.
      if (seen.has(type.symbol) || symbol.flags & ts.SymbolFlags.Accessor) return;
      seen.add(type.symbol);
      addMembers(type, path, expression);
    } else {
      found.push({ path, expression, kind: "property", signatures: [] });
    }
  }

  for (const symbol of checker.getExportsOfModule(module)) {
    if (values.has(symbol.name)) {
      queue.push([aliased(checker, symbol), symbol.name, `${moduleName}["${symbol.name}"]`]);
    }
  }
  queue.sort(([, a], [, b]) => Number(b === "Resources") - Number(a === "Resources"));
  for (const next of queue) visit(...next);
  return found;
}

const arity = (signatures) => Math.max(...signatures.map(({ parameters }) => parameters.length));

/**
 * Types a module exports, each with its properties (none for those that are no objects, and for generic ones), whether it
 * is a class or an enum, and how many type arguments it needs.
 */
export function typesOf(checker, module) {
  const found = new Map();
  for (const symbol of checker.getExportsOfModule(module)) {
    const target = aliased(checker, symbol);
    if ((target.flags & ts.SymbolFlags.Type) === 0) continue;
    const isOpaque = (target.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.Enum)) !== 0;
    const [declaration] = target.declarations ?? [];
    const isGeneric = (declaration?.typeParameters?.length ?? 0) > 0;
    const type = checker.getDeclaredTypeOfSymbol(target);
    const isObject = !isOpaque && !isGeneric && members(type).every(isPlainObject);
    const properties = isObject ? checker.getPropertiesOfType(type).map(({ name }) => name) : [];
    if (isObject && checker.getIndexInfosOfType(type).length > 0) properties.push("");
    found.set(symbol.name, { properties, isOpaque, isUnion: type.isUnion(), target });
  }
  return found;
}

const members = (type) => (type.isUnionOrIntersection() ? type.types.flatMap(members) : [type]);
const isPlainObject = (type) =>
  (type.flags & ts.TypeFlags.Object) !== 0 &&
  type.getCallSignatures().length === 0 &&
  !/^(Array|ReadonlyArray|Date)$/.test(type.symbol?.name ?? "");

/** Names of the types that calls only take: no result leads to them. */
export function takenOnly(checker, types, paths) {
  const names = new Map([...types].map(([name, { target }]) => [target, name]));
  const isOfTheLanguage = (symbol) =>
    symbol?.declarations?.every((one) => /[\\/]typescript[\\/]lib[\\/]lib\./.test(one.getSourceFile().fileName));

  function reach(roots) {
    const found = new Set();
    const seen = new Set();
    const queue = [...roots];
    for (let type = queue.pop(); type !== undefined; type = queue.pop()) {
      if (seen.has(type)) continue;
      seen.add(type);
      // An optional argument is a union with undefined, which has lost its name.
      queue.push(checker.getNonNullableType(type));
      for (const symbol of [type.aliasSymbol, type.symbol]) if (names.has(symbol)) found.add(names.get(symbol));
      queue.push(...(type.aliasTypeArguments ?? []));
      if (type.isUnionOrIntersection()) queue.push(...type.types);
      if ((type.flags & ts.TypeFlags.Object) === 0) continue;
      if ((type.objectFlags & ts.ObjectFlags.Reference) !== 0) queue.push(...checker.getTypeArguments(type));
      if (isOfTheLanguage(type.symbol) || (type.symbol?.flags & ts.SymbolFlags.Class) !== 0) continue;
      queue.push(...checker.getPropertiesOfType(type).map((one) => checker.getTypeOfSymbol(one)));
      queue.push(...checker.getIndexInfosOfType(type).map((one) => one.type));
    }
    return found;
  }

  const signatures = paths.flatMap((path) => path.signatures);
  const taken = reach(signatures.flatMap(({ parameters }) => parameters.map((one) => checker.getTypeOfSymbol(one))));
  const received = reach(signatures.map((one) => one.getReturnType()));
  const only = new Set([...taken].filter((name) => !received.has(name)));
  // Other names of the same types.
  const same = new Set([...only].map((name) => checker.getDeclaredTypeOfSymbol(types.get(name).target)));
  for (const [name, { target }] of types) if (same.has(checker.getDeclaredTypeOfSymbol(target))) only.add(name);
  return only;
}

const aliased = (checker, symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
