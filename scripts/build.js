// Builds dist/: the library (CommonJS, with an ES module that names its exports, and a browser file), the program and the
// sandbox in chunks that are loaded on use, declarations, JSON Schemas, manual pages and third-party licenses.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeManualPages } from "./command-docs.js";
import { writeLicenses } from "./licenses.js";
import { writeSchemas } from "./schemas.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
// Built beside the old one and put in its place at the end: a program that is running keeps its files until then.
const out = `.build-${process.pid}`;
process.on("exit", () => rmSync(out, { recursive: true, force: true }));

const { dependencies, optionalDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const metafiles = {};
async function make(name, options) {
  const { metafile } = await build({
    bundle: true,
    target: "node20.19",
    logLevel: "warning",
    legalComments: "none",
    metafile: true,
    // What is installed beside the package. Ink asks for the developer tools of React only when DEV is set.
    external: [...Object.keys({ ...dependencies, ...optionalDependencies }), "react-devtools-core"],
    ...options,
  });
  metafiles[name] = metafile;
}

// The one copy of the library on Node. It loads packages with require, which also works in Jest and in node:vm.
await make("library", {
  entryPoints: ["src/index.ts"],
  outfile: `${out}/index.cjs`,
  platform: "node",
  format: "cjs",
  supported: { "dynamic-import": false },
});
const names = Object.keys(createRequire(import.meta.url)(join(root, out, "index.cjs")));
// Required: importing a CommonJS file takes Node 15 to 35 ms more, which are spent on finding its names. Bundlers do not
// follow a require like this one; the condition "module" leads them to index.cjs.
const library = 'process.getBuiltinModule("node:module").createRequire(import.meta.url)("./index.cjs")';
writeFileSync(`${out}/index.js`, `export const { ${names.join(", ")} } = ${library};\n`);
await make("browser", {
  entryPoints: ["src/index.ts"],
  outfile: `${out}/browser.js`,
  platform: "browser",
  target: "es2022",
  format: "esm",
  minify: true,
});

// Packages in CommonJS expect these three.
const commonjs = `import { createRequire as __createRequire } from "node:module";
const require = __createRequire(import.meta.url), __filename = import.meta.filename, __dirname = import.meta.dirname;`;
await make("program", {
  entryPoints: ["src/cli.ts", { in: "src/sandbox/index.ts", out: "sandbox" }],
  outdir: out,
  chunkNames: "chunks/[name]-[hash]",
  platform: "node",
  format: "esm",
  splitting: true,
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
  define: { "process.env.NODE_ENV": '"production"' },
  banner: { js: commonjs },
});
writeFileSync(`${out}/sandbox.cjs`, 'module.exports = require("./sandbox.js");\n');
// Payload parsers get dayjs as text, which runs in a world of its own.
for (const file of ["dayjs.min.js", "plugin/utc.js", "plugin/timezone.js", "plugin/customParseFormat.js"]) {
  const target = join(out, "dayjs", file);
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join("node_modules/dayjs", file), target);
}

mkdirSync(`${out}/meta`, { recursive: true });
writeFileSync(`${out}/meta/modules.json`, JSON.stringify(metafiles));

// Only writes declarations; `npm run types` checks the types.
const tsc = ["node_modules/typescript-native/bin/tsc", "-p", "tsconfig.build.json", "--outDir", `${out}/types`];
execFileSync(process.execPath, tsc, { stdio: "inherit" });
keepReachable(`${out}/types`, ["index.d.ts", "sandbox/index.d.ts"]);
// Declarations that count as CommonJS are read by both kinds of modules: one tree instead of two.
writeFileSync(`${out}/types/package.json`, '{ "type": "commonjs" }\n');
for (const [name, entry] of Object.entries({ index: "index", sandbox: "sandbox/index" }))
  for (const ending of ["d.ts", "d.cts"])
    writeFileSync(`${out}/${name}.${ending}`, `export * from "./types/${entry}.js";\n`);

/** Removes declarations that no entry leads to; some of those left would name packages that are not installed. */
function keepReachable(folder, entries) {
  const kept = new Set();
  const queue = entries.map((entry) => join(folder, entry));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (kept.has(path)) continue;
    kept.add(path);
    // The compiler leaves the `.ts` endings of types that are imported in place.
    const text = readFileSync(path, "utf8").replace(/((?:from |import\()"\.[^"]*)\.[jt]s"/g, '$1.js"');
    writeFileSync(path, text);
    for (const [, target] of text.matchAll(/(?:from |import\()"(\.[^"]*)\.js"/g))
      queue.push(join(dirname(path), `${target}.d.ts`));
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && !kept.has(path)) rmSync(path);
  }
}

await writeSchemas(`${out}/schema`);
await writeManualPages(`${out}/man`);
writeLicenses(Object.values(metafiles), ["node_modules/dayjs"], `${out}/THIRD-PARTY-LICENSES.txt`);

const old = `.old-${process.pid}`;
if (existsSync("dist")) renameSync("dist", old);
renameSync(out, "dist");
rmSync(old, { recursive: true, force: true });
