// Builds dist/: the library (ESM, CommonJS, browser), the sandbox, the command line in split chunks, declarations.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { build } from "esbuild";
import { writeManualPages } from "./command-docs.js";
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
};
/** The parts of undici that are used, each by the name it is imported by. All are in one file and run on first use. */
const undiciParts = {
  "undici-pool": "undici/lib/dispatcher/pool.js",
  "undici-client": "undici/lib/dispatcher/client.js",
  "undici-proxy": "undici/lib/dispatcher/env-http-proxy-agent.js",
  "undici-dispatcher": "undici/lib/dispatcher/dispatcher.js",
  "undici-connect": "undici/lib/api/api-connect.js",
};
/** Loads undici from files of its own beside the one that is made. A dependency on it would be most of what is installed. */
function undiciBeside(folder) {
  return {
    name: "undici-beside",
    setup(pluginBuild) {
      pluginBuild.onResolve({ filter: /^undici($|\/)/ }, (args) => {
        const part = Object.entries(undiciParts).find(([, specifier]) => specifier === args.path);
        if (part === undefined) throw new Error(`${args.importer} imports ${args.path}: add it to undiciParts`);
        return { path: `${folder}/${part[0]}.cjs`, external: true };
      });
    },
  };
}
/** Docstrings are in the declarations; in the programs they would be a fifth of the file, twice. */
const withoutDocs = {
  name: "without-docs",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /[\\/]src[\\/]lib[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, ""),
      loader: "ts",
    }));
  },
};
const library = {
  ...common,
  platform: "node",
  entryPoints: ["src/index.ts"],
  // The event parser is part of the file: finding and reading a second one costs 2 ms of an import.
  plugins: [undiciBeside("./chunks"), withoutDocs],
};
const requireBanner = {
  js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
};

/** Nothing here asks for HTTP/2, which would cost 5 ms at every start. */
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

/** zod's messages in forty languages are half of it; one is used. */
const oneLanguage = {
  name: "one-language",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** The validator the protocol package would check a caller's forms with; nothing here asks for one. */
const withoutAjv = {
  name: "without-ajv",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /validation[\\/]ajv-provider\.js$/ }, () => ({
      contents: "export class AjvJsonSchemaValidator {}",
      loader: "js",
    }));
  },
};

/** Ink asks for the developer tools of React only when DEV is set; they are not part of the program. */
const withoutDevtools = {
  name: "without-devtools",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /ink[\\/]build[\\/]devtools\.js$/ }, () => ({ contents: "", loader: "js" }));
  },
};

/**
 * Puts WebAssembly that comes in base64 within a source into a compressed file beside the program: jq's is 1.2 MB, a
 * quarter of that compressed. `folder` is the text of an expression: the program's own folder.
 */
function packedWasm(filter, file, folder) {
  return {
    name: `packed-${file}`,
    setup(pluginBuild) {
      pluginBuild.onLoad({ filter }, ({ path }) => {
        const start = "data:application/octet-stream;base64,";
        const source = readFileSync(path, "utf8");
        const contents = source.replace(new RegExp(`(["'])${start}([A-Za-z0-9+/=]+)\\1`), (_all, _quote, wasm) => {
          writeFileSync(`${out}/chunks/${file}`, brotliCompressSync(Buffer.from(wasm, "base64")));
          const packedFile = `require("node:fs").readFileSync(require("node:path").join(${folder}, "${file}"))`;
          return `("${start}" + require("node:zlib").brotliDecompressSync(${packedFile}).toString("base64"))`;
        });
        if (contents === source) throw new Error(`${path} has no WebAssembly in base64: see packedWasm`);
        return { contents, loader: "js" };
      });
    },
  };
}
const packedJq = packedWasm(/jq-wasm[\\/]dist[\\/]build[\\/]jq\.js$/, "jq.wasm.br", "__dirname");
const packedYoga = packedWasm(/yoga-wasm-base64-esm\.js$/, "yoga.wasm.br", "import.meta.dirname");

/** Decoders get dayjs as a text, which is run in a world of their own. */
const textOfDayjs = {
  name: "text-of-dayjs",
  setup(pluginBuild) {
    pluginBuild.onLoad({ filter: /decoder[\\/]dayjs\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(/textOf\(("dayjs\/[^"]+")\)/g, "require($1)"),
      loader: "ts",
    }));
    pluginBuild.onLoad({ filter: /[\\/]dayjs[\\/].*\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8"),
      loader: "text",
    }));
  },
};

const metas = {};
async function make(name, options) {
  const result = await build(options);
  metas[name] = result.metafile;
}

// Names stay, for stack traces: shortening them and noting the old ones costs 1 ms of an import. Blanks would take a
// quarter of both files; lines stay short, because Node shows the line an error nobody caught came from.
const compact = { ...library, minifyWhitespace: true, minifySyntax: true, lineLimit: 120 };
// Converting widgets is a quarter of the library and of the time it takes to import: on Node a file of its own, read at
// the first conversion. It shares nothing with the rest.
const conversion = { ...compact, entryPoints: ["src/lib/widgets/index.ts"], format: "cjs" };
await make("conversion", { ...conversion, outfile: `${out}/chunks/conversion.cjs` });
const converting = createRequire(import.meta.url)(`${root}/${out}/chunks/conversion.cjs`);
const lateConversion = (load) => ({
  name: "late-conversion",
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /[\\/]widgets[\\/]index\.ts$/ }, () => ({ path: "conversion", namespace: "late" }));
    pluginBuild.onLoad({ filter: /.*/, namespace: "late" }, () => ({
      contents: `let all;\nconst late = () => (all ??= ${load}("./chunks/conversion.cjs"));\n${standIns(converting)}`,
      loader: "js",
    }));
  },
});
const requireHere = 'process.getBuiltinModule("node:module").createRequire(import.meta.url)';
await make("esm", {
  ...compact,
  format: "esm",
  outfile: `${out}/index.js`,
  plugins: [...compact.plugins, lateConversion(requireHere)],
});
await make("cjs", {
  ...compact,
  format: "cjs",
  outfile: `${out}/index.cjs`,
  external: ["./chunks/conversion.cjs"],
  plugins: [...compact.plugins, lateConversion("require")],
});
// Bundlers do not follow a require that is made at run time: the entry they choose has it all.
await make("bundle", { ...compact, format: "esm", outfile: `${out}/bundle.js` });
await make("browser", {
  ...library,
  platform: "browser",
  target: "es2022",
  format: "esm",
  outfile: `${out}/browser.js`,
  minify: true,
  plugins: [otherFiles("browser", ["default-transport", "file-source", "listener-limit"])],
});
// The command line is one small file for `--version` and help, and one file for all the rest: reading thirty small files
// costs more than compiling one large one. Packages that few commands need are files of their own.
const vendored = new Map();
/** Below this, unpacking costs more than the few bytes are worth. */
const worthPackingBytes = 10_000;
/** Packages that are installed beside this one, or not: they bring programs of the machine's own kind. */
const besides = ["@napi-rs/keyring", "esbuild"];
const splitVendors = {
  name: "split-vendors",
  setup(pluginBuild) {
    pluginBuild.onResolve({ filter: /^[^.]/ }, (args) => {
      if (args.kind !== "dynamic-import" || isBuiltin(args.path) || args.path.startsWith("/")) return undefined;
      if (besides.includes(args.path)) return { path: args.path, external: true };
      const file = args.path
        .replace(/\.js$/, "")
        .replaceAll(/[^a-z0-9]+/gi, "-")
        .replace(/^-/, "");
      vendored.set(file, args.path);
      return { path: `./${file}.cjs`, external: true };
    });
    pluginBuild.onResolve({ filter: /sandbox[\\/]index\.ts$/ }, () => ({ path: "../sandbox.cjs", external: true }));
    pluginBuild.onResolve({ filter: /tui[\\/]index\.ts$/ }, () => ({ path: "./tui.cjs", external: true }));
    pluginBuild.onResolve({ filter: /mcp[\\/]protocol\.ts$/ }, () => ({ path: "./mcp.cjs", external: true }));
    pluginBuild.onResolve({ filter: /schema[\\/]dashboard-files\.ts$/ }, (args) =>
      args.kind === "dynamic-import" ? { path: "./dashboard-files.cjs", external: true } : undefined,
    );
  },
};
/**
 * Modules of Node that cost milliseconds and that help never needs: each is loaded when a function of it is first asked
 * for, although the sources import it at the top.
 */
const lateBuiltins = {
  name: "late-builtins",
  setup(pluginBuild) {
    const filter = /^node:(child_process|crypto|dns|dns\/promises|http|https|net|readline|stream\/promises|tls|zlib)$/;
    pluginBuild.onResolve({ filter }, (args) =>
      args.namespace === "late" || args.kind === "dynamic-import"
        ? { path: args.path, external: true }
        : { path: args.path, namespace: "late" },
    );
    pluginBuild.onLoad({ filter: /.*/, namespace: "late" }, async ({ path }) => {
      const names = Object.keys(process.getBuiltinModule(path));
      const getters = names.map((name) => `get ${name}() { return require("${path}").${name}; }`);
      return { contents: `module.exports = { ${getters.join(", ")} };`, loader: "js" };
    });
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
const program = { ...common, platform: "node", format: "esm", minify: true, banner: requireBanner };
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
  define: { "import.meta.url": "__filename" },
  plugins: [otherFiles("cli", ["default-transport"]), undiciBeside("."), splitVendors, lateBuiltins],
});
// The layout engine below Ink waits at the top of its module, so the screens can only be an ES module.
await make("tui", {
  ...program,
  entryPoints: ["src/tui/index.ts"],
  outfile: `${out}/chunks/tui.mjs`,
  define: { "process.env.NODE_ENV": '"production"' },
  plugins: [withoutDevtools, packedYoga],
});
// The program cannot use import() itself; this file can, and makes an asynchronous function of every export.
const screens = Object.values(metas.tui.outputs).flatMap(({ exports: names }) => names);
writeFileSync(
  `${out}/chunks/tui.cjs`,
  screens.map((name) => `exports.${name} = async (...all) => (await import("./tui.mjs")).${name}(...all);\n`).join(""),
);
// The tools are described by us, so no schema of a caller is ever compiled.
await make("mcp", {
  ...program,
  ...required,
  entryPoints: ["src/commands/mcp/protocol.ts"],
  outfile: `${out}/chunks/mcp.cjs`,
  plugins: [oneLanguage, withoutAjv],
});
packed(`${out}/chunks/mcp.cjs`, `${out}/chunks/mcp.cjs.br`);
await make("dashboard-files", {
  ...program,
  ...required,
  entryPoints: ["src/schema/dashboard-files.ts"],
  outfile: `${out}/chunks/dashboard-files.cjs`,
  plugins: [oneLanguage],
});
packed(`${out}/chunks/dashboard-files.cjs`, `${out}/chunks/dashboard-files.cjs.br`);
await make("vendor", {
  ...program,
  ...required,
  outdir: `${out}/chunks`,
  outExtension: { ".js": ".cjs" },
  entryPoints: [...vendored.keys()].map((file) => ({ in: `vendor:${file}`, out: file })),
  plugins: [packedJq, vendorEntries()],
});
for (const file of vendored.keys()) {
  const path = `${out}/chunks/${file}.cjs`;
  if (statSync(path).size > worthPackingBytes) packed(path, `${path}.br`);
}
await make("undici", {
  ...program,
  ...required,
  stdin: {
    contents: Object.entries(undiciParts)
      .map(([name, specifier]) => `exports[${JSON.stringify(name)}] = () => require("${specifier}");`)
      .join("\n"),
    resolveDir: root,
  },
  outfile: `${out}/chunks/undici.cjs`,
  plugins: [withoutHttp2],
});
for (const name of Object.keys(undiciParts))
  writeFileSync(`${out}/chunks/${name}.cjs`, `module.exports = require("./undici.cjs")["${name}"]();\n`);
// One file for both kinds of modules: the server is large, and two copies of it would not know each other's sandboxes.
await make("sandbox", {
  ...program,
  ...required,
  entryPoints: ["src/sandbox/index.ts"],
  outfile: `${out}/sandbox.cjs`,
  // Node shows the line that an error nobody caught came from: names and lines stay as they are written.
  minify: false,
  minifySyntax: true,
  external: ["libsql"],
  plugins: [oneLanguage, textOfDayjs],
  define: { "import.meta.url": "__address" },
  banner: { js: 'const __address = require("node:url").pathToFileURL(__filename).href;' },
});
// A sixth of the size: the server is the largest file of the package, and unpacking it takes 5 ms of a start of 250.
packed(`${out}/sandbox.cjs`, `${out}/chunks/sandbox.cjs.br`);
const { exports: sandboxNames } = await build({
  entryPoints: ["src/sandbox/index.ts"],
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  write: false,
  metafile: true,
  logLevel: "warning",
}).then(({ metafile }) => Object.values(metafile.outputs)[0]);
// Required: importing it, Node would first search half a megabyte for its names, for 90 ms.
const sandboxModule = `import { createRequire } from "node:module";
export const { ${sandboxNames.join(", ")} } = createRequire(import.meta.url)("./sandbox.cjs");
`;
writeFileSync(`${out}/sandbox.js`, sandboxModule);
mkdirSync(`${out}/meta`, { recursive: true });
writeFileSync(`${out}/meta/modules.json`, JSON.stringify(metas));

execFileSync(
  process.execPath,
  ["node_modules/typescript/bin/tsc", "-p", "tsconfig.build.json", "--outDir", `${out}/types`],
  { stdio: "inherit" },
);

keepReachable(`${out}/types`, ["index.d.ts", "sandbox/index.d.ts"]);
// Declarations that count as CommonJS are read by both kinds of modules: one tree instead of two.
writeFileSync(`${out}/types/package.json`, '{ "type": "commonjs" }\n');
for (const [name, entry] of [
  ["index", "index"],
  ["sandbox", "sandbox/index"],
]) {
  for (const ending of ["d.ts", "d.cts"])
    writeFileSync(`${out}/${name}.${ending}`, `export * from "./types/${entry}.js";\n`);
}

/** Functions, and classes of static methods, of the same names, which call those of `late()`. */
function standIns(exported) {
  const isClass = (value) => /^class\b/.test(String(value));
  const methods = (value) => Object.getOwnPropertyNames(value).filter((key) => typeof value[key] === "function");
  const ones = Object.entries(exported).map(([name, value]) =>
    isClass(value)
      ? `class ${name} { ${methods(value)
          .map((method) => `static ${method}(...given) { return late().${name}.${method}(...given); }`)
          .join(" ")} }`
      : `function ${name}(...given) { return late().${name}(...given); }`,
  );
  return `export ${ones.join("\nexport ")}\n`;
}

/** Puts a program file in a compressed one, and a line that unpacks it in its place. */
function packed(path, target) {
  writeFileSync(target, brotliCompressSync(readFileSync(path)));
  const place = relative(dirname(path), target).split(sep);
  writeFileSync(
    path,
    `const packed = require("node:fs").readFileSync(require("node:path").join(__dirname, ...${JSON.stringify(place)}));
module._compile(require("node:zlib").brotliDecompressSync(packed).toString(), __filename);
`,
  );
}

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
writeLicenses(Object.values(metas), `${out}/THIRD-PARTY-LICENSES.txt`);

const old = `.old-${process.pid}`;
if (existsSync("dist")) renameSync("dist", old);
renameSync(out, "dist");
rmSync(old, { recursive: true, force: true });
