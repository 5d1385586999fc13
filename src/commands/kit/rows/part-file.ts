import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { onFileAsync } from "../files/files.ts";
import { replaceFile } from "../files/replace-file.ts";

/** A file on its way: it has its own name until it is whole. */
export interface PartFile {
  /** Bytes so far. */
  readonly offset: number;
  write(text: string): Promise<void>;
  /** Resolves when all of it is on the disk. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export const partName = (path: string): string => `${path}.part`;

/** Opens the part of a file; bytes after `offset` were not noted and are cut off. */
export async function openPart(path: string, offset: number): Promise<PartFile> {
  makeFolder(dirname(path), 0o777);
  const file = await onFileAsync(path, () => open(partName(path), offset === 0 ? "w" : "r+"));
  await file.truncate(offset);
  let at = offset;
  return {
    get offset() {
      return at;
    },
    async write(text) {
      at += await onFileAsync(path, () => writeAll(file, Buffer.from(text), at));
    },
    sync: () => file.datasync(),
    close: () => file.close(),
  };
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<number> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
  }
  return bytes.length;
}

/** Renames the part to its final name. Readers see the old file or the whole new one. */
export function settlePart(path: string): Promise<void> {
  return onFileAsync(path, async () => replaceFile(partName(path), path));
}
