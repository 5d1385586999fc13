import { closeSync, constants, copyFileSync, existsSync, openSync, readSync, realpathSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { usageError } from "../kit/command-error.ts";
import { writeWhole } from "../kit/files.ts";

/** Where the new text of an input goes. */
export interface Destination {
  readonly path: string;
  /** Whether a file is there already. */
  readonly exists: boolean;
}

/** One destination per input, checked before anything is written. */
export function destinationsIn(folder: string, inputs: readonly string[]): Map<string, Destination> {
  const taken = new Map<string, string>();
  const destinations = new Map<string, Destination>();
  for (const input of inputs) {
    const path = resolve(folder, input === "-" ? "stdin.json" : basename(input));
    const other = taken.get(path);
    if (other !== undefined) {
      throw usageError(`${other} and ${input} would both become ${join(folder, basename(path))}.`, {
        next: "Convert them one after the other into two folders.",
      });
    }
    taken.set(path, input);
    destinations.set(input, { path, exists: existsSync(path) });
  }
  return destinations;
}

/** The file itself, behind any link: replacing the link would leave the real file as it was. */
export function inPlace(input: string): Destination {
  return { path: realpathSync(input), exists: true };
}

/** Writes a file as a whole; an existing one keeps its mode. */
export function writeResult({ path }: Destination, text: string): void {
  const mode = existsSync(path) ? statSync(path).mode & 0o777 : 0o644;
  writeWhole(path, text, { file: mode, folder: 0o755 });
}

/** Copies a file beside itself under a name that is free; never over an older copy. */
export function backUp({ path }: Destination): string {
  for (let number = 0; ; number += 1) {
    const copy = `${path}.bak${number === 0 ? "" : number}`;
    if (existsSync(copy)) continue;
    copyFileSync(path, copy, constants.COPYFILE_EXCL);
    return copy;
  }
}

/** The byte-order mark of a file, which reading takes away; a file that is not there has none. */
export function markOf(input: string): string {
  if (input === "-" || !existsSync(input) || !statSync(input).isFile()) return "";
  const file = openSync(input, "r");
  try {
    const start = Buffer.alloc(3);
    const count = readSync(file, start, 0, 3, 0);
    return count === 3 && start.equals(Buffer.from("\uFEFF")) ? "\uFEFF" : "";
  } finally {
    closeSync(file);
  }
}
