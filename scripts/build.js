// Builds dist/: the library (CommonJS, with an ES module that names its exports, and a browser file), the program and the
// sandbox in chunks that are loaded on use, the console in the browser, declarations, JSON Schemas, manual pages and third-party licenses.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { makeChunks } from "./build/chunks.js";
import { withoutComments } from "./build/comments.js";
import { makeConsole } from "./build/console.js";
import { writeDeclarations } from "./build/declarations.js";
import { writeManualPages } from "./command-docs.js";
import { writeInnerPaths } from "./inner-paths.js";
import { writeLicenses } from "./licenses.js";
import { writeSchemas } from "./schemas.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
// Built beside the old one and put in its place at the end: a program that is running keeps its files until then.
const out = `.build-${process.pid}`;
process.on("exit", () => rmSync(out, { recursive: true, force: true }));

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
// What is installed beside the package. Ink asks for the developer tools of React, and for ws to reach them, only when DEV is set.
const external = [
  ...Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
  "react-devtools-core",
  "ws",
];
const target = "node20.19";
const metafiles = {};
async function make(name, options) {
  const { metafile } = await build({
    bundle: true,
    target,
    logLevel: "warning",
    legalComments: "none",
    metafile: true,
    external,
    ...options,
  });
  metafiles[name] = metafile;
  return metafile;
}

// The one copy of the library on Node. It loads packages with require, which also works in Jest and in node:vm.
await make("library", {
  entryPoints: ["src/index.ts"],
  outfile: `${out}/index.cjs`,
  platform: "node",
  format: "cjs",
  supported: { "dynamic-import": false },
  plugins: [withoutComments],
});
const names = Object.keys(createRequire(import.meta.url)(join(root, out, "index.cjs")));
writeNames("index", names);
// Bundlers do not follow the require of index.js; the condition "module" leads them to the same copy through this.
writeFileSync(`${out}/bundler.js`, `export { ${names.join(", ")} } from "./index.cjs";\n`);
// The library for browsers, and the drawings of widgets for browsers, Node and the program. A page may load both, as the
// console does: what they share is in a file beside them.
const drawEntry = "src/lib/widgets/draw/page.ts";
await make("browser", {
  entryPoints: { browser: "src/index.ts", draw: drawEntry },
  outdir: out,
  splitting: true,
  chunkNames: "shared",
  platform: "browser",
  target: "es2022",
  format: "esm",
  minify: true,
  charset: "utf8",
});

// Every Node that is supported loads an ES module with require.
writeFileSync(`${out}/draw.cjs`, 'module.exports = require("./draw.js");\n');

// The device protocol, and its text alone for browsers. One file each: a second one would double the time of the import.
for (const [name, entry] of Object.entries({ tip: "src/lib/tip/index.ts", "tip-browser": "src/lib/tip/codec.ts" }))
  await make(name, {
    entryPoints: [entry],
    outfile: `${out}/${name}.js`,
    platform: "neutral",
    target: "es2022",
    format: "esm",
    minify: true,
    charset: "utf8",
  });
writeFileSync(`${out}/tip.cjs`, 'module.exports = require("./tip.js");\n');

await makeConsole(make, { root, out, drawEntry });

const { metafiles: chunks, sandboxNames } = await makeChunks(out, target, external);
Object.assign(metafiles, chunks);
writeNames("sandbox", sandboxNames);
// Passed as text to the process that runs payload parsers. Wrapped, so that its names are no global variables there.
await make("parsers", {
  entryPoints: ["src/sandbox/parsers/decoder-program.cjs"],
  outfile: `${out}/decoder-program.cjs`,
  platform: "node",
  format: "iife",
});
// Passed to that process as text, too.
copyFileSync("src/sandbox/parsers/decoder-globals.cjs", `${out}/decoder-globals.cjs`);
// A file of its own, which the sandbox runs as a process.
await make("sql", {
  entryPoints: ["src/sandbox/sql/query-program.cjs"],
  outfile: `${out}/query-program.cjs`,
  platform: "node",
  format: "cjs",
});
// Payload parsers get dayjs as text, which runs in a world of its own.
for (const file of ["dayjs.min.js", "plugin/utc.js", "plugin/timezone.js", "plugin/customParseFormat.js"]) {
  const copy = join(out, "dayjs", file);
  mkdirSync(dirname(copy), { recursive: true });
  copyFileSync(join("node_modules/dayjs", file), copy);
}
// Content of the scenarios of the sandbox, read on use; JSON without the blanks of its sources.
for (const path of readdirSync("src/sandbox/seeds", { recursive: true })) {
  const [from, to] = [join("src/sandbox/seeds", path), join(out, "seeds", path)];
  if (dirname(path) === "." || statSync(from).isDirectory()) continue;
  mkdirSync(dirname(to), { recursive: true });
  if (path.endsWith(".json")) writeFileSync(to, JSON.stringify(JSON.parse(readFileSync(from, "utf8"))));
  else copyFileSync(from, to);
}

/** The ES module that names what a CommonJS file exports. */
function writeNames(name, names) {
  // Required: importing a CommonJS file takes Node 15 to 35 ms more, which are spent on finding its names. Bundlers do not
  // follow a require like this one; the condition "module" leads them to index.cjs.
  const all = `process.getBuiltinModule("node:module").createRequire(import.meta.url)("./${name}.cjs")`;
  writeFileSync(`${out}/${name}.js`, `export const { ${names.join(", ")} } = ${all};\n`);
}

mkdirSync(`${out}/meta`, { recursive: true });
writeFileSync(`${out}/meta/modules.json`, JSON.stringify(metafiles));

writeDeclarations(out);
writeInnerPaths(`${out}/lib`);
await writeSchemas(`${out}/schema`);
await writeManualPages(`${out}/man`);
// What scripts/icons.js and scripts/land.js take from packages is in the source already.
const drawn = ["node_modules/lucide-static", "node_modules/world-atlas"];
writeLicenses(Object.values(metafiles), ["node_modules/dayjs", ...drawn], `${out}/THIRD-PARTY-LICENSES.txt`);

const old = `.old-${process.pid}`;
if (existsSync("dist")) renameSync("dist", old);
renameSync(out, "dist");
rmSync(old, { recursive: true, force: true });
