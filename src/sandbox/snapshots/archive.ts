import { createReadStream, createWriteStream, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import { errorCode } from "../../lib/core/error-code.ts";
import { isRecord } from "../../lib/core/json.ts";
import { makeFolder } from "../../lib/core/make-folder.ts";
import { SANDBOX_NAME, SANDBOX_VERSION } from "../core/version.ts";
import { blobPathsIn, DATABASE_NAME, isBlobPath } from "./content.ts";
import { SnapshotError } from "./stored-state.ts";
import { packTar, type TarEntry, unpackTar } from "./tar.ts";

/** First file of an archive: describes its format. */
const MANIFEST_NAME = "sandbox.json";
const FORMAT = 1;
const MAX_MANIFEST_BYTES = 64 * 1024;
/** Fast, and still compresses to a quarter of the size. */
const GZIP_LEVEL = 3;

function* entriesOf(directory: string, createdMs: number): Generator<TarEntry, void, undefined> {
  const blobs = blobPathsIn(directory);
  const manifest = {
    name: SANDBOX_NAME,
    format: FORMAT,
    version: SANDBOX_VERSION,
    created_at: new Date(createdMs).toISOString(),
    files: blobs.length,
  };
  const text = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
  yield { name: MANIFEST_NAME, size: text.byteLength, content: [text] };
  for (const name of [DATABASE_NAME, ...blobs]) {
    const path = join(directory, name);
    yield { name, size: statSync(path).size, content: createReadStream(path, { highWaterMark: 256 * 1024 }) };
  }
}

/** A snapshot as one stream: a compressed archive that common tools can list. */
export function packSnapshot(directory: string, createdMs: number, target: NodeJS.WritableStream): Promise<void> {
  return pipeline(packTar(entriesOf(directory, createdMs), createdMs), createGzip({ level: GZIP_LEVEL }), target);
}

async function readManifest(size: number, content: AsyncIterable<Uint8Array>): Promise<number> {
  if (size > MAX_MANIFEST_BYTES) throw new SnapshotError("It does not start like an export of a sandbox");
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  let manifest: unknown;
  try {
    manifest = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    throw new SnapshotError("It does not start like an export of a sandbox");
  }
  if (!isRecord(manifest) || manifest["name"] !== SANDBOX_NAME) throw new SnapshotError("It is no export of a sandbox");
  if (manifest["format"] !== FORMAT) throw new SnapshotError("It was written by a newer version of the sandbox");
  return Number(manifest["files"]);
}

const isAborted = (error: unknown): boolean => error instanceof Error && error.name === "AbortError";

/** Message for bytes that are not a valid export. */
function unpackFailure(error: unknown): unknown {
  const code = errorCode(error);
  if (code === "EEXIST") return new SnapshotError("It holds a file twice", { cause: error });
  if (code === "Z_BUF_ERROR") return new SnapshotError("It ends too early", { cause: error });
  if (code.startsWith("Z_")) return new SnapshotError("It is no export of a sandbox, or damaged", { cause: error });
  return error;
}

/**
 * Unpacks an export into an empty directory. Only files with valid names are written.
 *
 * @throws SnapshotError when the stream is not a complete export
 */
export async function unpackSnapshot(source: AsyncIterable<Uint8Array>, directory: string): Promise<void> {
  let expected: number | undefined;
  let hasDatabase = false;
  let blobs = 0;
  const take = async (entry: { readonly name: string; readonly size: number }, content: AsyncIterable<Uint8Array>) => {
    if (expected === undefined) {
      if (entry.name !== MANIFEST_NAME) throw new SnapshotError("It does not start like an export of a sandbox");
      expected = await readManifest(entry.size, content);
      return;
    }
    if (entry.name === DATABASE_NAME) hasDatabase = true;
    else if (isBlobPath(entry.name)) blobs += 1;
    else throw new SnapshotError("It holds files that no export has");
    const path = join(directory, entry.name);
    makeFolder(dirname(path), 0o700);
    await pipeline(content, createWriteStream(path, { flags: "wx", mode: 0o600, flush: true }));
  };
  let reading: Promise<void> = Promise.resolve();
  const gunzip = createGunzip();
  try {
    await pipeline(source, gunzip, (unpacked: AsyncIterable<Uint8Array>) => {
      reading = unpackTar(unpacked, take);
      return reading;
    });
  } catch (error) {
    // A pipeline fails immediately; the directory is free only when the last file is closed.
    const own: unknown = await reading.then(() => undefined).catch((failure: unknown) => failure);
    // The part that fails stops the others, and one that was stopped may be reported first.
    throw unpackFailure([error, own, gunzip.errored].find((one) => one != null && !isAborted(one)) ?? error);
  }
  if (!hasDatabase || blobs !== expected) throw new SnapshotError("Files are missing in it");
}
