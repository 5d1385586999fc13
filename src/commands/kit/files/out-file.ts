import { accessSync, constants, statSync } from "node:fs";
import { dirname, extname, relative } from "node:path";
import type { CommandContext } from "../context.ts";
import { CommandError, inputError } from "../failures/command-error.ts";
import { errorCode } from "./files.ts";

type Place = Pick<CommandContext, "cwd">;

/** A path as the user knows it: from the current folder, if it lies in there. */
export function shownPath({ cwd }: Place, path: string): string {
  const name = relative(cwd, path);
  return name === "" || name.startsWith("..") ? path : name;
}

function checkAccess(folder: string, message: string): void {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = errorCode(error);
    if (typeof code !== "string" || code === "ENOENT" || code === "ENOTDIR") throw error;
    throw new CommandError(message, {
      code: "file.permission",
      exit: 1,
      why: `The folder ${folder} is not writable (${code}).`,
      next: "Choose another folder, or change its permissions.",
    });
  }
}

/** Rejects the path of a folder where a file is to be. */
export function refuseFolder(ctx: Place, path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw inputError(`${shownPath(ctx, path)} is a folder.`, { code: "file.is_folder", next: "Use a file in it." });
}

/** Rejects a file that could not be written, before anything is asked or sent for it. */
export function checkWritable(ctx: Place, path: string): void {
  const name = shownPath(ctx, path);
  const folder = dirname(path);
  refuseFolder(ctx, path);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw inputError(`The folder ${shownPath(ctx, folder)} does not exist.`, {
      code: "file.not_found",
      why: `${name} would be written to it.`,
      next: "Create the folder first, or use another one.",
    });
  }
  checkAccess(folder, `${name} cannot be written.`);
}

/** As `checkWritable`, for a folder that is made when it does not exist. */
export function checkWritableFolder(ctx: Place, path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) checkWritable(ctx, path);
  else checkAccess(path, `No file can be written into ${shownPath(ctx, path)}.`);
}

/** As `checkWritable`, for a command that makes the folders above the file. */
export function checkNewFile(ctx: Place, path: string): void {
  refuseFolder(ctx, path);
  checkNewFolder(ctx, dirname(path));
}

/** As `checkWritableFolder`, for a command that makes the folders above it, too. */
export function checkNewFolder(ctx: Place, path: string): void {
  let there = path;
  while (statSync(there, { throwIfNoEntry: false }) === undefined && dirname(there) !== there) there = dirname(there);
  if (!statSync(there).isDirectory()) {
    throw inputError(`${shownPath(ctx, path)} cannot be a folder.`, {
      code: "file.not_found",
      why: `${shownPath(ctx, there)} is a file.`,
      next: "Use another path.",
    });
  }
  checkAccess(there, `No file can be written into ${shownPath(ctx, path)}.`);
}

/** Checks the file that a command is to write, and asks before one that exists is replaced. */
export async function confirmOutFile(ctx: CommandContext, path: string): Promise<void> {
  checkWritable(ctx, path);
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return;
  const name = shownPath(ctx, path);
  await ctx.confirm({ level: 1, action: `Overwrite ${name}`, name, where: "on this machine" });
}

/** The format of a file extension; undefined without one. */
export function formatOfEnding<Format extends string>(
  path: string,
  formats: Readonly<Record<string, Format>>,
): Format | undefined {
  const ending = extname(path).slice(1).toLowerCase();
  if (ending === "") return undefined;
  const format = Object.hasOwn(formats, ending) ? formats[ending] : undefined;
  if (format !== undefined) return format;
  throw inputError(`Unknown file ending .${ending}.`, {
    code: "file.format",
    why: `Known endings: ${Object.keys(formats)
      .map((known) => `.${known}`)
      .join(", ")}.`,
    next: "Change the ending, or set the format with --format.",
  });
}
