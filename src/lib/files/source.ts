import { CancelledError, InputError } from "../core/errors.ts";
import { fileSource } from "./file-source.ts";

/** Pieces of content as they arrive. A text is taken as UTF-8. */
export type ByteStream = AsyncIterable<Uint8Array | string> | ReadableStream<Uint8Array>;

/** What can be uploaded. A text is the path of a file (Node). */
export type UploadInput = Blob | ArrayBuffer | ArrayBufferView | ByteStream | string;

/** Content that is read part by part. */
export interface Source {
  /** Bytes in all; undefined for a stream, whose parts must be read in order. */
  readonly size: number | undefined;
  /** When the content was last changed, milliseconds since 1970; undefined where nobody knows. */
  readonly modifiedMs: number | undefined;
  /** The content itself, where the web platform can send it without reading it into memory. */
  readonly blob?: Blob;
  /** Fills the target from the given place on and tells how many bytes there were; fewer only at the end. */
  read(offset: number, target: Uint8Array, signal: AbortSignal): Promise<number>;
  /** Releases what the source holds. */
  close(): Promise<void>;
}

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
    close: nothing,
  };
}

/** A Blob is read as a stream per part: its other ways to give bytes keep a copy until the next garbage collection. */
export function blobSource(blob: Blob): Source {
  const modified = (blob as { lastModified?: unknown }).lastModified;
  return {
    size: blob.size,
    modifiedMs: typeof modified === "number" ? modified : undefined,
    blob,
    async read(offset, target, signal) {
      const part = streamSource(blob.slice(offset, offset + target.length).stream());
      try {
        return await part.read(0, target, signal);
      } finally {
        await part.close();
      }
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
      // A stream of Node that is waiting for data would not hear `return`.
      const { destroy } = stream as { destroy?: unknown };
      if (typeof destroy === "function") destroy.call(stream);
      ignore(iterator.return?.());
    },
  };
}

/** Waits, but not past the end of the signal. */
function until<T>(waiting: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(new CancelledError(undefined, signal.reason));
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    waiting.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

function pieceOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return new TextEncoder().encode(value);
  throw new InputError("Invalid file: its stream must give bytes or texts", "file");
}

/** Content of unknown length, read once from start to end. */
export function streamSource(stream: ByteStream): Source {
  const pull = pullOf(stream);
  let rest = new Uint8Array(0);
  let ended = false;
  return {
    size: undefined,
    modifiedMs: undefined,
    async read(_offset, target, signal) {
      let filled = 0;
      while (filled < target.length) {
        if (rest.length === 0) {
          if (ended) break;
          const { done, value } = await until(pull.next(), signal);
          ended = done === true;
          if (!ended) rest = pieceOf(value) as Uint8Array<ArrayBuffer>;
          continue;
        }
        const taken = rest.subarray(0, target.length - filled);
        target.set(taken, filled);
        filled += taken.length;
        rest = rest.subarray(taken.length);
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
