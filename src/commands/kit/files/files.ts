import {
  chmodSync,
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { JsonObject } from "../../../lib/core/json.ts";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { inputError } from "../failures/command-error.ts";
import { isAlive } from "../process/alive.ts";
import { replaceFile } from "./replace-file.ts";

/** The text of a file, or nothing when it does not exist. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

export const errorCode = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/**
 * The error with the file that the user knows, and that it was to be written: errors of an open file name none, those
 * of a temporary one that. Where its folder could not be created, that is what the user has to fix.
 */
function namingFile(error: unknown, path: string): unknown {
  const isOfFolder = error instanceof Error && "syscall" in error && error.syscall === "mkdir";
  return !isOfFolder && typeof errorCode(error) === "string"
    ? Object.assign(error as Error, { path, isWriting: true })
    : error;
}

/** Writes a file; the errors name it. */
export function onFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw namingFile(error, path);
  }
}

/** As `onFile`, for work that is waited for. */
export async function onFileAsync<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw namingFile(error, path);
  }
}

/** A name beside a file, for what will replace it. It says which process writes there: see `sweepTemporaries`. */
export function temporaryName(path: string): string {
  return `${path}.${process.pid}.${Math.random().toString(36).slice(2, 8)}.tmp`;
}

/** Removes what processes that were killed have left beside these files. */
export function sweepTemporaries(paths: readonly string[]): void {
  const own = new Set(paths);
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    for (const name of readdirSync(folder)) {
      const [, base, pid] = /^(.+)\.(\d+)\.[a-z0-9]{1,6}\.tmp$/.exec(name) ?? [];
      const isLeft = base !== undefined && own.has(join(folder, base)) && !isAlive(Number(pid));
      if (isLeft) rmSync(join(folder, name), { force: true });
    }
  }
}

/** Replaces a file as a whole: readers see the old text or the new one, and a full disk leaves the old one. */
export function writeWhole(
  path: string,
  text: string | Uint8Array,
  mode: { readonly file: number; readonly folder: number },
): void {
  const folder = dirname(path);
  makeFolder(folder, mode.folder);
  const temporary = temporaryName(path);
  try {
    const file = openSync(temporary, "wx", mode.file);
    try {
      // Unlike writeSync this continues after a short write, and so notices a full disk.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // The process's umask may have taken bits away from the mode, never added any; this makes it exact.
    chmodSync(temporary, mode.file);
    replaceFile(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw namingFile(error, path);
  }
}

/** The file behind links, whether it exists or not: replacing a link would leave the real file as it was. */
export function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) !== "ENOENT") return path;
  }
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    // No link: there is nothing, or another process has just written the file itself.
    return path;
  }
}

/** Replaces a file of settings or state, readable by the user alone; where the path is a link, the file behind it. */
export function writePrivate(path: string, text: string): void {
  const target = realTarget(path);
  // What a killed process left may hold a token.
  sweepTemporaries([target]);
  writeWhole(target, text, { file: 0o600, folder: 0o700 });
}

export type { JsonObject };

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object in a value; an empty one where it is none. */
export const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** A JSON object from a settings file. A broken file is named, never replaced. */
export function parseObject(text: string, shownPath: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw inputError(`${shownPath} is not valid JSON.`, {
      code: "config.not_json",
      why: error instanceof Error ? error.message : "It cannot be read.",
      next: "Fix the file, or move it away.",
    });
  }
  if (!isObject(value)) {
    throw inputError(`${shownPath} does not hold a JSON object.`, {
      code: "config.invalid",
      next: "Fix the file, or move it away.",
    });
  }
  return value;
}
