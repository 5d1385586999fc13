import { lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { countText } from "../../text/count.ts";
import { quote } from "../kit/command/values.ts";
import { inputError, usageError } from "../kit/failures/command-error.ts";
import { errorCode } from "../kit/files/files.ts";
import { projectFileName } from "../kit/settings/config.ts";
import { userFolders } from "../kit/settings/paths.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Throws for a path that calls may not touch. */
export type AllowFile = (path: string) => void;

/** Larger folders are for people: looking through one takes a second. */
const MAX_ENTRIES = 200_000;

/** Without `--files` there is no file at all. */
export const noFiles: AllowFile = () => {
  throw usageError("This server works without local files.", {
    code: "mcp.no_files",
    why: "It was started without --files.",
    next: 'Pass the content: "-" as the file, and the text as "stdin". For files, ask the user to start the server with --files <folder>.',
  });
};

/** Whether a path is a folder or lies below it. Both are real paths. */
function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === "" || !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/**
 * The path behind all links. Of one that does not exist yet, that of the nearest folder that does; undefined behind a link
 * that leads nowhere, where writing would create a file.
 */
function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT" && errorCode(error) !== "ENOTDIR") return undefined;
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return undefined;
    const folder = dirname(path);
    const real = folder === path ? undefined : realPath(folder);
    return real === undefined ? undefined : join(real, basename(path));
  }
}

/** Folders with settings, tokens and state of this program, and the files that links in them lead to. */
function ownPlaces(env: Environment): string[] {
  const folders = Object.values(userFolders(env)).map((folder) => resolve(folder));
  const links = folders.flatMap((folder) =>
    entriesOf(folder).flatMap((entry) => (entry.isSymbolicLink() ? [join(folder, entry.name)] : [])),
  );
  return [...folders, ...links].flatMap((path) => realPath(path) ?? []);
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Commands cannot read it either.
    return [];
  }
}

/**
 * Limits calls to a folder: what a path leads to must lie in it, behind all links, and no folder that is named may hold a
 * link out of it. Settings, tokens and state of this program stay out, wherever they are.
 *
 * @throws CommandError when there is no such folder
 */
export function folderLimit(folder: string, env: Environment): AllowFile {
  const root = realPath(folder);
  if (root === undefined || statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw inputError(`The folder ${quote(folder)} for --files does not exist.`, { code: "file.not_found" });

  function check(path: string, own: readonly string[]): string {
    const real = realPath(path);
    if (real === undefined || !isInside(root ?? "", real)) {
      throw usageError(`${quote(path)} is outside the folder of this server.`, {
        code: "mcp.outside_files",
        why: `Calls reach files below ${root} only, also behind links.`,
        next: "Use a path in that folder; relative paths start there.",
      });
    }
    const isOwn = own.some((place) => isInside(place, real));
    if (isOwn || basename(real).toLowerCase() === projectFileName) throw ownFile(path);
    return real;
  }

  function checkContent(start: string, own: readonly string[]): void {
    if (own.some((place) => isInside(start, place))) throw ownFile(start);
    const seen = new Set<string>();
    const waiting = [start];
    let count = 0;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (seen.has(at)) continue;
      seen.add(at);
      for (const entry of entriesOf(at)) {
        const path = join(at, entry.name);
        count += 1;
        if (count > MAX_ENTRIES) throw tooLarge(start);
        if (entry.isDirectory()) waiting.push(path);
        else if (entry.isSymbolicLink()) {
          const real = check(path, own);
          if (isFolder(real)) waiting.push(real);
        }
      }
    }
  }

  return (path) => {
    const own = ownPlaces(env);
    const real = check(path, own);
    if (isFolder(real)) checkContent(real, own);
  };
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const ownFile = (path: string): Error =>
  usageError(`${quote(path)} holds settings of iot.`, {
    code: "mcp.outside_files",
    why: "Calls never reach settings, tokens and state of this program.",
    next: "Use another path.",
  });

const tooLarge = (path: string): Error =>
  usageError(`The folder ${quote(path)} has more than ${countText(MAX_ENTRIES)} entries.`, {
    code: "mcp.outside_files",
    why: "It cannot be checked for links that lead out of the folder of this server.",
    next: "Use a smaller folder in it.",
  });
