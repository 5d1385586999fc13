import { createHash } from "node:crypto";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { BuildFailure, Metafile, Plugin } from "esbuild";
import { CommandError, inputError } from "../failures/command-error.ts";
import { isObject, readTextIfThere } from "../files/files.ts";
import { messageOf } from "../resource/batch.ts";
import { findImportMap } from "./import-map.ts";

/** A script as it is uploaded or run. */
export interface Script {
  readonly fileName: string;
  readonly content: Uint8Array;
  /** SHA-256 of the content, hexadecimal. */
  readonly hash: string;
  /** Absolute paths of everything that went into it, but for installed packages. */
  readonly inputs: readonly string[];
  /** What the user should know: packages that were left out. */
  readonly notes: readonly string[];
}

export interface BundleOptions {
  /** Absolute path of the source. */
  readonly file: string;
  readonly language: string;
  readonly sourcemap: boolean;
  /** Runs before the script, for scripts that are run on this machine; their sources are then named by their whole path. */
  readonly localBanner?: string;
  /** Called with the path of every file of the bundle; throws for one that may not be read. */
  readonly allowFile?: (path: string) => unknown;
}

const LIBRARY = "iotdeck";
/** The platform's legacy runtimes bring it. */
const PLATFORM_LIBRARY = "@tago-io/sdk";

export function hashOf(content: Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The file as it is. */
export function plainScript(file: string): Script {
  const content = readFileSync(file);
  return { fileName: basename(file), content, hash: hashOf(content), inputs: [file], notes: [] };
}

/**
 * The bundler.
 *
 * @throws CommandError `package.missing`
 */
export async function loadEsbuild(advice = "."): Promise<typeof import("esbuild")> {
  try {
    return await import("esbuild");
  } catch (cause) {
    throw new CommandError("The bundler esbuild is not installed.", {
      code: "package.missing",
      exit: 1,
      why: "It is an optional package that was not installed with iotdeck.",
      next: `Install it next to iotdeck (npm install esbuild)${advice}`,
      cause,
    });
  }
}

/** The library of the very package this program belongs to, for projects that have not installed it. */
function ownLibrary(): string | undefined {
  const program = process.argv[1];
  if (program === undefined || !existsSync(program)) return undefined;
  for (let folder = dirname(realpathSync(program)); ; folder = dirname(folder)) {
    if (packageName(join(folder, "package.json")) === LIBRARY) {
      return [join(folder, "dist", "index.cjs"), join(folder, "src", "index.ts")].find((path) => existsSync(path));
    }
    if (dirname(folder) === folder) return undefined;
  }
}

function packageName(path: string): unknown {
  try {
    const value: unknown = JSON.parse(readTextIfThere(path) ?? "null");
    return isObject(value) ? value["name"] : undefined;
  } catch {
    return undefined;
  }
}

/** Packages that may be missing in the project: ours is taken from this program, the platform's is left to the platform. */
function missingPackages(notes: string[], language: string): Plugin {
  const advice = language === "node-rt2025" ? `${language} includes no packages: install it in the project.` : "";
  return {
    name: "missing-packages",
    setup(build) {
      build.onResolve({ filter: new RegExp(`^(${LIBRARY}|${PLATFORM_LIBRARY})$`) }, async (args) => {
        if (args.pluginData === "asked") return undefined;
        const { resolveDir, kind, importer, path } = args;
        const found = await build.resolve(path, { resolveDir, kind, importer, pluginData: "asked" });
        if (found.errors.length === 0) return found;
        if (path === PLATFORM_LIBRARY) {
          notes.push(
            `${path} is not installed here, so it was not bundled; the script loads it where it runs. ${advice}`.trimEnd(),
          );
          return { path, external: true };
        }
        const own = ownLibrary();
        return own === undefined ? found : { path: own };
      });
      // The library loads it for proxies and dispatchers only; it would be most of the script.
      build.onResolve({ filter: /^undici$/ }, ({ importer, path }) => {
        const isLibrary = packageName(join(dirname(dirname(importer)), "package.json")) === LIBRARY;
        return isLibrary ? { path, external: true } : undefined;
      });
    },
  };
}

/** `npm:@scope/name@1.2/path`: the name, its version and the path in it. */
const npmForm = /^npm:\/?((?:@[^/]+\/)?[^/@]+)(?:@[^/]+)?(\/.*)?$/;

/** Imports that name where they come from: Deno loads them itself, for Node a package is looked up without its version. */
function addressedImports(isDeno: boolean): Plugin {
  return {
    name: "addressed-imports",
    setup(build) {
      build.onResolve({ filter: /^(npm|jsr|https?):/ }, ({ path, resolveDir, kind, importer }) => {
        if (isDeno) return { path, external: true };
        const [, name, inner = ""] = npmForm.exec(path) ?? [];
        if (name !== undefined) return build.resolve(`${name}${inner}`, { resolveDir, kind, importer });
        return { errors: [{ text: `Only the runtime deno-rt2025 can load ${JSON.stringify(path)}` }] };
      });
    },
  };
}

/** Bare imports that the project's `deno.json` maps to a URL or a path. */
function mappedImports(folder: string): Plugin {
  const map = findImportMap(folder);
  return {
    name: "mapped-imports",
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
        const target = kind === "entry-point" ? undefined : map?.find(path);
        if (map === undefined || target === undefined || target === path) return undefined;
        return build.resolve(target, { resolveDir: map.folder, kind, importer });
      });
    },
  };
}

/** Files that the run may not read stay out of the script, whatever imports them. The library of this program may be read. */
function allowedFiles(allowFile: (path: string) => unknown): Plugin {
  const own = ownLibrary();
  return {
    name: "allowed-files",
    setup(build) {
      build.onLoad({ filter: /.*/, namespace: "file" }, ({ path }) => {
        if (own !== undefined && path.startsWith(dirname(own) + sep)) return undefined;
        try {
          allowFile(path);
          return undefined;
        } catch (error) {
          return { errors: [{ text: messageOf(error) }] };
        }
      });
    },
  };
}

function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && "errors" in error && Array.isArray(error.errors);
}

function failureOf(error: unknown, file: string, what = "bundled"): unknown {
  if (!isBuildFailure(error)) return error;
  const [first] = error.errors;
  const place = first?.location ? `${first.location.file}:${first.location.line}:${first.location.column + 1}: ` : "";
  const more = error.errors.length > 1 ? ` (and ${error.errors.length - 1} more)` : "";
  return inputError(`${basename(file)} could not be ${what}.`, {
    code: "bundle.failed",
    why: `${place}${first?.text ?? error.message}${more}`,
    next: "Fix the source; packages it imports must be installed in the project.",
    cause: error,
  });
}

function inputsOf({ inputs }: Metafile, folder: string): string[] {
  return Object.keys(inputs)
    .filter((path) => !path.includes(":") && !/(^|[\\/])node_modules[\\/]/.test(path))
    .map((path) => resolve(folder, path));
}

/**
 * Source maps are off in Node until asked for, and then hold for what is loaded later: the script requires itself again.
 * Where that cannot be done it runs as it is.
 */
const withSourceMaps = [
  "if (!globalThis.__iotMapped && process.setSourceMapsEnabled && require('fs').existsSync(__filename)) {",
  "  globalThis.__iotMapped = true;",
  "  process.setSourceMapsEnabled(true);",
  "  delete require.cache[__filename];",
  "  module.exports = require(__filename);",
  "  return;",
  "}",
].join("\n");

/**
 * Bundles a source with everything it imports to one file: CommonJS for Node, an ES module for Deno.
 *
 * @throws CommandError `package.missing` without esbuild, `bundle.failed` (exit 3) when the source has a mistake
 */
export async function bundleScript(options: BundleOptions): Promise<Script> {
  const { file, language, sourcemap, localBanner, allowFile } = options;
  const esbuild = await loadEsbuild(", or use --no-bundle with a script that needs no bundling.");
  const isDeno = language.startsWith("deno");
  const folder = dirname(file);
  const fileName = `${basename(file).replace(/\.[^.]*$/, "")}.js`;
  const notes: string[] = [];
  try {
    const { outputFiles, metafile } = await esbuild.build({
      absWorkingDir: folder,
      entryPoints: [relative(folder, file)],
      outfile: join(folder, fileName),
      bundle: true,
      write: false,
      metafile: true,
      platform: "node",
      target: isDeno ? "esnext" : "node20",
      format: isDeno ? "esm" : "cjs",
      sourcemap: sourcemap ? "inline" : false,
      legalComments: "none",
      logLevel: "silent",
      plugins: [
        ...(allowFile === undefined ? [] : [allowedFiles(allowFile)]),
        ...(isDeno ? [mappedImports(folder)] : []),
        addressedImports(isDeno),
        missingPackages(notes, language),
      ],
      ...(localBanner === undefined ? {} : { sourceRoot: `${folder}/`, banner: { js: localBanner } }),
      ...(localBanner === undefined && sourcemap && !isDeno ? { banner: { js: withSourceMaps } } : {}),
    });
    const content = outputFiles[0]?.contents ?? new Uint8Array();
    return { fileName, content, hash: hashOf(content), inputs: inputsOf(metafile, folder), notes };
  } catch (error) {
    throw failureOf(error, file);
  }
}

const inlined = [".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".woff", ".woff2"];

/** Nothing in a script or a style can close its element. */
const inElement = (text: string): string => text.replaceAll(/<\/(?=script|style)/gi, "<\\/");

/**
 * A page of one script, which is bundled with everything it imports: packages, styles and images too.
 *
 * @returns the page, and absolute paths of what it was made from
 * @throws CommandError as `bundleScript`
 */
export async function bundlePage(file: string): Promise<{ readonly html: string; readonly inputs: readonly string[] }> {
  const esbuild = await loadEsbuild(", or use an HTML file.");
  const folder = dirname(file);
  try {
    const { outputFiles, metafile } = await esbuild.build({
      absWorkingDir: folder,
      entryPoints: [relative(folder, file)],
      outfile: join(folder, "page.js"),
      bundle: true,
      write: false,
      metafile: true,
      platform: "browser",
      target: "es2022",
      format: "esm",
      jsx: "automatic",
      define: { "process.env.NODE_ENV": '"development"' },
      loader: Object.fromEntries(inlined.map((ending) => [ending, "dataurl"])),
      charset: "utf8",
      logLevel: "silent",
    });
    const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
    const style = textOf(".css") === "" ? "" : `<style>${inElement(textOf(".css"))}</style>`;
    const script = `<script type="module">${inElement(textOf(".js"))}</script>`;
    const html = `<!doctype html><meta charset="utf-8">${style}<div id="root"></div>${script}`;
    return { html, inputs: inputsOf(metafile, folder) };
  } catch (error) {
    throw failureOf(error, file);
  }
}

/** The JavaScript of a TypeScript file, with its source map: nothing is bundled, and nothing unused is left out. */
export async function stripTypes(file: string, text: string): Promise<{ readonly code: string; readonly map: string }> {
  const esbuild = await loadEsbuild(", or compile the script to JavaScript first.");
  try {
    return await esbuild.transform(text, {
      loader: "ts",
      sourcefile: basename(file),
      sourcemap: "external",
      logLevel: "silent",
    });
  } catch (error) {
    throw failureOf(error, file, "compiled");
  }
}
