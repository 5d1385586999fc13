import { CancelledError, isError } from "../core/errors.ts";
import { onAbort } from "../core/signals.ts";
import {
  type Transport,
  TransportError,
  type TransportReply,
  type TransportRequest,
  type TransportStream,
} from "./transport.ts";
import { UnusableBody } from "./unusable-body.ts";

const certificateReason = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(GET|VERIFY)/;

/** Whether TLS rejected the server's certificate: nothing was sent, and another attempt ends the same way. */
export function isCertificateError(reason: string): boolean {
  return certificateReason.test(reason);
}

/** A request in progress, with a response of the transport's own type. */
export interface PendingRequest<Response> {
  /** Resolves at the headers. */
  readonly response: Promise<Response>;
  /** Closes the connection. */
  stop(reason: Error): void;
  /** What the transport knows about the connection; the rest is read from the error. */
  connection?(): { readonly sent: boolean; readonly reused: boolean };
}

type Head = Pick<TransportReply, "status" | "statusText" | "header">;

/** Deadline, abort and errors of an exchange, which are the same for every transport. */
export abstract class ExchangeTransport<Response> implements Transport {
  abstract readonly name: Transport["name"];

  /** Sends the request. Redirects are not followed. */
  protected abstract open(
    request: TransportRequest,
    isStream: boolean,
  ): PendingRequest<Response> | Promise<PendingRequest<Response>>;
  protected abstract head(response: Response): Head;
  /** Reads the body to its end, decoded. */
  protected abstract readText(response: Response, request: TransportRequest): Promise<string>;
  /** The body as it arrives. */
  protected abstract pieces(response: Response, request: TransportRequest): AsyncIterable<string>;

  async send(request: TransportRequest): Promise<TransportReply> {
    const exchange = new Exchange<Response>(request);
    let head: Head | undefined;
    try {
      const response = await exchange.waitForResponse(await this.open(request, false));
      head = this.head(response);
      // Spread objects are copied slowly, and every response passes here.
      const { status, statusText, header } = head;
      return { status, statusText, header, text: await this.readText(response, request) };
    } catch (error) {
      throw exchange.toError(error, head);
    } finally {
      exchange.release();
    }
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const exchange = new Exchange<Response>(request);
    try {
      const response = await exchange.waitForResponse(await this.open(request, true));
      exchange.clearDeadline();
      const head = this.head(response);
      const body = exchange.read(this.pieces(response, request), head);
      return { ...head, body, cancel: () => exchange.cancel() };
    } catch (error) {
      exchange.release();
      throw exchange.toError(error);
    }
  }
}

class Exchange<Response> {
  #pending: PendingRequest<Response> | undefined;
  #isCancelled = false;
  /** Why we stopped the exchange ourselves. */
  #stopped: Error | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #releaseSignal: () => void;

  constructor({ signal, timeoutMs }: TransportRequest) {
    if (signal?.aborted) throw new CancelledError(undefined, signal.reason);
    this.#timer = timeoutMs > 0 ? setTimeout(() => this.#stop(timeoutError(timeoutMs)), timeoutMs) : undefined;
    this.#releaseSignal = onAbort(signal, () => this.#stop(new CancelledError(undefined, signal?.reason)));
  }

  /** The response, once its headers have arrived. */
  waitForResponse(pending: PendingRequest<Response>): Promise<Response> {
    this.#pending = pending;
    if (this.#stopped !== undefined) pending.stop(this.#stopped);
    return pending.response;
  }

  async *read(pieces: AsyncIterable<string>, head: Head): AsyncGenerator<string, void, undefined> {
    try {
      yield* pieces;
      // A connection closed by us may look like the end of the body.
      if (this.#stopped !== undefined) throw this.#stopped;
    } catch (error) {
      if (!this.#isCancelled) throw this.toError(error, head);
    } finally {
      this.release();
      this.#pending?.stop(new CancelledError());
    }
  }

  /** Closes the connection; what is read of it ends without an error. */
  cancel(): void {
    this.#isCancelled = true;
    this.#stop(new CancelledError());
    this.release();
  }

  /** The error to throw, with the connection closed. */
  toError(error: unknown, head?: Head): Error {
    const failure = this.#stopped ?? this.#describe(error, head);
    this.#pending?.stop(failure);
    return failure;
  }

  clearDeadline(): void {
    clearTimeout(this.#timer);
  }

  release(): void {
    this.clearDeadline();
    this.#releaseSignal();
  }

  #stop(reason: Error): void {
    this.#stopped ??= reason;
    this.#pending?.stop(reason);
  }

  #describe(error: unknown, reply: Head | undefined): Error {
    if (error instanceof TransportError || error instanceof CancelledError) return error;
    if (error instanceof UnusableBody) {
      const { message, reason, cause } = error;
      return new TransportError(message, { code: "UNKNOWN", reason, maybeSent: true, reply, cause });
    }
    const reason = reasonOf(error);
    const { sent = !neverSent.has(reason), reused = hadServed(error) } = this.#pending?.connection?.() ?? {};
    return new TransportError(isError(error) && error.message !== "" ? error.message : reason, {
      code: timeouts.has(reason) ? "TIMEOUT" : ownMistakes.has(reason) ? "UNKNOWN" : "NETWORK_ERROR",
      reason,
      maybeSent: sent && !isCertificateError(reason),
      cause: error,
      isStale: reused && reply === undefined,
    });
  }
}

const timeouts = new Set(["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);
const ownMistakes = new Set(["UND_ERR_INVALID_ARG", "UND_ERR_NOT_SUPPORTED"]);
const neverSent = new Set([
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function timeoutError(timeoutMs: number): TransportError {
  return new TransportError(`No complete response within ${timeoutMs} ms`, {
    code: "TIMEOUT",
    reason: "TIMEOUT",
    maybeSent: true,
  });
}

/** The system's own code for a failure, which fetch wraps in a `cause`. */
function reasonOf(error: unknown): string {
  let inner = error;
  for (let depth = 0; depth < 5 && isError(inner); depth += 1) {
    const { code } = inner as { code?: unknown };
    if (typeof code === "string") return code;
    inner = inner.cause;
  }
  return isError(error) ? error.name : "UNKNOWN";
}

/** undici says how much came over a lost connection: anything before a response belongs to an earlier request. */
function hadServed(error: unknown): boolean {
  const socketOf = (from: unknown) => (from as { socket?: { bytesRead?: unknown } } | undefined)?.socket;
  const bytesRead = (socketOf(error) ?? socketOf((error as { cause?: unknown } | undefined)?.cause))?.bytesRead;
  return typeof bytesRead === "number" && bytesRead > 0;
}
