import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { quote } from "../command/values.ts";
import { inputError } from "../failures/command-error.ts";
import { isObject, type JsonObject } from "../files/files.ts";

/** Creates the error for an unusable file: its path, and why. */
export type Refuse = (place: string, why: string) => Error;

/** Rejects files of folders that `iot <noun> export` writes. */
export function refusing(noun: string, code: string): Refuse {
  return (place, why) =>
    inputError(`The file ${quote(place)} cannot be used.`, {
      code,
      why: `${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
      next: `Fix the file, or export the ${noun} again.`,
    });
}

const MAX_FILE_BYTES = 16 * 1024 * 1024;
export const MAX_DEPTH = 100;

/** What is at a path, without following links. */
export const entryAt = (path: string) => lstatSync(path, { throwIfNoEntry: false });

/** The names in a folder, in order; none where there is no folder. */
export function namesIn(path: string): string[] {
  return entryAt(path)?.isDirectory() === true ? readdirSync(path).sort() : [];
}

/** The text of a file that is not trusted: a link could lead to any file of this machine, and a pipe would never end. */
export function withoutMarks(path: string, place: string, refuse: Refuse): string {
  const stats = entryAt(path);
  if (stats === undefined) throw refuse(place, "it is not there");
  if (!stats.isFile()) throw refuse(place, "it is not a plain file");
  if (stats.size > MAX_FILE_BYTES) throw refuse(place, `it is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB`);
  return readFileSync(path, "utf8");
}

/** The JSON object in such a file. */
export function readDocument(path: string, place: string, refuse: Refuse): JsonObject {
  const text = withoutMarks(path, place, refuse).replace(/^\ufeff/, "");
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw refuse(place, `it is not valid JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(document)) throw refuse(place, "it does not hold a JSON object");
  if (!isShallow(document, MAX_DEPTH)) throw refuse(place, `it is nested more than ${MAX_DEPTH} deep`);
  return document;
}

/** Whether a document of others has no more levels than this. */
export function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1));
}
