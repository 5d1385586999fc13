// The program, the sandbox and the screens in chunks that are loaded on use.
import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { transform } from "esbuild";
import { rolldown } from "rolldown";

const isScreens = (id) => /[\\/]tui[\\/]index\.ts$/.test(id);
// What the entry iotdeck/tip holds: the same file for the library, the commands and the sandbox.
const isTip = (id) => /[\\/]lib[\\/]tip[\\/](index|codec|envelope|hashes)\.ts$/.test(id);
const isDraw = (id) => /[\\/]widgets[\\/]draw[\\/]index\.ts$/.test(id);

// One command loads few files: what three of them share is one chunk (decision 0014). CommonJS, because an import of a
// module of Node evaluates all that it exports.
const program = {
  input: { cli: "src/cli.ts", sandbox: "src/sandbox/index.ts" },
  isElsewhere: (id) => isScreens(id) || isDraw(id) || isTip(id),
  output: {
    format: "cjs",
    entryFileNames: "[name].cjs",
    chunkFileNames: "chunks/[name]-[hash].cjs",
    paths: (id) => (isScreens(id) ? "./screens.js" : isDraw(id) ? "./draw.js" : isTip(id) ? "./tip.js" : id),
    codeSplitting: {
      groups: [
        {
          name: "start",
          test: /src[\\/](compile-cache|lib[\\/]core[\\/]version|commands[\\/]kit[\\/]settings[\\/]paths)\.ts$/,
          priority: 1,
        },
        { name: "shared", test: /src[\\/](commands|text)[\\/]/, minShareCount: 3 },
        { name: "requests", test: /src[\\/]lib[\\/](api|http|resources)[\\/]/, minShareCount: 2 },
      ],
    },
  },
};

// An ES module: the layout engine of the screens waits at its top.
const screens = {
  input: { screens: "src/tui/index.ts" },
  isElsewhere: () => false,
  // Without the blanks of its packages, which are most of it.
  output: {
    chunkFileNames: "chunks/[name]-[hash].js",
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
};

const isPackage = (id) => /[\\/]node_modules[\\/]/.test(id) || id.startsWith("\0");

/** Writes chunks that hold nothing of our own again without blanks, which are a sixth of them. */
async function stripPackages(chunks, dir) {
  for (const { fileName, code, moduleIds } of chunks) {
    if (moduleIds.length === 0 || !moduleIds.every(isPackage)) continue;
    const plain = await transform(code, { minifyWhitespace: true, legalComments: "none" });
    writeFileSync(join(dir, fileName), plain.code);
  }
}

/**
 * Writes the chunks into a folder. Resolves to their metafiles, in the form of esbuild's, and to what the sandbox exports.
 */
export async function makeChunks(out, target, external) {
  const write = async ({ input, isElsewhere, output }) => {
    const bundle = await rolldown({
      input,
      platform: "node",
      external: (id) => external.includes(id) || isElsewhere(id),
      transform: { target, define: { "process.env.NODE_ENV": '"production"' } },
      // Says which late imports are loaded at once by somebody else: the chunk they share.
      checks: { ineffectiveDynamicImport: false },
    });
    const written = (await bundle.write({ dir: out, comments: false, ...output })).output;
    await stripPackages(written, out);
    return written;
  };
  const [own, drawn] = [await write(program), await write(screens)];
  return {
    metafiles: { program: describe(own, out), screens: describe(drawn, out) },
    sandboxNames: own.find(({ fileName }) => fileName === "sandbox.cjs").exports,
  };
}

/** A source as esbuild names it, on Windows too. */
const sourceOf = (id) => relative(process.cwd(), id).replaceAll("\\", "/");

/** The chunks in the form of esbuild's metafile. */
function describe(chunks, out) {
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const outputs = {};
  for (const { fileName, facadeModuleId, imports, dynamicImports, modules } of chunks) {
    const kinds = { "import-statement": imports, "dynamic-import": dynamicImports };
    const inputs = Object.keys(modules).map((id) => [sourceOf(id), {}]);
    outputs[`${out}/${fileName}`] = {
      ...(facadeModuleId === null ? {} : { entryPoint: sourceOf(facadeModuleId) }),
      inputs: Object.fromEntries(inputs),
      imports: Object.entries(kinds).flatMap(([kind, names]) =>
        names.map((name) =>
          files.has(name) ? { path: `${out}/${name}`, kind } : { path: name, kind, external: true },
        ),
      ),
    };
  }
  return { inputs: Object.assign({}, ...Object.values(outputs).map(({ inputs }) => inputs)), outputs };
}
