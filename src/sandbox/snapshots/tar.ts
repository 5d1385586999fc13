import { ReadableStream } from "node:stream/web";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { SnapshotError } from "./stored-state.ts";

/** One file of an archive. */
export interface TarEntry {
  readonly name: string;
  /** Size of `content` in bytes, known in advance. */
  readonly size: number;
  readonly content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Writes an archive that common tools can read. A content that is longer or shorter than its size is an error. */
export function packTar(entries: Iterable<TarEntry>, modifiedMs: number): AsyncIterable<Uint8Array> {
  const { readable, controller } = createTarPacker();
  const write = async (): Promise<void> => {
    for (const { name, size, content } of entries) {
      const body = controller.add({ name, size, mode: 0o600, mtime: new Date(modifiedMs) });
      await ReadableStream.from(content).pipeTo(body);
    }
    controller.finalize();
  };
  write().catch((error: unknown) => controller.error(error));
  return readable;
}

/** Message for an invalid archive. Only the decoder's errors have neither a name nor a code. */
function tarFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== "Error" || "code" in error) return error;
  const isCut = error.message.includes("truncated");
  const why = isCut ? "The archive ends in the middle of a file" : "The archive has a header that cannot be read";
  return new SnapshotError(why, { cause: error });
}

/**
 * Reads an archive of plain files; `take` must read each content to its end.
 *
 * @throws SnapshotError when it is not a complete archive
 */
export async function unpackTar(
  source: AsyncIterable<Uint8Array>,
  take: (entry: { readonly name: string; readonly size: number }, content: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const { readable, writable } = createTarDecoder({ strict: true });
  // An error of the source reaches the reader below.
  ReadableStream.from(source)
    .pipeTo(writable)
    .catch(() => {});
  try {
    for await (const { header, body } of readable) {
      if (header.type !== "file") throw new SnapshotError("The archive holds something else than plain files");
      await take(header, body);
    }
  } catch (error) {
    throw tarFailure(error);
  }
}
