import { readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { countOf } from "../../../text/count.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { conflictError } from "../failures/command-error.ts";
import { writeWhole } from "../files/files.ts";
import { entryAt, namesIn } from "./read.ts";

/** What an export would change in a folder. Paths are relative to it. */
export interface FolderPlan {
  /** Files that are new or differ, with their text. */
  readonly written: ReadonlyMap<string, string>;
  /** Those of them that exist and would be replaced. */
  readonly replaced: readonly string[];
  /** Files of what is gone. */
  readonly removed: readonly string[];
}

/**
 * Compares files that are to be written with those there.
 *
 * @param files in the order of writing; the last one says that all the others are there
 * @param folders where files with a name of ours go when they are none of `files`
 */
export function planFiles(
  out: string,
  files: ReadonlyMap<string, string>,
  folders: readonly string[],
  isOurs: (name: string) => boolean,
): FolderPlan {
  for (const folder of new Set([...folders, ...[...files.keys()].map(dirname)])) requireFolder(join(out, folder));
  const present = new Map([...files.keys()].map((path) => [path, presentText(join(out, path))]));
  const written = new Map([...files].filter(([path, text]) => present.get(path) !== text));
  const removed = folders
    .flatMap((folder) => namesIn(join(out, folder)).map((name) => ({ name, path: join(folder, name) })))
    .filter(({ name, path }) => isOurs(name) && !files.has(path))
    .map(({ path }) => path);
  return { written, replaced: [...written.keys()].filter((path) => present.get(path) !== undefined), removed };
}

/** Asks before files are replaced or removed. */
export async function confirmFiles(ctx: CommandContext, out: string, plans: readonly FolderPlan[]): Promise<void> {
  const replaced = plans.flatMap((plan) => plan.replaced);
  const removed = plans.flatMap((plan) => plan.removed);
  if (replaced.length + removed.length === 0) return;
  await ctx.confirm({
    level: 1,
    action: `Overwrite ${replaced.length} and delete ${countOf(removed.length, "file")} in ${out}`,
    where: "on this machine",
    name: out,
    items: [...replaced.map((path) => `overwrite ${path}`), ...removed.map((path) => `delete ${path}`)],
  });
}

/** Carries out a plan. Every file is replaced as a whole. */
export function writeFolderFiles(out: string, { written, removed }: FolderPlan): void {
  for (const [path, text] of written) writeWhole(join(out, path), text, { file: 0o644, folder: 0o755 });
  for (const path of removed) rmSync(join(out, path), { force: true });
}

function presentText(path: string): string | undefined {
  const stats = entryAt(path);
  if (stats === undefined) return undefined;
  if (stats.isFile()) return readFileSync(path, "utf8");
  throw inTheWay(path, "It is not a plain file.");
}

// A link would lead the files out of the folder that was named.
function requireFolder(path: string): void {
  if (entryAt(path)?.isDirectory() === false) throw inTheWay(path, "It is not a folder.");
}

function inTheWay(path: string, why: string): Error {
  return conflictError(`${quote(path)} is in the way.`, {
    code: "file.in_the_way",
    why,
    next: "Move it away, or name another folder with --out.",
  });
}
