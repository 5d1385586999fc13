/** (node) One exchange on undici: gathers the answer, or streams it. */
import type { StringDecoder } from "node:string_decoder";
import type { Dispatcher } from "undici";
import { CancelledError } from "../core/errors.ts";
import { onAbort } from "../core/signals.ts";
import { bytesToText, decode, ReplyBody } from "./reply-body.ts";
import { TextQueue } from "./text-queue.ts";
import { TransportError, type TransportReply, type TransportRequest, type TransportStream } from "./transport.ts";

/** Remembers, per connection, whether the request goes out on one that was used before. */
export interface Tracked {
  reused: boolean;
}

const certificateTrouble = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(GET|VERIFY)/;

/** Puts a failure of undici or of the system into the port's words. */
function toTransportError(error: unknown, maybeSent: boolean, reused: boolean): TransportError {
  if (error instanceof TransportError) return error;
  const raw = error instanceof Error ? error : new Error(String(error));
  const code = (raw as { code?: unknown }).code;
  const reason = typeof code === "string" ? code : raw.name;
  const message = raw.message === "" ? reason : raw.message;
  const isTimeout = reason === "UND_ERR_CONNECT_TIMEOUT" || reason === "ETIMEDOUT";
  const isOurs = reason === "UND_ERR_INVALID_ARG" || reason === "UND_ERR_NOT_SUPPORTED";
  return new TransportError(message, {
    code: isTimeout ? "TIMEOUT" : isOurs ? "UNKNOWN" : "NETWORK_ERROR",
    reason,
    maybeSent: maybeSent && !certificateTrouble.test(reason),
    cause: error,
    isStale: reused,
  });
}

function timeoutError(timeoutMs: number, maybeSent: boolean): TransportError {
  const what = maybeSent ? "complete answer" : "connection";
  return new TransportError(`No ${what} within ${timeoutMs} ms`, { code: "TIMEOUT", reason: "TIMEOUT", maybeSent });
}

function readHeader(raw: readonly Buffer[], name: string): string | undefined {
  let value: string | undefined;
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const key = raw[i];
    if (key === undefined || key.length !== name.length || key.toString("latin1").toLowerCase() !== name) continue;
    const text = String(raw[i + 1]);
    value = value === undefined ? text : `${value}, ${text}`;
  }
  return value;
}

/** What both kinds of exchange share: deadline, the caller's signal, the abort of undici. */
export abstract class ExchangeHandler implements Dispatcher.DispatchHandler, Tracked {
  reused = false;
  protected status = 0;
  protected statusText = "";
  protected headers: readonly Buffer[] = [];
  protected settled = false;
  #abort: ((reason?: Error) => void) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #maybeSent = false;
  #stopped: Error | undefined;
  protected readonly request: TransportRequest;
  readonly #releaseSignal: () => void;

  constructor(request: TransportRequest) {
    this.request = request;
    const { signal, timeoutMs } = request;
    this.#releaseSignal = onAbort(signal, () => this.stop(new CancelledError(undefined, signal?.reason)));
    if (timeoutMs > 0) this.#timer = setTimeout(() => this.stop(timeoutError(timeoutMs, this.#maybeSent)), timeoutMs);
  }

  protected abstract fail(error: Error): void;
  abstract onData(chunk: Buffer): boolean;
  abstract onComplete(): void;

  /** Ends the exchange from our side. */
  stop(reason: Error): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = reason;
    this.fail(reason);
    this.#abort?.(reason);
  }

  protected clearDeadline(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  protected finish(): void {
    this.settled = true;
    this.clearDeadline();
    this.#releaseSignal();
  }

  onConnect(abort: (reason?: Error) => void): void {
    if (this.#stopped !== undefined) {
      abort(this.#stopped);
      return;
    }
    this.#maybeSent = true;
    this.#abort = abort;
  }

  onHeaders(status: number, headers: Buffer[], _resume: () => void, statusText: string): boolean {
    if (status < 200) return true;
    this.status = status;
    this.statusText = statusText ?? "";
    this.headers = headers ?? [];
    return true;
  }

  onError(error: Error): void {
    if (this.settled) return;
    const fresh = this.status === 0;
    this.fail(this.#stopped ?? toTransportError(error, this.#maybeSent, this.reused && fresh));
  }
}

export class ReplyHandler extends ExchangeHandler {
  #body: ReplyBody | undefined;
  readonly #resolve: (reply: TransportReply) => void;
  readonly #reject: (error: unknown) => void;

  constructor(request: TransportRequest, resolve: (reply: TransportReply) => void, reject: (error: unknown) => void) {
    super(request);
    this.#resolve = resolve;
    this.#reject = reject;
  }

  protected fail(error: Error): void {
    if (this.settled) return;
    this.finish();
    this.#body?.release();
    this.#reject(error);
  }

  onData(chunk: Buffer): boolean {
    if (this.settled) return true;
    try {
      this.#body ??= new ReplyBody(Number(readHeader(this.headers, "content-length") ?? Number.NaN));
      this.#body.add(chunk);
    } catch (error) {
      this.stop(error instanceof Error ? error : new Error(String(error)));
    }
    return true;
  }

  onComplete(): void {
    if (this.settled) return;
    this.finish();
    const encoding = this.#body === undefined ? undefined : readHeader(this.headers, "content-encoding");
    if (encoding === undefined)
      this.#answer(this.#body === undefined ? "" : bytesToText(this.#body.bytes(), this.request));
    else void this.#answerDecoded(encoding);
    this.#body?.release();
  }

  async #answerDecoded(encoding: string): Promise<void> {
    try {
      const bytes = this.#body?.bytes() ?? Buffer.alloc(0);
      this.#answer(bytesToText(await decode(Buffer.from(bytes), encoding), this.request));
    } catch (error) {
      this.#reject(error);
    }
  }

  #answer(text: string): void {
    const { headers } = this;
    this.#resolve({
      status: this.status,
      statusText: this.statusText,
      header: (name) => readHeader(headers, name),
      text,
    });
  }
}

export class StreamHandler extends ExchangeHandler {
  #resume: (() => void) | undefined;
  #opened = false;
  readonly #decoder: StringDecoder;
  readonly #queue = new TextQueue(
    () => this.#resume?.(),
    () => this.stop(new CancelledError()),
  );
  readonly #resolve: (stream: TransportStream) => void;
  readonly #reject: (error: unknown) => void;

  constructor(request: TransportRequest, resolve: (stream: TransportStream) => void, reject: (error: unknown) => void) {
    super(request);
    const { StringDecoder } = process.getBuiltinModule("node:string_decoder");
    this.#decoder = new StringDecoder(request.bytesAsText === true ? "latin1" : "utf8");
    this.#resolve = resolve;
    this.#reject = reject;
  }

  protected fail(error: Error): void {
    if (this.settled) return;
    this.finish();
    if (this.#opened) this.#queue.end(error);
    else this.#reject(error);
  }

  override onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    super.onHeaders(status, headers, resume, statusText);
    if (status < 200) return true;
    this.#resume = resume;
    this.#opened = true;
    this.clearDeadline();
    this.#resolve({
      status,
      statusText: this.statusText,
      header: (name) => readHeader(headers, name),
      body: this.#queue,
      cancel: () => {
        this.#queue.end();
        this.stop(new CancelledError());
      },
    });
    return true;
  }

  onData(chunk: Buffer): boolean {
    return this.#queue.push(this.#decoder.write(chunk));
  }

  onComplete(): void {
    if (this.settled) return;
    this.finish();
    this.#queue.push(this.#decoder.end());
    this.#queue.end();
  }
}
