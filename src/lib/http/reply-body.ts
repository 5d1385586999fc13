/** (node) Collects the bytes of a reply and turns them into text. */
import { MAX_REPLY_BYTES, MAX_REPLY_ENCODINGS } from "../core/limits.ts";
import { replyTooLarge } from "./reply-limit.ts";
import { TransportError, type TransportRequest } from "./transport.ts";

/** Replies above this size go through the shared buffer. */
const sharedFromBytes = 256 * 1024;

// A stream of large pages would otherwise allocate and drop megabytes per page; one request at a time may use it.
let shared: Buffer | undefined;
let sharedIsFree = true;

/** Bytes of one reply. Most replies are a single chunk and are never copied. */
export class ReplyBody {
  #first: Buffer | undefined;
  #buffer: Buffer | undefined;
  #length = 0;
  #usesShared = false;
  readonly #expected: number;

  /** @param expectedBytes from Content-Length; NaN when unknown */
  constructor(expectedBytes: number) {
    if (expectedBytes > MAX_REPLY_BYTES) throw replyTooLarge();
    this.#expected = expectedBytes;
  }

  add(chunk: Buffer): void {
    if (this.#length === 0 && this.#buffer === undefined) {
      this.#first = chunk;
      this.#length = chunk.length;
      return;
    }
    const needed = this.#length + chunk.length;
    if (needed > MAX_REPLY_BYTES) throw replyTooLarge();
    const buffer = this.#room(needed);
    chunk.copy(buffer, this.#length);
    this.#length = needed;
  }

  #room(needed: number): Buffer {
    let buffer = this.#buffer;
    if (buffer !== undefined && buffer.length >= needed) return buffer;
    const size = Math.max(needed, this.#expected > 0 ? this.#expected : needed * 2);
    const grown = this.#allocate(size);
    const old = buffer ?? this.#first;
    old?.copy(grown, 0, 0, this.#length);
    if (this.#usesShared && buffer !== undefined && grown !== buffer) shared = grown;
    buffer = grown;
    this.#buffer = buffer;
    this.#first = undefined;
    return buffer;
  }

  #allocate(size: number): Buffer {
    if (size < sharedFromBytes) return Buffer.allocUnsafe(size);
    if (!this.#usesShared) {
      if (!sharedIsFree) return Buffer.allocUnsafeSlow(size);
      sharedIsFree = false;
      this.#usesShared = true;
      if (shared !== undefined && shared.length >= size) return shared;
    }
    shared = Buffer.allocUnsafeSlow(Math.ceil(size * 1.25));
    return shared;
  }

  /** The bytes so far; valid until `release`. */
  bytes(): Buffer {
    return (this.#buffer ?? this.#first ?? Buffer.alloc(0)).subarray(0, this.#length);
  }

  release(): void {
    if (!this.#usesShared) return;
    this.#usesShared = false;
    sharedIsFree = true;
    this.#buffer = undefined;
  }
}

/** Texts of single bytes above this size are kept outside V8's heap, where they stay until a late collection. */
const outsideFromBytes = 1_000_000;

/** Telling that there is nothing but ASCII and copying it takes half of reading it as UTF-8. */
function isAscii(bytes: Buffer): boolean {
  return process.getBuiltinModule("node:buffer").isAscii(bytes);
}

/** UTF-8 text without a byte-order mark, or one character per byte for a request that asks for it. */
export function bytesToText(bytes: Buffer, { bytesAsText }: Pick<TransportRequest, "bytesAsText">): string {
  if (bytesAsText === true || (bytes.length < outsideFromBytes && isAscii(bytes))) return bytes.toString("latin1");
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

function decodeFailure(cause: unknown): TransportError {
  if ((cause as { code?: unknown } | null)?.code === "ERR_BUFFER_TOO_LARGE") return replyTooLarge();
  const why = cause instanceof Error ? cause.message : "unknown reason";
  return new TransportError(`The reply could not be decoded: ${why}`, {
    code: "NETWORK_ERROR",
    reason: "BAD_ENCODING",
    maybeSent: true,
    cause,
  });
}

/** Undoes a Content-Encoding. The result is bounded, so a small reply cannot unfold without end. */
export async function decode(bytes: Buffer, encoding: string): Promise<Buffer> {
  const zlib = process.getBuiltinModule("node:zlib");
  const { promisify } = process.getBuiltinModule("node:util");
  const options = { maxOutputLength: MAX_REPLY_BYTES };
  let result = bytes;
  const names = encoding.toLowerCase().split(",").reverse();
  if (names.length > MAX_REPLY_ENCODINGS) throw decodeFailure(new Error(`it has ${names.length} encodings`));
  for (const name of names) {
    const kind = name.trim();
    if (kind === "" || kind === "identity") continue;
    try {
      if (kind === "gzip" || kind === "x-gzip")
        result = await promisify<Buffer, object, Buffer>(zlib.gunzip)(result, options);
      else if (kind === "br") result = await promisify<Buffer, object, Buffer>(zlib.brotliDecompress)(result, options);
      else if (kind === "deflate") result = await promisify<Buffer, object, Buffer>(zlib.inflate)(result, options);
      else throw new Error(`unknown encoding "${kind.slice(0, 40)}"`);
    } catch (cause) {
      throw decodeFailure(cause);
    }
  }
  return result;
}
