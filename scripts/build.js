// Builds dist/: the library (ESM, CommonJS, browser), the sandbox, the command line in split chunks, declarations.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { writeLicenses } from "./licenses.js";

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
  external: ["undici", "undici/*", "eventsource-parser"],
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

const browserTransport = {
  name: "browser-transport",
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /default-transport\.ts$/ }, (args) => ({
      path: join(args.resolveDir, args.path.replace(/\.ts$/, ".browser.ts")),
    }));
  },
};

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
  plugins: [browserTransport],
});
await make("tools", {
  ...common,
  platform: "node",
  format: "esm",
  splitting: true,
  minify: true,
  sourcemap: false,
  outdir: out,
  entryPoints: { cli: "src/cli.ts", sandbox: "src/sandbox/index.ts" },
  chunkNames: "chunks/[name]-[hash]",
  external: ["libsql", "@napi-rs/keyring"],
  define: { "process.env.NODE_ENV": '"production"' },
  banner: requireBanner,
  plugins: [withoutHttp2],
});
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

function copyDeclarations(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name);
    if (entry.isDirectory()) {
      if (!["commands", "tui", "sandbox", "schema"].includes(entry.name))
        copyDeclarations(source, join(to, entry.name));
      continue;
    }
    const text = readFileSync(source, "utf8").replace(/(from |import\()"(\.[^"]*)\.js"/g, '$1"$2.cjs"');
    writeFileSync(join(to, entry.name.replace(/\.d\.ts$/, ".d.cts")), text);
  }
}

const wasm = "node_modules/jq-wasm/dist/build/jq.wasm";
if (existsSync(wasm)) cpSync(wasm, `${out}/chunks/jq.wasm`);
writeLicenses(Object.values(metas), `${out}/THIRD-PARTY-LICENSES.txt`);

const old = `.old-${process.pid}`;
if (existsSync("dist")) renameSync("dist", old);
renameSync(out, "dist");
rmSync(old, { recursive: true, force: true });
