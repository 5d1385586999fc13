import type { IncomingMessage } from "node:http";
import { finished, PassThrough, type Readable } from "node:stream";
import { PlatformError } from "../core/platform-error.ts";
import { httpGaps } from "./gaps.ts";
import { noteBody } from "./request-details.ts";

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MB` : `${Math.floor(bytes / 1024)} kB`;
}

/** True when a body follows the headers. */
export function hasBody(incoming: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  return encoding !== undefined || (length !== undefined && length !== "0");
}

/** Reads the body as bytes. Above the limit: `PlatformError` 413, with the rest of the body still to come. */
export function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const tooLarge = (): void =>
      reject(
        new PlatformError(413, `Request body is too large (limit ${sizeText(maxBytes)})`).assumed(httpGaps.tooLarge),
      );
    if (Number(incoming.headers["content-length"] ?? 0) > maxBytes) return tooLarge();
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks.length = 0;
      tooLarge();
    });
    finished(incoming, { writable: false }, (error) => {
      if (error) reject(error);
      const [first] = chunks;
      const whole = chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
      noteBody(incoming, whole);
      resolve(whole);
    });
  });
}

/** The body as a separate stream: abandoning it leaves the connection open for the response. */
export function bodyStream(incoming: IncomingMessage): Readable {
  const copy = new PassThrough();
  finished(incoming, { writable: false }, (error) => {
    if (error) copy.destroy(error);
  });
  return incoming.pipe(copy);
}

const decoder = new TextDecoder("utf-8");

/** The body of a request as text, whatever its content type. */
export async function readText(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  return hasBody(incoming) ? decoder.decode(await readBytes(incoming, maxBytes)) : "";
}

const typeOf = ({ headers }: IncomingMessage): string =>
  (headers["content-type"] ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** A body without a content type counts as JSON: simple programs send none. */
const isJson = (type: string): boolean => type === "" || /^application\/(?:[\w.-]+\+)?json$/.test(type);

/** The JSON of a request; `undefined` when there is none. Another content type: `PlatformError` 415. */
export async function readJson(incoming: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (!hasBody(incoming)) return undefined;
  const type = typeOf(incoming);
  if (!isJson(type)) {
    const name = type.length <= 100 && /^[\w.+-]+\/[\w.+-]+$/.test(type) ? ` ${type}` : "";
    const message = `The content type${name} is not supported here. Send JSON as application/json`;
    throw new PlatformError(415, message).assumed(httpGaps.contentType);
  }
  // TextDecoder drops a byte-order mark.
  const text = decoder.decode(await readBytes(incoming, maxBytes));
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformError(400, "Invalid JSON").assumed(httpGaps.notJson);
  }
}

/** The body of a request: a string for text/plain, else JSON; `undefined` when there is none. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<unknown> {
  const isText = typeOf(incoming) === "text/plain" && hasBody(incoming);
  return isText ? readText(incoming, maxBytes) : readJson(incoming, maxBytes);
}
