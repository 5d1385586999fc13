import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

export interface StoredFile {
  readonly bytes: number;
  readonly sha256: string;
}

/** Where a dataset is written. Names are paths below it, with `/`. */
export interface DatasetStore {
  /** For messages. */
  readonly shown: string;
  /** The address that other programs know it by: `file:///data/lake`, `s3://bucket/lake`. */
  readonly location: string;
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
  /** As `sizeOf`, of many. */
  sizesOf(names: readonly string[]): Promise<readonly (number | undefined)[]>;
  readText(name: string): Promise<string | undefined>;
  /** Changes with the content of a file; undefined if there is no such file. */
  versionOf(name: string): Promise<string | undefined>;
  /**
   * Replaces a file as a whole, if it is still that of a version, or is not there.
   *
   * @param version null where there was no such file
   * @returns false if another one was written since, and nothing was replaced
   */
  replaceText(name: string, text: string, version: string | null): Promise<boolean>;
  /** Replaces a file as a whole. */
  writeText(name: string, text: string): Promise<void>;
  /** @returns false if there is such a file, which stays as it is: of several that create it, one succeeds */
  create(name: string, content: string | Uint8Array): Promise<boolean>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
  /** Removes what attempts that were killed have left. Called once, when all parts are published. */
  removeUnfinished(): Promise<void>;
}

export async function hashOf(path: string): Promise<StoredFile> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
}
