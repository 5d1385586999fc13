// Compares the declarations of the official packages with those of src/index.ts, without running anything:
// - every argument the official packages accept is accepted, with all its properties;
// - every result fits the official type, with all its properties;
// - every type they export has its name here;
// - the programs in test/types/programs, which the type check compiles against src/index.ts, are valid official programs.
// Known differences stand in known.json, by reason; others fail, and so do entries that no longer apply.
//   node compat/types/run.js [--only TEXT]   prints the differences whose name contains TEXT, with what the compiler says
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import ts from "typescript";
import { install } from "../install.js";
import { comparisonsOf, head } from "./comparisons.js";
import { pathsOf, typeNamesOf } from "./paths.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const peers = ["peer-11", "peer-12"];
const { values: flags } = parseArgs({ options: { only: { type: "string" } } });

install();

/** Compiles the texts as files of this folder, as a strict program would be. */
function compile(texts, more) {
  const files = new Map(Object.entries(texts).map(([name, text]) => [join(here, name), text]));
  const options = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts", "lib.dom.asynciterable.d.ts"],
    types: ["node"],
    typeRoots: [join(root, "node_modules", "@types")],
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    ...more,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name);
  host.getSourceFile = (name, version, ...rest) =>
    files.has(name)
      ? ts.createSourceFile(name, files.get(name), version, true)
      : getSourceFile.call(host, name, version, ...rest);
  const program = ts.createProgram([...files.keys()], options, host);
  return { program, sources: [...files.keys()].map((name) => program.getSourceFile(name)) };
}

function errorsOf(program, source) {
  const errors = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return errors.map(({ start, messageText }) => ({
    line: source.getLineAndCharacterOfPosition(start).line,
    message: ts.flattenDiagnosticMessageText(messageText, "\n"),
  }));
}

/** What the official packages declare: calls and properties of each, and the names of their types. */
function readPeers() {
  const imports = [...peers, "peer-11/lib/types.js"].map((name) => `import "${name}";`).join("\n");
  const { program, sources } = compile({ "entry.ts": imports });
  const checker = program.getTypeChecker();
  const modules = sources[0].statements.map(({ moduleSpecifier }) => checker.getSymbolAtLocation(moduleSpecifier));
  const [eleven, twelve, types] = modules;
  // Version 12 declares values that its files do not export: those that 11 has as well are real.
  const values = new Set(checker.getExportsOfModule(eleven).map(({ name }) => name));
  const names = [typeNamesOf(checker, types), typeNamesOf(checker, twelve)];
  return [eleven, twelve].map((module, index) => ({
    peer: peers[index],
    paths: pathsOf(checker, module, "Theirs", values),
    names: [...new Set(names[index])],
    inNamespace: index === 0,
  }));
}

/** Differences by name: which peers have them, and what the compiler says. */
function findDifferences() {
  const found = new Map();
  for (const { peer, ...declared } of readPeers()) {
    const lines = comparisonsOf(declared);
    const start = head(peer);
    const text = start + lines.map(({ code }) => code).join("\n");
    const { program, sources } = compile({ "check.ts": text });
    const offset = start.split("\n").length - 1;
    for (const { line, message } of errorsOf(program, sources[0])) {
      const name = lines[line - offset]?.name;
      if (name === undefined) throw new Error(message);
      const entry = found.get(name) ?? { peers: new Set(), message };
      found.set(name, { ...entry, peers: entry.peers.add(peer) });
    }
    console.log(`${peer}: ${declared.paths.length} calls and properties, ${declared.names.length} types compared`);
  }
  return found;
}

/** Programs that no release of the official package accepts. */
function findInvalidPrograms() {
  const folder = join(root, "test", "types", "programs");
  const programs = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  const errors = peers.map((peer) => {
    const texts = programs.map(([name, text]) => [name, text.replaceAll('from "iotdeck"', `from "${peer}"`)]);
    const { program, sources } = compile(Object.fromEntries(texts));
    return new Map(sources.map((source) => [basename(source.fileName), errorsOf(program, source)]));
  });
  for (const [index, peer] of peers.entries()) {
    const valid = programs.filter(([name]) => errors[index].get(name).length === 0);
    console.log(`${peer}: ${valid.length} of ${programs.length} programs are valid`);
  }
  return programs
    .filter(([name]) => errors.every((found) => found.get(name).length > 0))
    .map(([name]) => [name, errors.map((found) => found.get(name)[0].message).join("\n")]);
}

const known = JSON.parse(readFileSync(join(here, "known.json"), "utf8"));
const expected = new Set(Object.values(known).flat());
const differences = findDifferences();
if (flags.only !== undefined) {
  for (const [name, { peers: where, message }] of differences) {
    if (name.includes(flags.only)) console.log(`${name} (${[...where].join(", ")})\n${message}\n`);
  }
  process.exit(0);
}
const faults = [
  ...[...differences].filter(([name]) => !expected.has(name)).map(([name, { message }]) => [name, message]),
  ...[...expected]
    .filter((name) => !differences.has(name))
    .map((name) => [name, "No longer differs: remove it from known.json."]),
  ...findInvalidPrograms(),
];
for (const [name, message] of faults) console.error(`error: ${name}\n  ${message.replaceAll("\n", "\n  ")}`);
console.log(`${differences.size} differences, ${expected.size} of them known, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
