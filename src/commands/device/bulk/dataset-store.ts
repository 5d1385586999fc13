import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import type { CommandContext } from "../../kit/context.ts";
import { readTextIfThere, writeWhole } from "../../kit/files/files.ts";
import { checkWritableFolder, shownPath } from "../../kit/files/out-file.ts";
import { replaceFile } from "../../kit/files/replace-file.ts";
import { pathBelow } from "../../kit/jobs/path-below.ts";

export interface StoredFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Where a dataset is written. Names are paths below it, with `/`. */
export interface DatasetStore {
  /** For messages. */
  readonly shown: string;
  /** Rejects a destination that cannot be written, before anything is asked or read for it. */
  check(): Promise<void>;
  /** Makes the destination if it does not exist. */
  prepare(): Promise<void>;
  /** Path on this machine for a file that is not whole yet. */
  unfinished(name: string): string;
  /** Moves a whole file of this machine to its name, so that readers see nothing or all of it. */
  publish(localPath: string, name: string): Promise<StoredFile>;
  /** Calls `read` with the path of a copy on this machine. */
  withFile<T>(name: string, read: (localPath: string) => Promise<T>): Promise<T>;
  /** Bytes; undefined if there is no such file. */
  sizeOf(name: string): Promise<number | undefined>;
  readText(name: string): Promise<string | undefined>;
  /** Replaces a file as a whole. */
  writeText(name: string, text: string): Promise<void>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
  /** Removes what attempts that were killed have left. Called once, when all parts are published. */
  removeUnfinished(): Promise<void>;
}

export const storeOf = (ctx: CommandContext, folder: string): DatasetStore => folderStore(ctx, folder);

/** Parts on their way. Spark leaves such a folder out as well. */
const UNFINISHED = "_temporary";

function folderStore(ctx: CommandContext, folder: string): DatasetStore {
  const pathOf = (name: string): string => pathBelow(folder, name);
  return {
    shown: shownPath(ctx, folder),
    check: async () => checkWritableFolder(ctx, folder),
    prepare: async () => void makeFolder(folder, 0o777),
    // In the same file system, so that a rename publishes it.
    unfinished: (name) => join(folder, UNFINISHED, name),
    async publish(localPath, name) {
      const target = pathOf(name);
      const stored = await hashOf(localPath);
      makeFolder(dirname(target), 0o777);
      replaceFile(localPath, target);
      return stored;
    },
    withFile: (name, read) => read(pathOf(name)),
    sizeOf: async (name) => (await stat(pathOf(name)).catch(() => undefined))?.size,
    readText: async (name) => readTextIfThere(pathOf(name)),
    writeText: async (name, text) => writeWhole(pathOf(name), text, { file: 0o666, folder: 0o777 }),
    remove: (name) => rm(pathOf(name), { force: true }),
    removeUnfinished: () => rm(join(folder, UNFINISHED), { recursive: true, force: true }),
  };
}

async function hashOf(path: string): Promise<StoredFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
}
