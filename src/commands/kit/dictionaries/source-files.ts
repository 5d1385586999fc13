import { lstatSync, statSync } from "node:fs";
import { basename, join, sep } from "node:path";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";
import { fixedPart, globPattern, isGlob } from "../files/glob.ts";
import { localTree } from "../files/local-tree.ts";

/** A file of texts. */
export interface SourceFile {
  /** As the user would write it; `-` is stdin. */
  readonly name: string;
  /** Whole path; undefined for stdin. */
  readonly path?: string;
  /** Where its result goes below `--out`. */
  readonly target: string;
}

/** Every file that arguments name: files, folders with all that is in them, patterns, stdin. Each once. */
export async function findFiles(ctx: CommandContext, args: readonly string[]): Promise<readonly SourceFile[]> {
  const found = new Map<string, SourceFile>();
  for (const arg of args) {
    for (const file of await filesOf(ctx, arg)) found.set(file.path ?? "-", file);
  }
  return [...found.values()];
}

async function filesOf(ctx: CommandContext, arg: string): Promise<readonly SourceFile[]> {
  if (arg === "-") return [{ name: "-", target: "stdin.txt" }];
  const path = ctx.path(arg);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isFile() === true) return [{ name: arg, path, target: basename(path) }];
  if (stats?.isDirectory() === true) return inFolder(path, arg, () => true);
  const glob = sep === "\\" ? arg.replaceAll("\\", "/") : arg;
  if (stats === undefined && isGlob(glob)) {
    const folder = fixedPart(glob);
    const pattern = globPattern(folder === "." ? glob.replace(/^\.\//, "") : glob.slice(folder.length + 1));
    const place = ctx.path(folder);
    const files = isFolder(place) ? await inFolder(place, folder, (rel) => pattern.test(rel)) : [];
    if (files.length > 0) return files;
  }
  throw inputError(`The file ${quote(arg)} does not exist.`, {
    code: "file.not_found",
    next: "Check the path; folders and patterns such as **/*.html also work.",
  });
}

const isFolder = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

async function inFolder(
  folder: string,
  name: string,
  isWanted: (rel: string) => boolean,
): Promise<readonly SourceFile[]> {
  const { files } = await localTree(folder);
  // What tools keep for themselves is nobody's text.
  const own = files.filter(
    ({ rel }) => !rel.split("/").some((part) => part.startsWith(".") || part === "node_modules"),
  );
  return own
    .filter(({ rel }) => isWanted(rel))
    .map(({ rel }) => ({ name: join(name, rel), path: join(folder, rel), target: rel }));
}
