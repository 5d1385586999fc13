import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../lib/core/json.ts";
import { SeedError } from "./seed-error.ts";

/** Largest file of a seed. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 60;
/** They would reach the prototype of an object they are copied to. */
const REFUSED_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

/** Files of a folder; nothing outside it is ever read, whatever they say. */
export interface SeedFolder {
  readonly path: string;
  /** Names of the files and folders in a folder of it, sorted; none when that is not there. */
  names(folder?: string): { readonly files: readonly string[]; readonly folders: readonly string[] };
  /** The content of a file, by its path with slashes. `named` is where it is named, for messages. */
  bytes(path: string, named?: string): Buffer;
  /** The JSON of a file; `undefined` when it is not there. */
  json(path: string): unknown;
}

/** Opens the folder of a seed. */
export function openFolder(root: string): SeedFolder {
  const entry = (path: string): ReturnType<typeof lstatSync> | undefined => {
    const parts = path.split("/");
    const isInside = parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[\\:\0]/.test(part));
    if (!isInside) throw new SeedError(`${path} is not a path inside the folder of the seed.`);
    // A link could lead anywhere, on each step of the way.
    for (let length = 1; length <= parts.length; length += 1) {
      const step = parts.slice(0, length).join("/");
      const found = lstatSync(join(root, step), { throwIfNoEntry: false });
      if (found === undefined) return undefined;
      if (found.isSymbolicLink()) throw new SeedError(`${step} is a symbolic link, which a seed must not have.`);
      if (length === parts.length) return found;
      if (!found.isDirectory()) return undefined;
    }
    return undefined;
  };

  const bytes = (path: string, named = path): Buffer => {
    const found = entry(path);
    if (found === undefined) throw new SeedError(`${named}: there is no file ${path}.`);
    if (!found.isFile()) throw new SeedError(`${named}: ${path} is not a file.`);
    if (Number(found.size) > MAX_FILE_BYTES) throw new SeedError(`${path} is larger than 8 MiB.`);
    return readFileSync(join(root, path));
  };

  return {
    path: root,
    names: (folder = "") => {
      if (folder !== "" && entry(folder)?.isDirectory() !== true) return { files: [], folders: [] };
      const found = readdirSync(join(root, folder), { withFileTypes: true });
      const of = (is: (each: Dirent) => boolean): string[] =>
        found
          .filter(is)
          .map(({ name }) => name)
          .sort();
      return { files: of((each) => !each.isDirectory()), folders: of((each) => each.isDirectory()) };
    },
    bytes,
    json: (path) => {
      if (entry(path) === undefined) return undefined;
      const value = parse(bytes(path).toString("utf8"), path);
      checkKeys(value, path, 0);
      return value;
    },
  };
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new SeedError(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`, undefined, {
      cause: error,
    });
  }
}

function checkKeys(value: unknown, path: string, depth: number): void {
  if (depth > MAX_DEPTH) throw new SeedError(`${path} is nested more than ${MAX_DEPTH} deep.`);
  if (Array.isArray(value)) for (const each of value) checkKeys(each, path, depth + 1);
  else if (isRecord(value)) {
    for (const [key, each] of Object.entries(value)) {
      if (REFUSED_KEYS.includes(key)) throw new SeedError(`${path} has the key "${key}", which is not allowed.`);
      checkKeys(each, path, depth + 1);
    }
  }
}
