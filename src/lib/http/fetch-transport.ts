import { CancelledError } from "../core/errors.ts";
import { MAX_REPLY_BYTES } from "../core/limits.ts";
import { onAbort } from "../core/signals.ts";
import { replyTooLarge } from "./reply-limit.ts";
import {
  type Transport,
  TransportError,
  type TransportReply,
  type TransportRequest,
  type TransportStream,
} from "./transport.ts";

/** The part of fetch the transport needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

interface Deadline {
  readonly signal: AbortSignal;
  /** What ended the exchange from our side, if anything did. */
  reason(): Error | undefined;
  stop(reason: Error): void;
  /** No deadline from here on; the caller's signal still ends the exchange. */
  clearTimer(): void;
  release(): void;
}

function openDeadline(request: TransportRequest): Deadline {
  const controller = new AbortController();
  let reason: Error | undefined;
  const stop = (error: Error) => {
    reason ??= error;
    controller.abort(reason);
  };
  const releaseSignal = onAbort(request.signal, () => stop(new CancelledError(undefined, request.signal?.reason)));
  const { timeoutMs } = request;
  const timer =
    timeoutMs > 0
      ? setTimeout(() => {
          stop(
            new TransportError(`No complete answer within ${timeoutMs} ms`, {
              code: "TIMEOUT",
              reason: "TIMEOUT",
              maybeSent: true,
            }),
          );
        }, timeoutMs)
      : undefined;
  return {
    signal: controller.signal,
    reason: () => reason,
    stop,
    clearTimer: () => clearTimeout(timer),
    release: () => {
      clearTimeout(timer);
      releaseSignal();
    },
  };
}

/** The system's own word for a failure: fetch wraps it in a `cause`. */
function reasonOf(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error; depth += 1) {
    const { code } = inner as { code?: unknown };
    if (typeof code === "string") return code;
    inner = inner.cause;
  }
  return error instanceof Error ? error.name : "UNKNOWN";
}

const neverSent = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "UND_ERR_CONNECT_TIMEOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** Node's fetch says how much came over the lost connection: anything before an answer was of an earlier request. */
function hadServed(error: unknown): boolean {
  const { cause } = error as { cause?: { socket?: { bytesRead?: unknown } } };
  const bytesRead = cause?.socket?.bytesRead;
  return typeof bytesRead === "number" && bytesRead > 0;
}

function toTransportError(error: unknown, answered: boolean): TransportError {
  const reason = reasonOf(error);
  return new TransportError(error instanceof Error && error.message !== "" ? error.message : reason, {
    code: reason === "UND_ERR_CONNECT_TIMEOUT" || reason === "ETIMEDOUT" ? "TIMEOUT" : "NETWORK_ERROR",
    reason,
    maybeSent: !neverSent.has(reason) && !/CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(GET|VERIFY)/.test(reason),
    cause: error,
    isStale: !answered && hadServed(error),
  });
}

/** Transport of the web platform: browsers, Deno, Bun, and Node when a `fetch` is given. */
export class FetchTransport implements Transport {
  readonly name = "fetch";
  readonly #fetch: Fetch | undefined;

  /** @param ownFetch the global one, looked up at each call, unless given */
  constructor(ownFetch?: Fetch) {
    this.#fetch = ownFetch;
  }

  async send(request: TransportRequest): Promise<TransportReply> {
    const deadline = openDeadline(request);
    let answered = false;
    try {
      const response = await this.#open(request, deadline);
      answered = true;
      const bytes = await readBytes(response, deadline);
      const text = request.bytesAsText === true ? charPerByte(bytes) : new TextDecoder().decode(bytes);
      return { ...headOf(response), text };
    } catch (error) {
      throw deadline.reason() ?? toTransportError(error, answered);
    } finally {
      deadline.release();
    }
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const deadline = openDeadline(request);
    try {
      const response = await this.#open(request, deadline);
      deadline.clearTimer();
      return {
        ...headOf(response),
        body: readText(response, deadline, request.bytesAsText === true),
        cancel: () => {
          deadline.stop(new CancelledError());
          // A body nobody reads would keep the listener on the caller's signal.
          deadline.release();
        },
      };
    } catch (error) {
      deadline.release();
      throw deadline.reason() ?? toTransportError(error, false);
    }
  }

  async #open(request: TransportRequest, deadline: Deadline): Promise<Response> {
    if (request.signal?.aborted) {
      deadline.stop(new CancelledError(undefined, request.signal.reason));
      throw deadline.reason();
    }
    const run: Fetch = this.#fetch ?? ((url, init) => globalThis.fetch(url, init));
    const response = await run(request.url, {
      method: request.method,
      headers: { ...request.headers },
      body: (request.body ?? null) as NonNullable<RequestInit["body"]> | null,
      redirect: "manual",
      signal: deadline.signal,
    });
    if (response.type === "opaqueredirect") {
      throw new Error("The server redirected, and a browser does not tell where to without sending the token there");
    }
    return response;
  }
}

/** The whole body. What arrives is counted after decompression, so that a small reply cannot fill the memory. */
async function readBytes(response: Response, deadline: Deadline): Promise<Uint8Array> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array(await response.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return joined(chunks, length);
    length += value.length;
    if (length > MAX_REPLY_BYTES) {
      deadline.stop(replyTooLarge());
      throw deadline.reason();
    }
    chunks.push(value);
  }
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

function headOf(response: Response): Pick<TransportReply, "status" | "statusText" | "header"> {
  return {
    status: response.status,
    statusText: response.statusText,
    header: (name) => response.headers.get(name) ?? undefined,
  };
}

async function* readText(response: Response, deadline: Deadline, bytesAsText: boolean): AsyncGenerator<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = bytesAsText
        ? charPerByte(value ?? new Uint8Array(0))
        : done
          ? decoder.decode()
          : decoder.decode(value, { stream: true });
      if (text !== "") yield text;
      if (done) return;
    }
  } catch (error) {
    const reason = deadline.reason();
    if (reason instanceof CancelledError && !deadlineWasCaller(reason)) return;
    throw reason ?? toTransportError(error, true);
  } finally {
    deadline.release();
    await reader.cancel().catch(() => undefined);
  }
}

/** A cancel through `cancel()` ends the iteration quietly; the caller's signal is an error it should see. */
function deadlineWasCaller(reason: CancelledError): boolean {
  return reason.cause !== undefined;
}
