import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, resolve } from "node:path";
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
    throw error;
  }
}

/** The file behind links, whether it exists or not: replacing a link would leave the real file as it was. */
export function realTarget(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT" || lstatSync(path, { throwIfNoEntry: false }) === undefined) return path;
    return resolve(dirname(path), readlinkSync(path));
  }
}

/** Replaces a file of settings or state, readable by the user alone; where the path is a link, the file behind it. */
export function writePrivate(path: string, text: string): void {
  writeWhole(realTarget(path), text, { file: 0o600, folder: 0o700 });
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
