// Builds dist/: the library (ESM, CommonJS, browser), the sandbox, the command line in split chunks, declarations.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLicenses } from "./licenses.js";
import { writeSchemas } from "./schemas.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
// Built beside the old one and put in its place at the end: a program that is running keeps its files until then.
const out = `.build-${process.pid}`;
process.on("exit", () => rmSync(out, { recursive: true, force: true }));

const common = {
  bundle: true,
  target: "node20.19",
  logLevel: "warning",
  legalComments: "none",
  metafile: true,
  sourcemap: true,
};
const library = {
  ...common,
  platform: "node",
  entryPoints: ["src/index.ts"],
  // The event parser is part of the file: finding and reading a second one costs 2 ms of an import.
  external: ["undici", "undici/*"],
};
const requireBanner = {
  js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
};

/** The command line needs one connection pool of undici; HTTP/2 alone would cost 5 ms at every start. */
const withoutHttp2 = {
  name: "without-http2",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /undici[\\/]lib[\\/]dispatcher[\\/]client-h2\.js$/ }, () => ({
      contents: 'module.exports = () => { throw new Error("HTTP/2 is not part of this build"); };',
      loader: "js",
    }));
  },
};

/** Puts other files in the place of the ones that fit only one surrounding: `x.ts` becomes `x.<kind>.ts`. */
function otherFiles(kind, names) {
  return {
    name: `files-for-${kind}`,
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: new RegExp(`/(${names.join("|")})\\.ts$`) }, (args) => ({
        path: join(args.resolveDir, args.path.replace(/\.ts$/, `.${kind}.ts`)),
      }));
    },
  };
}

const metas = {};
async function make(name, options) {
  const result = await build(options);
  metas[name] = result.metafile;
}

await make("esm", { ...library, format: "esm", outfile: `${out}/index.js` });
await make("cjs", { ...library, format: "cjs", outfile: `${out}/index.cjs` });
await make("browser", {
  ...library,
  platform: "browser",
  target: "es2022",
  format: "esm",
  outfile: `${out}/browser.js`,
  external: [],
  plugins: [otherFiles("browser", ["default-transport", "file-source"])],
});
// The command line is one small file for `--version` and help, and one file for all the rest: reading thirty small files
// costs more than compiling one large one. Packages that few commands need are files of their own.
const vendored = new Map();
const splitVendors = {
  name: "split-vendors",
  setup(pluginBuild) {
    // With a proxy the whole package is used, without one node:http: the single files of undici would be dead weight.
    pluginBuild.onResolve({ filter: /^undici\/lib\// }, () => ({ path: "unused", namespace: "unused" }));
    pluginBuild.onLoad({ filter: /.*/, namespace: "unused" }, () => ({ contents: "export default undefined;" }));
    pluginBuild.onResolve({ filter: /^[^.]/ }, (args) => {
      if (args.kind !== "dynamic-import" || isBuiltin(args.path) || args.path.startsWith("/")) return undefined;
      const file = args.path
        .replace(/\.js$/, "")
        .replaceAll(/[^a-z0-9]+/gi, "-")
        .replace(/^-/, "");
      vendored.set(file, args.path);
      return { path: `./${file}.cjs`, external: true };
    });
    pluginBuild.onResolve({ filter: /sandbox[\\/]index\.ts$/ }, () => ({ path: "../sandbox.cjs", external: true }));
  },
};
/** One file per package, in the form in which Node gives a CommonJS file to `import()`: the default is the whole. */
function vendorEntries() {
  const entry = (specifier) => `
    const all = require(${JSON.stringify(specifier)});
    const whole = all.default;
    module.exports = typeof whole === "function" ? Object.assign(whole, all) : all;`;
  return {
    name: "vendor-entries",
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: /^vendor:/ }, (args) => ({ path: args.path, namespace: "vendor" }));
      pluginBuild.onLoad({ filter: /.*/, namespace: "vendor" }, (args) => ({
        contents: entry(vendored.get(args.path.slice("vendor:".length))),
        resolveDir: root,
        loader: "js",
      }));
    },
  };
}
const program = { ...common, platform: "node", format: "esm", minify: true, sourcemap: false, banner: requireBanner };
// CommonJS for both: a program that is an ES module starts 8 ms later, and each import of a built-in module into one reads
// all members of that module, some of which load more of Node.
const requireRun = `
const { join } = require("node:path");
exports.run = require("./src/code-cache.ts").requireKept(join(__dirname, "chunks", "run.cjs")).run;`;
const runChunk = {
  name: "run-chunk",
  setup(pluginBuild) {
    // Help reads the names in the registry; the commands behind them are only ever loaded in run.cjs.
    pluginBuild.onResolve({ filter: /\.ts$/ }, (args) => {
      if (/kit[\\/]run\.ts$/.test(args.path)) return { path: "run", namespace: "run" };
      const isNoun = args.kind === "dynamic-import" && /registry\.ts$/.test(args.importer);
      return isNoun ? { path: "./chunks/run.cjs", external: true } : undefined;
    });
    pluginBuild.onLoad({ filter: /.*/, namespace: "run" }, () => ({
      contents: requireRun,
      resolveDir: root,
      loader: "js",
    }));
  },
};
await make("cli", {
  ...program,
  format: "cjs",
  banner: {},
  entryPoints: ["src/cli.ts"],
  outfile: `${out}/cli.cjs`,
  external: ["./chunks/run.cjs"],
  plugins: [runChunk],
});
// Code that is kept between runs cannot use import(): everything beside run.cjs is CommonJS too, and required late.
const required = { format: "cjs", banner: {}, supported: { "dynamic-import": false } };
await make("run", {
  ...program,
  ...required,
  entryPoints: ["src/commands/kit/run.ts"],
  outfile: `${out}/chunks/run.cjs`,
  external: ["@napi-rs/keyring"],
  plugins: [otherFiles("cli", ["default-transport"]), splitVendors],
});
await make("vendor", {
  ...program,
  ...required,
  outdir: `${out}/chunks`,
  outExtension: { ".js": ".cjs" },
  entryPoints: [...vendored.keys()].map((file) => ({ in: `vendor:${file}`, out: file })),
  plugins: [withoutHttp2, vendorEntries()],
});
const sandbox = { ...program, entryPoints: ["src/sandbox/index.ts"], external: ["libsql"] };
await make("sandbox", { ...sandbox, outfile: `${out}/sandbox.js` });
await make("sandbox-cjs", { ...sandbox, ...required, outfile: `${out}/sandbox.cjs` });
mkdirSync(`${out}/meta`, { recursive: true });
writeFileSync(`${out}/meta/modules.json`, JSON.stringify(metas));

execFileSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", `${out}/types`],
  { stdio: "inherit" },
);

/** One declaration file per public entry; the tree below keeps its own files. */
function declare(entry, target) {
  writeFileSync(`${out}/${target}.d.ts`, `export * from "./types/${entry}.js";\n`);
}
declare("index", "index");
declare("sandbox/index", "sandbox");
// CommonJS reads the same declarations through files that say so by their ending.
copyDeclarations(`${out}/types`, `${out}/types-cjs`);
writeFileSync(`${out}/index.d.cts`, 'export * from "./types-cjs/index.cjs";\n');
writeFileSync(`${out}/sandbox.d.cts`, 'export * from "./types-cjs/sandbox/index.cjs";\n');

/** The compiler leaves the `.ts` endings of imports in declarations, where CommonJS does not find them. */
function withEnding(text, ending) {
  return text.replace(/((?:from |import\()"\.[^"]*)\.[jt]s"/g, `$1.${ending}"`);
}

function copyDeclarations(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory()) {
      if (!["commands", "tui"].includes(entry.name)) copyDeclarations(source, join(to, entry.name));
      continue;
    }
    const text = readFileSync(source, "utf8");
    writeFileSync(source, withEnding(text, "js"));
    writeFileSync(join(to, entry.name.replace(/\.d\.ts$/, ".d.cts")), withEnding(text, "cjs"));
  }
}

const wasm = "node_modules/jq-wasm/dist/build/jq.wasm";
if (existsSync(wasm)) cpSync(wasm, `${out}/chunks/jq.wasm`);
await writeSchemas(`${out}/schema`);
writeLicenses(Object.values(metas), `${out}/THIRD-PARTY-LICENSES.txt`);

const old = `.old-${process.pid}`;
if (existsSync("dist")) renameSync("dist", old);
renameSync(out, "dist");
rmSync(old, { recursive: true, force: true });
