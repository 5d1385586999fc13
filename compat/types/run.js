// Compares the declarations of the official packages with those of src/index.ts, without running anything:
// - every argument the official packages accept is accepted, with all its properties;
// - every result fits the official type, with all its properties;
// - every type they export has its name here, and is used like theirs: a value of theirs fits, one of ours is one of
//   theirs, what can be changed there can be changed here;
// - every module inside 11.x that exports types leads to ours;
// - the programs in test/types/programs, which the type check compiles against src/index.ts, and those in test/types/inner,
//   which are compiled against the packed package, are valid official programs.
// Known differences stand in known.json, by reason; others fail, and so do entries that no longer apply. Where 12.x differs
// from 11.x in the same place, only 12.x counts. `node compat/types/page.js` writes the page of the differences after a change.
//   node compat/types/run.js [--only TEXT]   prints the differences whose name contains TEXT, with what the compiler says
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { innerTypes } from "../../scripts/inner-paths.js";
import { here as compatFolder, install } from "../install.js";
import { comparisonsOf, head, namesOf } from "./comparisons.js";
import { compile, source } from "./compile.js";
import { pathsOf, readModules, takenOnly, typesOf } from "./declarations.js";
import { readKnown } from "./page.js";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));
const peers = ["peer-11", "peer-12"];
const { values: flags } = parseArgs({ options: { only: { type: "string" } } });

install();

/** What the official packages declare, and our types by name. */
function readDeclarations() {
  const { checker, modules } = readModules([...peers, "peer-11/lib/types.js", "../../src/index.ts"]);
  const [eleven, twelve, elevenTypes, own] = modules;
  // Version 12 declares values that its files do not export: those that 11 has as well are real.
  const values = new Set(checker.getExportsOfModule(eleven).map(({ name }) => name));
  const typed = [elevenTypes, twelve];
  const declared = [eleven, twelve].map((module, index) => {
    const types = typesOf(checker, typed[index]);
    const paths = pathsOf(checker, module, "Theirs", values);
    const theirTypes = index === 0 ? "peer-11/lib/types.js" : "peer-12";
    return {
      peer: peers[index],
      theirTypes,
      paths,
      types,
      taken: takenOnly(checker, types, paths),
      inNamespace: index === 0,
    };
  });
  return { declared, ours: typesOf(checker, own) };
}

/** Differences by name: which peers have them, and what the compiler says. */
function findDifferences() {
  const { declared, ours } = readDeclarations();
  const places = { root: source, namespace: source.replace("index.ts", "lib/official-types.ts") };
  const programs = new Map();
  for (const one of declared) {
    const { peer, theirTypes } = one;
    const comparisons = comparisonsOf(one, ours);
    const modules = { theirs: peer, theirTypes };
    programs.set(`${peer}.ts`, { peer, modules: { ...modules, ours: source }, lines: comparisons });
    programs.set(`${peer}-names.ts`, { peer, lines: namesOf(one, places) });
    if (one.inNamespace) programs.set("between.ts", { modules: { ...modules, ours: "peer-12" }, lines: comparisons });
    console.log(
      `${peer}: ${one.paths.length} calls and properties, ${one.types.size} types, ${comparisons.length} comparisons`,
    );
  }
  const texts = [...programs].map(([name, { modules, lines }]) => {
    const start = modules === undefined ? "\n" : head(modules);
    programs.get(name).offset = start.split("\n").length - 1;
    return [name, start + lines.map(({ code }) => code).join("\n")];
  });
  const errors = compile(Object.fromEntries(texts));
  const failed = (file) => {
    const { lines, offset } = programs.get(file);
    return errors.get(file).map(({ line, code, message }) => {
      const name = lines[line - offset]?.name;
      if (name === undefined) throw new Error(`${file}: ${message}`);
      return { name, code, message };
    });
  };
  // A type that 12.x does not have says nothing about ours.
  const gone = new Set(["TS2305", "TS2694", "TS2339"]);
  const between = new Set(failed("between.ts").flatMap(({ name, code }) => (gone.has(code) ? [] : [name])));
  const found = new Map();
  for (const [file, { peer }] of programs) {
    if (peer === undefined) continue;
    for (const { name, message } of failed(file)) {
      if (peer === "peer-11" && between.has(name)) continue;
      const entry = found.get(name) ?? { peers: new Set(), message };
      found.set(name, { ...entry, peers: entry.peers.add(peer) });
    }
  }
  return found;
}

/** Types that a module inside 11.x exports and ours of that name does not. */
function findMissingInnerTypes() {
  const lib = join(compatFolder, "node_modules", "peer-11", "lib");
  const paths = readdirSync(lib, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".d.ts") && name !== "modules.d.ts")
    .map((name) => name.slice(0, -".d.ts".length).replaceAll("\\", "/"));
  const names = [...paths.map((path) => `peer-11/lib/${path}.js`), "../../src/index.ts"];
  const { checker, modules } = readModules(names);
  const ours = typesOf(checker, modules.at(-1));
  const inner = innerTypes();
  const missing = paths.flatMap((path, index) =>
    [...typesOf(checker, modules[index]).keys()]
      .filter((name) => !ours.has(inner.get(path)?.get(name)))
      .map((name) => [`module ${path}, ${name}`, "scripts/inner-paths.js has no such type."]),
  );
  const gone = [...inner.keys()].filter((path) => !paths.includes(path));
  console.log(`peer-11: ${inner.size} inner modules with types`);
  return [...missing, ...gone.map((path) => [`module ${path}`, "11.x has no such module."])];
}

/** Programs that no release of the official package accepts. */
function findInvalidPrograms() {
  const folder = join(root, "test", "types");
  const names = ["programs", "inner"].flatMap((kind) =>
    readdirSync(join(folder, kind)).map((name) => `${kind}/${name}`),
  );
  const texts = peers.flatMap((peer) =>
    names.map((name) => {
      const text = readFileSync(join(folder, name), "utf8");
      return [`${peer}/${name}`, text.replaceAll(/(from|import\()( ?)"iotdeck(?=["/])/g, `$1$2"${peer}`)];
    }),
  );
  // Modules of 11.x are found without the end of their name, which CommonJS alone allows.
  const commonJs = peers.map((peer) => [`${peer}/inner/package.json`, '{ "type": "commonjs" }']);
  const errors = compile(Object.fromEntries([...texts, ...commonJs]));
  for (const peer of peers) {
    const valid = names.filter((name) => errors.get(`${peer}/${name}`).length === 0);
    console.log(`${peer}: ${valid.length} of ${names.length} programs are valid`);
  }
  return names
    .filter((name) => peers.every((peer) => errors.get(`${peer}/${name}`).length > 0))
    .map((name) => [name, peers.map((peer) => errors.get(`${peer}/${name}`)[0].message).join("\n")]);
}

const expected = new Set(Object.values(readKnown()).flat());
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
  ...findMissingInnerTypes(),
  ...findInvalidPrograms(),
];
for (const [name, message] of faults) console.error(`error: ${name}\n  ${message.replaceAll("\n", "\n  ")}`);
console.log(`${differences.size} differences, ${expected.size} of them known, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
