import { ApiError, CancelledError, RequestError, type SdkError } from "../core/errors.ts";
import { EVENT_RECONNECT_MS, REQUEST_TIMEOUT_MS } from "../core/limits.ts";
import { onAbort } from "../core/signals.ts";
import { timeOption } from "../core/times.ts";
import { tokenText } from "../core/token.ts";
import { type Transport, TransportError, type TransportStream } from "../http/transport.ts";
import { createFeed, type EventSourceMessage } from "./feed.ts";
import { connectStream, lastEventIdHeader, readFailure, type StreamRequest } from "./handshake.ts";
import { reconnectDelayMs, sleepUntilAborted, watchSilence } from "./timing.ts";

/** Largest event that is assembled; a larger one stops the stream. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;
/** Longest delay before reconnecting, unless the server asks for a longer one. */
const MAX_RECONNECT_MS = 30_000;
/** The server sends a comment every 15 s; after three missing ones the connection counts as dead. */
const SILENCE_MS = 45_000;
/** A connection that lasted this long resets the backoff. */
const STABLE_MS = 10_000;
/** Bounds of the delay the server sets with `retry:`, against busy loops and streams that sleep for days. */
const RETRY_FIELD_MS = { min: 50, max: 3_600_000 } as const;

/** Reconnection settings of an event stream. */
export interface ConnectionTuning {
  /** First delay before reconnecting, ms; doubles while connections fail or close within 10 s. @default 1000 */
  readonly reconnectMs?: number | undefined;
  /** Longest delay before reconnecting, ms. @default 30000 */
  readonly maxReconnectMs?: number | undefined;
  /** Silence after which the connection counts as dead, ms; 0 disables the check. @default 45000 */
  readonly silenceMs?: number | undefined;
}

export interface ConnectionOptions extends ConnectionTuning {
  readonly url: string;
  /** Redacted from every error. */
  readonly token: string;
  readonly transport: Transport;
  readonly signal?: AbortSignal | undefined;
  readonly lastEventId?: string | undefined;
}

/** Events between `lostAt` and `resumedAt` may be missing: the platform does not replay them. */
export interface Gap {
  /** When the connection was lost. */
  readonly lostAt: Date;
  /** When it was open again. */
  readonly resumedAt: Date;
  /** Id of the last event before the gap; empty when the server sends no ids. */
  readonly lastEventId: string;
}

export interface ConnectionHandlers {
  onOpen(): void;
  onEvent(event: EventSourceMessage): void;
  onGap(gap: Gap): void;
  /** The connection failed or closed; the next attempt follows after `delayMs`. Received data resets `failures`. */
  onRetry(error: SdkError, delayMs: number, failures: number): void;
  /** The stream is closed; without an error, by the caller. */
  onEnd(error?: SdkError): void;
  /** Called after every chunk: a promise pauses reading until it resolves. */
  untilReady?(): Promise<void> | undefined;
}

/** One event stream that is kept open until it is closed or rejected. Starts immediately. */
export class Connection {
  readonly #handlers: ConnectionHandlers;
  readonly #transport: Transport;
  readonly #request: StreamRequest;
  readonly #silenceMs: number;
  readonly #maxReconnectMs: number;
  readonly #abort = new AbortController();
  readonly #releaseSignal: () => void = () => undefined;
  #baseDelayMs: number;
  #lastEventId: string;
  #failures = 0;
  /** Consecutive connections that failed or closed early; they determine the delay. */
  #shortLived = 0;
  #lostAt: Date | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions, handlers: ConnectionHandlers) {
    this.#handlers = handlers;
    this.#transport = options.transport;
    this.#silenceMs = timeOption(options.silenceMs, "silenceMs") ?? SILENCE_MS;
    this.#maxReconnectMs = timeOption(options.maxReconnectMs, "maxReconnectMs") ?? MAX_RECONNECT_MS;
    this.#request = { url: options.url, token: tokenText(options.token) };
    this.#baseDelayMs = timeOption(options.reconnectMs, "reconnectMs") ?? EVENT_RECONNECT_MS;
    this.#lastEventId = options.lastEventId ?? "";
    const { signal } = options;
    const onSignal = (): void => this.#end(new CancelledError(undefined, signal?.reason));
    if (signal?.aborted) {
      queueMicrotask(onSignal);
    } else {
      this.#releaseSignal = onAbort(signal, onSignal);
      void this.#run();
    }
  }

  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** Closes immediately: no event, no callback but `onEnd`, no timer and no connection follow. */
  close(): void {
    this.#end();
  }

  #end(error?: SdkError): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#releaseSignal();
    this.#abort.abort();
    this.#handlers.onEnd(error);
  }

  async #run(): Promise<void> {
    while (!this.#isClosed) {
      const reason = await this.#once();
      if (this.#isClosed) return;
      const error = readFailure(reason, this.#request);
      if (isFinal(error, reason)) return this.#end(error);
      this.#failures += 1;
      this.#shortLived += 1;
      const delayMs = Math.max(
        reconnectDelayMs(this.#baseDelayMs, this.#shortLived, this.#maxReconnectMs),
        retryAfterMs(error),
      );
      this.#handlers.onRetry(error, delayMs, this.#failures);
      await sleepUntilAborted(delayMs, this.#abort.signal);
    }
  }

  /** Runs one connection from connect to close. Resolves to the reason it closed. */
  async #once(): Promise<unknown> {
    let openedAt: number | undefined;
    try {
      const stream = await connectStream(this.#transport, this.#request, {
        lastEventId: lastEventIdHeader(this.#lastEventId),
        timeoutMs: this.#silenceMs > 0 ? this.#silenceMs : REQUEST_TIMEOUT_MS,
        signal: this.#abort.signal,
      });
      if (this.#isClosed) {
        stream.cancel();
        return undefined;
      }
      openedAt = performance.now();
      this.#reportOpen();
      await this.#read(stream);
      return new TransportError("The server ended the event stream", {
        code: "NETWORK_ERROR",
        reason: "STREAM_ENDED",
        maybeSent: true,
      });
    } catch (error) {
      return error;
    } finally {
      if (openedAt !== undefined && this.#lostAt === undefined) this.#lostAt = new Date();
      if (openedAt !== undefined && performance.now() - openedAt >= STABLE_MS) this.#shortLived = 0;
    }
  }

  #reportOpen(): void {
    this.#handlers.onOpen();
    if (this.#lostAt === undefined) return;
    const gap = { lostAt: this.#lostAt, resumedAt: new Date(), lastEventId: this.#lastEventId };
    this.#lostAt = undefined;
    this.#handlers.onGap(gap);
  }

  #onEvent(event: EventSourceMessage): void {
    if (this.#isClosed) return;
    if (event.id !== undefined) this.#lastEventId = event.id;
    this.#handlers.onEvent(event);
  }

  /** Reads one connection to its end. Throws when it breaks. */
  async #read(stream: TransportStream): Promise<void> {
    let overflow = false;
    const feed = createFeed(
      {
        onEvent: (event) => this.#onEvent(event),
        onRetry: (delayMs) => {
          this.#baseDelayMs = Math.min(Math.max(delayMs, RETRY_FIELD_MS.min), RETRY_FIELD_MS.max);
        },
        onOverflow: () => {
          overflow = true;
        },
      },
      MAX_EVENT_BYTES,
    );
    const watchdog = watchSilence(this.#silenceMs, () => stream.cancel());
    try {
      for await (const text of stream.body) {
        if (this.#isClosed) return;
        this.#failures = 0;
        watchdog.seen();
        feed(text);
        if (overflow) throw new Overflow();
        const ready = this.#handlers.untilReady?.();
        if (ready === undefined) continue;
        watchdog.pause();
        await ready;
        watchdog.seen();
      }
    } catch (error) {
      if (!watchdog.timedOut) throw error;
    } finally {
      watchdog.stop();
      stream.cancel();
    }
    if (watchdog.timedOut) throw silenceError(this.#silenceMs);
  }
}

/** Reconnecting would bring the same event again, so this stops the stream. */
class Overflow extends Error {
  override readonly message = `An event is larger than ${MAX_EVENT_BYTES} bytes, the most that is assembled`;
}

function silenceError(silenceMs: number): TransportError {
  return new TransportError(`The event stream sent nothing for ${silenceMs} ms`, {
    code: "TIMEOUT",
    reason: "STREAM_SILENT",
    maybeSent: true,
  });
}

/** 4xx errors are final; 408, 429, 5xx and lost connections are retried. */
function isFinal(error: SdkError, reason: unknown): boolean {
  if (error instanceof RequestError) return reason instanceof Overflow || !(reason instanceof TransportError);
  if (!(error instanceof ApiError)) return true;
  return error.status < 500 && error.status !== 408 && error.status !== 429;
}

function retryAfterMs(error: SdkError): number {
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(asked, RETRY_FIELD_MS.max);
}
