import { fileSource } from "#file-source";
import { CancelledError, InputError } from "../core/errors.ts";
import type { Source } from "./source-types.ts";
import { changedError } from "./upload-errors.ts";

/** Pieces of content as they arrive. A string is encoded as UTF-8. */
export type ByteStream = AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>;

/** What can be uploaded. A string is the path of a file (Node). */
export type UploadInput = Blob | ArrayBuffer | ArrayBufferView | ByteStream | string;

const nothing = (): Promise<void> => Promise.resolve();

/** Content in memory. */
export function bytesSource(bytes: Uint8Array): Source {
  return {
    size: bytes.byteLength,
    modifiedMs: undefined,
    async read(offset, target) {
      const piece = bytes.subarray(offset, offset + target.length);
      target.set(piece);
      return piece.length;
    },
    name: "The content",
    check: nothing,
    close: nothing,
  };
}

/** A Blob is read as a stream per part, since its other ways to return bytes keep a copy. */
function blobSource(blob: Blob): Source {
  const modified = (blob as { lastModified?: unknown }).lastModified;
  const { name = "" } = blob as { name?: unknown };
  const shown = typeof name === "string" && name !== "" ? `The file ${name}` : "The Blob";
  const part = async (from: number, to: number, target: Uint8Array, signal: AbortSignal): Promise<number> => {
    const source = streamSource(blob.slice(from, to).stream());
    try {
      return await source.read(0, target, signal);
    } catch (error) {
      // A Blob of a file can no longer be read once the file has changed.
      throw (error as { name?: unknown }).name === "NotReadableError" ? changedError(shown, error) : error;
    } finally {
      await source.close();
    }
  };
  return {
    name: shown,
    size: blob.size,
    modifiedMs: typeof modified === "number" ? modified : undefined,
    blob,
    read: (offset, target, signal) => part(offset, offset + target.length, target, signal),
    async check() {
      if (blob.size > 0) await part(0, 1, new Uint8Array(1), new AbortController().signal);
    },
    close: nothing,
  };
}

interface Pull {
  next(): Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  stop(): void;
}

function ignore(result: unknown): void {
  if (result instanceof Promise) result.catch(() => undefined);
}

function pullOf(stream: ByteStream): Pull {
  if ("getReader" in stream) {
    const reader = stream.getReader();
    return { next: () => reader.read(), stop: () => ignore(reader.cancel()) };
  }
  const iterator = stream[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    stop: () => {
      // A Node stream that is waiting for data would not notice `return`.
      const { destroy } = stream as { destroy?: unknown };
      if (typeof destroy === "function") destroy.call(stream);
      ignore(iterator.return?.());
    },
  };
}

interface Waiter {
  /** Waits until the signal is aborted at the latest. */
  until<T>(waiting: Promise<T>): Promise<T>;
  stop(): void;
}

/** Listens to the signal once for a whole part: adding a listener per chunk keeps the chunks alive. */
function waiterOf(signal: AbortSignal): Waiter {
  let rejectCurrent: ((error: Error) => void) | undefined;
  const cancelled = () => new CancelledError(undefined, signal.reason);
  const onAbort = () => rejectCurrent?.(cancelled());
  signal.addEventListener("abort", onAbort);
  return {
    until: (waiting) =>
      new Promise((resolve, reject) => {
        rejectCurrent = reject;
        if (signal.aborted) reject(cancelled());
        waiting.then(resolve, reject);
      }),
    stop: () => signal.removeEventListener("abort", onAbort),
  };
}

function pieceOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return new TextEncoder().encode(value);
  throw new InputError("Invalid file: its stream must yield bytes or strings", "file");
}

/** Content of unknown length, read once from start to end. */
function streamSource(stream: ByteStream): Source {
  const pull = pullOf(stream);
  let rest = new Uint8Array(0) as Uint8Array;
  let ended = false;
  return {
    name: "The stream",
    check: nothing,
    size: undefined,
    modifiedMs: undefined,
    async read(_offset, target, signal) {
      const waiter = waiterOf(signal);
      let filled = 0;
      try {
        while (filled < target.length) {
          if (rest.length === 0) {
            if (ended) break;
            const { done, value } = await waiter.until(pull.next());
            ended = done === true;
            if (!ended) rest = pieceOf(value);
            continue;
          }
          const taken = rest.subarray(0, target.length - filled);
          target.set(taken, filled);
          filled += taken.length;
          rest = rest.subarray(taken.length);
        }
      } finally {
        waiter.stop();
      }
      return filled;
    },
    async close() {
      if (!ended) pull.stop();
      ended = true;
    },
  };
}

function isStream(value: object): value is ByteStream {
  return Symbol.asyncIterator in value || "getReader" in value;
}

/** @throws InputError for what cannot be uploaded, and for a path that cannot be read */
export async function openSource(input: UploadInput): Promise<Source> {
  const value: unknown = input;
  if (typeof value === "string") return fileSource(value);
  if (typeof value === "object" && value !== null) {
    if (value instanceof ArrayBuffer) return bytesSource(new Uint8Array(value));
    if (ArrayBuffer.isView(value)) return bytesSource(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    if (value instanceof Blob) return blobSource(value);
    if (isStream(value)) return streamSource(value);
  }
  throw new InputError("Invalid file: it must be a Blob, bytes, a stream or, on Node, the path of a file", "file");
}
