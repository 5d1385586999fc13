/** (node) Reads the responses of node:http and undici, which are Node streams. */
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { isError } from "../core/errors.ts";
import { MAX_REPLY_BYTES, MAX_REPLY_ENCODINGS } from "../core/limits.ts";
import { ExchangeTransport } from "./exchange.ts";
import type { TransportReply, TransportRequest } from "./transport.ts";
import { badEncoding, replyTooLarge, type UnusableBody } from "./unusable-body.ts";

/** A response whose body is still arriving. */
export interface NodeReply {
  readonly statusCode: number;
  readonly statusText: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** All of the body, where it is read from its first byte. */
  readonly bytes?: Promise<Buffer> | undefined;
}

/** Common part of the two Node transports, whose responses are Node streams. */
export abstract class NodeReplyTransport extends ExchangeTransport<NodeReply> {
  protected head({ statusCode, statusText, headers }: NodeReply): Omit<TransportReply, "text"> {
    return { status: statusCode, statusText, header: (name) => headerOf(headers, name) };
  }

  protected async readText(reply: NodeReply, { bytesAsText }: TransportRequest): Promise<string> {
    const bytes = await (reply.bytes ?? readBytes(reply.body, reply.headers));
    const encoding = headerOf(reply.headers, "content-encoding");
    const decoded = encoding === undefined || bytes.length === 0 ? bytes : await decode(bytes, encoding);
    if (bytesAsText === true) return decoded.toString("latin1");
    if (isAscii(decoded)) return decoded.toString("latin1");
    const text = decoded.toString("utf8");
    return text.startsWith("\ufeff") ? text.slice(1) : text;
  }

  protected async *pieces({ body }: NodeReply, { bytesAsText }: TransportRequest): AsyncGenerator<string> {
    const { StringDecoder } = process.getBuiltinModule("node:string_decoder");
    const decoder = new StringDecoder(bytesAsText === true ? "latin1" : "utf8");
    // Whether no character is split between this chunk and the one before.
    let isWhole = true;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      const text = isWhole && isAscii(chunk) ? chunk.toString("latin1") : decoder.write(chunk);
      isWhole = (chunk.at(-1) ?? 0) < 0x80;
      if (text !== "") yield text;
    }
    const rest = decoder.end();
    if (rest !== "") yield rest;
  }
}

let ownIsAscii: ((bytes: Uint8Array) => boolean) | undefined;

/** Most replies are ASCII alone, and Node reads that as Latin-1 many times as fast as UTF-8. */
function isAscii(bytes: Uint8Array): boolean {
  ownIsAscii ??= process.getBuiltinModule("node:buffer").isAscii;
  return ownIsAscii(bytes);
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

export function readBytes(body: Readable, headers: IncomingHttpHeaders): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (Number(headers["content-length"] ?? 0) > MAX_REPLY_BYTES) throw replyTooLarge();
    const chunks: Buffer[] = [];
    let length = 0;
    body.on("data", (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAX_REPLY_BYTES) body.destroy(replyTooLarge());
      else chunks.push(chunk);
    });
    body.on("end", () => resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)));
    body.on("error", reject);
  });
}

function decodeError(cause: unknown): UnusableBody {
  if ((cause as { code?: unknown } | null)?.code === "ERR_BUFFER_TOO_LARGE") return replyTooLarge();
  return badEncoding(isError(cause) ? cause.message : "unknown reason", cause);
}

/** Undoes a Content-Encoding. The result is bounded, so a small response cannot fill the memory. */
async function decode(bytes: Buffer, encoding: string): Promise<Buffer> {
  const zlib = process.getBuiltinModule("node:zlib");
  const { promisify } = process.getBuiltinModule("node:util");
  const options = { maxOutputLength: MAX_REPLY_BYTES };
  let result = bytes;
  const names = encoding.toLowerCase().split(",").reverse();
  if (names.length > MAX_REPLY_ENCODINGS) throw decodeError(new Error(`it has ${names.length} encodings`));
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
      throw decodeError(cause);
    }
  }
  return result;
}
