import { MAX_REPLY_BYTES } from "../core/limits.ts";
import { ExchangeTransport, type PendingRequest } from "./exchange.ts";
import { type Fetch, TransportError, type TransportReply, type TransportRequest } from "./transport.ts";
import { badEncoding, replyTooLarge } from "./unusable-body.ts";

/** Transport of the web platform: browsers, Deno, Bun, and Node when a `fetch` is given. */
export class FetchTransport extends ExchangeTransport<Response> {
  readonly name = "fetch";
  readonly #fetch: Fetch | undefined;

  /** @param ownFetch the global one, looked up at each call, unless given */
  constructor(ownFetch?: Fetch) {
    super();
    this.#fetch = ownFetch;
  }

  protected open({ url, method, headers, body }: TransportRequest): PendingRequest<Response> {
    const controller = new AbortController();
    const run: Fetch = this.#fetch ?? ((address, init) => globalThis.fetch(address, init));
    const response = run(url, {
      method,
      headers: { ...headers },
      body: (body ?? null) as NonNullable<RequestInit["body"]> | null,
      redirect: "manual",
      signal: controller.signal,
    }).then(refuseHiddenRedirect);
    return { response, stop: (reason) => controller.abort(reason) };
  }

  protected head({ status, statusText, headers }: Response): Pick<TransportReply, "status" | "statusText" | "header"> {
    return { status, statusText, header: (name) => headers.get(name) ?? undefined };
  }

  protected async readText(response: Response, { bytesAsText }: TransportRequest): Promise<string> {
    const bytes = await readBytes(response);
    return bytesAsText === true ? charPerByte(bytes) : new TextDecoder().decode(bytes);
  }

  protected async *pieces(response: Response, { bytesAsText }: TransportRequest): AsyncGenerator<string> {
    const reader = response.body?.getReader();
    if (reader === undefined) return;
    const decoder = new TextDecoder();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        const text =
          bytesAsText === true
            ? charPerByte(value ?? new Uint8Array(0))
            : done
              ? decoder.decode()
              : decoder.decode(value, { stream: true });
        if (text !== "") yield text;
        if (done) return;
      }
    } finally {
      await reader.cancel().catch(() => undefined);
    }
  }
}

function refuseHiddenRedirect(response: Response): Response {
  if (response.type !== "opaqueredirect") return response;
  const { status, statusText } = response;
  throw new TransportError(
    "The server redirected, and a browser does not show the target without sending the token there",
    {
      code: "UNKNOWN",
      reason: "BAD_REDIRECT",
      maybeSent: true,
      reply: { status, statusText, header: () => undefined },
    },
  );
}

/** Reads the whole body. Bytes are counted after decompression, so that a small response cannot fill the memory. */
async function readBytes(response: Response): Promise<Uint8Array> {
  if (Number(response.headers.get("content-length") ?? 0) > MAX_REPLY_BYTES) throw replyTooLarge();
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw decodeFailure(error) ?? error;
    });
    if (done) return joined(chunks, length);
    length += value.length;
    if (length > MAX_REPLY_BYTES) throw replyTooLarge();
    chunks.push(value);
  }
}

/** Only Node says that a body could not be decoded; elsewhere that looks like a lost connection. */
function decodeFailure(error: unknown): Error | undefined {
  const { code, message } = ((error as { cause?: unknown }).cause ?? {}) as { code?: unknown; message?: unknown };
  const isZlib = typeof code === "string" && /^(Z_|ERR__ERROR_|ERR_BROTLI|ERR_ZSTD)/.test(code);
  return isZlib ? badEncoding(String(message), error) : undefined;
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = chunks;
  if (first !== undefined && chunks.length === 1) return first;
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

function charPerByte(bytes: Uint8Array): string {
  let text = "";
  // In pieces, since the arguments of one call are limited.
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}
