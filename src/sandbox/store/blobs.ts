import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  createReadStream,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { type FileHandle, open, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { errorCode } from "../../lib/core/error-code.ts";
import { isError } from "../../lib/core/errors.ts";
import { makeFolder } from "../../lib/core/make-folder.ts";
import { PlatformError } from "../core/platform-error.ts";

/** Content on disk: it never changes. */
export interface Blob {
  /** 32 hex characters. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
  /** Hex digits. */
  readonly md5: string;
}

/** Bytes as they come, e.g. from a request or a file. */
export type ByteSource = AsyncIterable<Uint8Array>;

const BLOB_NAME = /^[0-9a-f]{32}$/;
const TEMPORARY = "tmp";

const newId = (): string => randomBytes(16).toString("hex");

/** Disk errors are the sandbox's, not the caller's: 503, nothing stored. */
function diskFailure(error: unknown): Error {
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG") {
    return new PlatformError(503, "The storage of the sandbox is full: nothing of this request was stored");
  }
  if (code === "EIO" || code === "EROFS" || code === "EACCES" || code === "EMFILE") {
    return new PlatformError(503, `The storage of the sandbox failed: nothing of this request was stored (${code})`);
  }
  return isError(error) ? error : new Error(String(error));
}

function syncDirectory(path: string): void {
  // Windows cannot open a directory; its renames are durable without that.
  if (process.platform === "win32") return;
  const descriptor = openSync(path, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function writeWhole(path: string, content: Uint8Array, isDurable: boolean): void {
  const descriptor = openSync(path, "wx", 0o600);
  try {
    let offset = 0;
    while (offset < content.byteLength) offset += writeSync(descriptor, content, offset);
    if (isDurable) fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  let offset = 0;
  while (offset < chunk.byteLength) {
    const { bytesWritten } = await file.write(chunk, offset, chunk.byteLength - offset);
    offset += bytesWritten;
  }
}

/** The directory of the blobs: a permanent one, or a temporary one that is created with the first blob. */
function createPlace(directory: string | undefined) {
  let path = directory;
  const removeAtExit = (): void => {
    if (directory === undefined && path !== undefined) rmSync(path, { recursive: true, force: true });
  };
  return {
    isDurable: directory !== undefined,
    get current() {
      return path;
    },
    make: (): string => {
      if (path !== undefined) return path;
      path = mkdtempSync(join(tmpdir(), "iot-sandbox-blobs-"));
      // A program that ends without closing its sandbox leaves no files behind either.
      process.once("exit", removeAtExit);
      return path;
    },
    close: (): void => {
      if (directory !== undefined) return;
      process.off("exit", removeAtExit);
      removeAtExit();
      path = undefined;
    },
  };
}

function namesIn(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

/**
 * Blobs in a directory, two hex characters of the id as folders. A blob is written under a temporary name, flushed to
 * disk, and renamed; the row that refers to it follows. Without a directory they are stored in a temporary one.
 */
export class Blobs {
  readonly #place: { isDurable: boolean; readonly current: string | undefined; make: () => string; close: () => void };

  constructor(directory: string | undefined) {
    this.#place = createPlace(directory);
  }

  /** The directory of the blobs; created if it does not exist yet. */
  directory(): string {
    return this.#place.make();
  }

  /** Stores bytes synchronously. */
  write(content: Uint8Array): Blob {
    const id = newId();
    try {
      const { temporary, folder, final } = this.#prepare(id);
      try {
        writeWhole(temporary, content, this.#place.isDurable);
        renameSync(temporary, final);
      } catch (error) {
        rmSync(temporary, { force: true });
        throw error;
      }
      if (this.#place.isDurable) syncDirectory(folder);
    } catch (error) {
      throw diskFailure(error);
    }
    return { id, size: content.byteLength, md5: createHash("md5").update(content).digest("hex") };
  }

  /** Stores a stream in constant memory. Nothing is left behind when the source fails. */
  async writeStream(content: ByteSource): Promise<Blob> {
    const id = newId();
    const { temporary, folder, final } = this.#prepare(id);
    try {
      const file = await open(temporary, "wx", 0o600);
      const seen = await this.#fill(file, content).finally(() => file.close());
      makeFolder(folder, 0o700);
      await rename(temporary, final);
      if (this.#place.isDurable) syncDirectory(folder);
      return { id, ...seen };
    } catch (error) {
      await rm(temporary, { force: true });
      throw diskFailure(error);
    }
  }

  /** Reads from byte `start` to byte `end`, the last one included. */
  read(id: string, start: number, end: number): Readable {
    return createReadStream(this.#pathOf(id), { start, end, highWaterMark: 256 * 1024 });
  }

  remove(id: string): void {
    rmSync(this.#pathOf(id), { force: true });
  }

  /** Removes blobs that no row refers to: the remains of a killed process. Returns their number. */
  sweep(isKnown: (id: string) => boolean): number {
    const root = this.#place.current;
    if (root === undefined) return 0;
    const half = namesIn(join(root, TEMPORARY)).map((name) => join(root, TEMPORARY, name));
    const folders = namesIn(root).filter((name) => /^[0-9a-f]{2}$/.test(name));
    const orphans = folders.flatMap((folder) =>
      namesIn(join(root, folder))
        .filter((name) => BLOB_NAME.test(name) && !isKnown(name))
        .map((name) => join(root, folder, name)),
    );
    for (const path of [...half, ...orphans]) rmSync(path, { force: true });
    return half.length + orphans.length;
  }

  /** Removes the directory when it was a temporary one. */
  close(): void {
    this.#place.close();
  }

  #pathOf(id: string): string {
    return join(this.#place.make(), id.slice(0, 2), id);
  }

  /** Creates the folders, and flushes their entries in the parent folders to disk. */
  #prepare(id: string): { temporary: string; folder: string; final: string } {
    const root = this.#place.make();
    const folder = join(root, id.slice(0, 2));
    const made = [root, join(root, TEMPORARY), folder].map((path) => makeFolder(path, 0o700));
    if (this.#place.isDurable && made.includes(true)) syncDirectory(root);
    return { temporary: join(root, TEMPORARY, id), folder, final: join(folder, id) };
  }

  async #fill(file: FileHandle, content: ByteSource): Promise<Omit<Blob, "id">> {
    const hash = createHash("md5");
    let size = 0;
    for await (const chunk of content) {
      hash.update(chunk);
      await writeAll(file, chunk);
      size += chunk.byteLength;
    }
    if (this.#place.isDurable) await file.sync();
    return { size, md5: hash.digest("hex") };
  }
}
