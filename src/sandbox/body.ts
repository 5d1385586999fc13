import type { IncomingMessage } from "node:http";
import { PlatformError } from "./types.ts";

/** A body above its limit is read on and thrown away up to this many bytes, so that the client hears the answer. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024;

function sizeText(bytes: number): string {
  return bytes >= 1024 * 1024 ? `${Math.floor(bytes / 1024 / 1024)} MB` : `${Math.floor(bytes / 1024)} kB`;
}

function hasBody(incoming: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = incoming.headers;
  return encoding !== undefined || (length !== undefined && length !== "0");
}

/** Reads the body as bytes. Above the limit: `PlatformError` 413. */
async function readBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size <= maxBytes) chunks.push(chunk);
    else chunks.length = 0;
    if (size > MAX_DISCARDED_BYTES) break;
  }
  if (size > maxBytes) throw new PlatformError(413, `Request body is too large (limit ${sizeText(maxBytes)})`);
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined ? first : Buffer.concat(chunks);
}

const decoder = new TextDecoder("utf-8");

/** The body of a request as text, whatever it is said to be. */
export async function readText(incoming: IncomingMessage, maxBytes: number): Promise<string> {
  return hasBody(incoming) ? decoder.decode(await readBytes(incoming, maxBytes)) : "";
}

/** The body of a request: text for text/plain, else parsed JSON; `undefined` when there is none. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<unknown> {
  if (!hasBody(incoming)) return undefined;
  // TextDecoder drops a byte-order mark.
  const text = decoder.decode(await readBytes(incoming, maxBytes));
  const contentType = incoming.headers["content-type"] ?? "";
  if (contentType.toLowerCase().startsWith("text/plain")) return text;
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new PlatformError(400, "Invalid JSON");
  }
}
