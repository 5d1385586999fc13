// Finds every call and property of a package by its declarations: classes, the objects in them, and namespaces.
import ts from "typescript";

const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

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
      found.push({ path: `new ${path}`, expression, kind: "constructor", arity: arity([construct]) });
      addMembers(type, path, expression);
      addMembers(construct.getReturnType(), `${path}#`, `InstanceType<${expression}>`);
      return;
    }
    const call = type.getCallSignatures();
    if (call.length > 0) {
      found.push({ path, expression, kind: "call", arity: arity(call) });
    } else if (type.symbol?.flags & (ts.SymbolFlags.Class | ts.SymbolFlags.ValueModule)) {
      // Static getters lead to the same classes as the properties.
      if (seen.has(type.symbol) || symbol.flags & ts.SymbolFlags.Accessor) return;
      seen.add(type.symbol);
      addMembers(type, path, expression);
    } else {
      found.push({ path, expression, kind: "property" });
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

/** Names of the types a module exports. */
export function typeNamesOf(checker, module) {
  return checker
    .getExportsOfModule(module)
    .map((symbol) => ({ name: symbol.name, target: aliased(checker, symbol) }))
    .filter(({ target }) => (target.flags & ts.SymbolFlags.Type) !== 0)
    .map(({ name }) => name);
}

const aliased = (checker, symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
