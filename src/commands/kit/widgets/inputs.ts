import { readdirSync, type Stats, statSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";
import { fixedPart, globPattern, isGlob } from "../files/glob.ts";

type Paths = Pick<CommandContext, "cwd" | "path">;

/** One file to read, or stdin. */
export interface WidgetInput {
  /** As people know it; `-` is stdin. */
  readonly name: string;
  /** The path to open; undefined for stdin. */
  readonly path?: string;
  /** Where its result goes below `--out`. */
  readonly target: string;
  /** Bytes, as far as known. */
  readonly bytes: number;
}

/** What the arguments of a command lead to. */
export interface Inputs {
  readonly files: readonly WidgetInput[];
  /** Arguments that lead to nothing. */
  readonly failures: readonly { readonly name: string; readonly error: Error }[];
}

const isWidgetFile = (name: string): boolean => /\.(json|jsonl|ndjson)$/i.test(name);

/** True for a file that has one JSON text per line by its name. */
export const isLinesFile = (name: string): boolean => /\.(jsonl|ndjson)$/i.test(name);

/**
 * Every file the arguments name: files, folders with all JSON files below them, globs. In a stable order, each once.
 *
 * @param only a glob that the files of folders must match, relative to the folder
 */
export function findInputs(ctx: Paths, args: readonly string[], only: string | undefined): Inputs {
  const files = new Map<string, WidgetInput>();
  const failures: { name: string; error: Error }[] = [];
  for (const arg of new Set(args)) {
    try {
      for (const input of inputsOf(ctx, arg, only)) {
        const key = input.path ?? "-";
        if (!files.has(key)) files.set(key, input);
      }
    } catch (error) {
      failures.push({ name: arg, error: error instanceof Error ? error : new Error(String(error)) });
    }
  }
  return { files: [...files.values()], failures };
}

function inputsOf(ctx: Paths, arg: string, only: string | undefined): readonly WidgetInput[] {
  if (arg === "-") return [{ name: "-", target: "stdin.json", bytes: 0 }];
  const path = ctx.path(arg);
  const stats = statOf(path);
  if (stats?.isDirectory()) return inFolder(ctx, path, arg, globPattern(only ?? "**"));
  if (stats !== undefined) return [{ name: arg, path, target: basename(path), bytes: stats.size }];
  const glob = sep === "\\" ? arg.replaceAll("\\", "/") : arg;
  if (!isGlob(glob)) throw missing(arg);
  const folder = fixedPart(glob);
  const rest = folder === "." ? glob.replace(/^\.\//, "") : glob.slice(folder === "/" ? 1 : folder.length + 1);
  return inFolder(ctx, ctx.path(folder), arg, globPattern(rest), true);
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR"))
      return undefined;
    throw error;
  }
}

function missing(arg: string): Error {
  return inputError(`File ${quote(arg)} not found.`, {
    code: "input.not_found",
    next: "Check the path; folders and patterns such as **/*.json also work.",
  });
}

function inFolder(ctx: Paths, folder: string, arg: string, pattern: RegExp, anyName = false): readonly WidgetInput[] {
  const found: WidgetInput[] = [];
  const walk = (place: string): void => {
    for (const entry of readdirSync(place, { withFileTypes: true }).sort(byName)) {
      const path = join(place, entry.name);
      // Links to folders are left alone: they may lead in circles.
      if (entry.isDirectory()) {
        if (!entry.name.startsWith(".") && entry.name !== "node_modules") walk(path);
        continue;
      }
      const below = relative(folder, path).split(sep).join("/");
      const stats = pattern.test(below) && (anyName || isWidgetFile(below)) ? statOf(path) : undefined;
      if (stats?.isFile())
        found.push({ name: relative(ctx.cwd, path) || path, path, target: below, bytes: stats.size });
    }
  };
  walk(folder);
  if (found.length > 0) return found;
  throw inputError(`${quote(arg)} matches no widget files.`, {
    code: "input.no_files",
    why: anyName ? "No file matches the pattern." : "The folder has no .json, .jsonl or .ndjson files.",
    next: "Choose another folder, or check --glob.",
  });
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : Number(a.name > b.name);
