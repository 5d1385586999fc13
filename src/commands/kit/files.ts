import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { inputError } from "./command-error.ts";

/** The text of a file, or nothing when it does not exist. */
export function readTextIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** The error with the file that the user knows: errors of an open file name none, those of a temporary one that. */
export function namingFile(error: unknown, path: string): unknown {
  return typeof codeOf(error) === "string" ? Object.assign(error as Error, { path }) : error;
}

/** Does work on an open file; its errors name the file. */
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

/**
 * Makes a folder and those above it. Node's own recursive form never ends where the system denies that a folder could
 * exist, as below /proc.
 */
export function makeFolder(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) === "EEXIST" && statSync(path).isDirectory()) return;
    if (codeOf(error) !== "ENOENT" || dirname(path) === path || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path), mode);
    makeFolder(path, mode);
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
  const temporary = `${path}.${process.pid}.${Math.random().toString(36).slice(2, 8)}.tmp`;
  try {
    const file = openSync(temporary, "wx", mode.file);
    try {
      // Unlike writeSync this goes on after a short write, and so notices a full disk.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    // The process's umask may have taken bits away from the mode, never added any; this makes it exact.
    chmodSync(temporary, mode.file);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw namingFile(error, path);
  }
}

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A JSON object from a settings file. A broken file is named, never replaced. */
export function parseObject(text: string, shownPath: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw inputError(`${shownPath} is not valid JSON.`, {
      code: "config.not_json",
      why: error instanceof Error ? error.message : "It cannot be read.",
      next: "Correct the file, or move it away.",
    });
  }
  if (!isObject(value)) {
    throw inputError(`${shownPath} does not hold a JSON object.`, {
      code: "config.invalid",
      next: "Correct the file, or move it away.",
    });
  }
  return value;
}
