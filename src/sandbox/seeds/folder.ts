import { type Dirent, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../lib/core/json.ts";
import { SeedError } from "./seed-error.ts";

/** Largest file of a seed. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_DEPTH = 60;
/** They would reach the prototype of an object they are copied to. */
const REFUSED_KEYS: readonly string[] = ["__proto__", "constructor", "prototype"];

/** Files of a folder; nothing outside it is ever read, whatever the files refer to. */
export class SeedFolder {
  readonly path: string;

  constructor(root: string) {
    this.path = root;
  }

  /** Names of the files and folders in a subfolder, sorted; none when it does not exist. */
  names(folder = ""): { readonly files: readonly string[]; readonly folders: readonly string[] } {
    if (folder !== "" && this.#entry(folder)?.isDirectory() !== true) return { files: [], folders: [] };
    const found = readdirSync(join(this.path, folder), { withFileTypes: true });
    const of = (is: (each: Dirent) => boolean): string[] =>
      found
        .filter(is)
        .map(({ name }) => name)
        .sort();
    return { files: of((each) => !each.isDirectory()), folders: of((each) => each.isDirectory()) };
  }

  /** The content of a file, by its path with slashes. `named` is where it is referenced, for messages. */
  bytes(path: string, named = path): Buffer {
    const found = this.#entry(path);
    if (found === undefined) throw new SeedError(`${named}: there is no file ${path}.`);
    if (!found.isFile()) throw new SeedError(`${named}: ${path} is not a file.`);
    if (Number(found.size) > MAX_FILE_BYTES) throw new SeedError(`${path} is larger than 8 MiB.`);
    return readFileSync(join(this.path, path));
  }

  /** The JSON of a file; `undefined` when it does not exist. */
  json(path: string): unknown {
    if (this.#entry(path) === undefined) return undefined;
    const value = parse(this.bytes(path).toString("utf8"), path);
    checkKeys(value, path, 0);
    return value;
  }

  #entry(path: string): ReturnType<typeof lstatSync> | undefined {
    const parts = path.split("/");
    const isInside = parts.every((part) => part !== "" && part !== "." && part !== ".." && !/[\\:\0]/.test(part));
    if (!isInside) throw new SeedError(`${path} is not a path inside the folder of the seed.`);
    // A link could lead anywhere, in each part of the path.
    for (let length = 1; length <= parts.length; length += 1) {
      const step = parts.slice(0, length).join("/");
      const found = lstatSync(join(this.path, step), { throwIfNoEntry: false });
      if (found === undefined) return undefined;
      if (found.isSymbolicLink()) throw new SeedError(`${step} is a symbolic link, which a seed must not have.`);
      if (length === parts.length) return found;
      if (!found.isDirectory()) return undefined;
    }
    return undefined;
  }
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
