import { linkSync, rmSync, writeFileSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import type { CommandContext } from "../../kit/context.ts";
import { errorCode, readTextIfThere, temporaryName, writeWhole } from "../../kit/files/files.ts";
import { checkWritableFolder, shownPath } from "../../kit/files/out-file.ts";
import { replaceFile } from "../../kit/files/replace-file.ts";
import { pathBelow } from "../../kit/jobs/path-below.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { textDigest } from "../../kit/state/digest.ts";
import { isS3 } from "./s3/address.ts";
import { s3Store } from "./s3/store.ts";
import { type DatasetStore, hashOf } from "./store.ts";

export type { DatasetStore } from "./store.ts";

/** @param out a folder, or an address as `s3://bucket/prefix` */
export const storeOf = (ctx: CommandContext, out: string): DatasetStore =>
  isS3(out) ? s3Store(ctx, out) : folderStore(ctx, out);

/** Files that are looked for at a time. */
const LANES = 16;
/** Parts on their way. Spark leaves such a folder out as well. */
const UNFINISHED = "_temporary";

function folderStore(ctx: CommandContext, folder: string): DatasetStore {
  const pathOf = (name: string): string => pathBelow(folder, name);
  const versionOf = async (name: string): Promise<string | undefined> => {
    const text = readTextIfThere(pathOf(name));
    return text === undefined ? undefined : textDigest(text);
  };
  const sizeOf = async (name: string): Promise<number | undefined> =>
    (await stat(pathOf(name)).catch(() => undefined))?.size;
  return {
    shown: shownPath(ctx, folder),
    location: `file://${folder}`,
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
    sizeOf,
    sizesOf: (names) => mapLanes(names, LANES, sizeOf),
    readText: async (name) => readTextIfThere(pathOf(name)),
    versionOf,
    async replaceText(name, text, version) {
      const found = await versionOf(name);
      if (found !== undefined && found !== version) return false;
      writeWhole(pathOf(name), text, { file: 0o666, folder: 0o777 });
      return true;
    },
    create: async (name, content) => createWhole(pathOf(name), content),
    writeText: async (name, text) => writeWhole(pathOf(name), text, { file: 0o666, folder: 0o777 }),
    remove: (name) => rm(pathOf(name), { force: true }),
    removeUnfinished: () => rm(join(folder, UNFINISHED), { recursive: true, force: true }),
  };
}

/** A link cannot replace a file, and what it leads to is whole. */
function createWhole(path: string, content: string | Uint8Array): boolean {
  const whole = temporaryName(path);
  writeWhole(whole, content, { file: 0o666, folder: 0o777 });
  try {
    linkSync(whole, path);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    return createInPlace(path, content);
  } finally {
    rmSync(whole, { force: true });
  }
}

/** For file systems without links, where a reader may see a part of it for an instant. */
function createInPlace(path: string, content: string | Uint8Array): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o666 });
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}
