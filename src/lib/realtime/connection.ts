import { ApiError, CancelledError, RequestError, type SdkError } from "../core/errors.ts";
import { EVENT_RECONNECT_MS, REQUEST_TIMEOUT_MS } from "../core/limits.ts";
import { onAbort } from "../core/signals.ts";
import { timeOption } from "../core/times.ts";
import { type Transport, TransportError, type TransportStream } from "../http/transport.ts";
import { createFeed, type EventSourceMessage } from "./feed.ts";
import { connectStream, lastEventIdHeader, readFailure, type StreamRequest } from "./handshake.ts";
import { reconnectDelayMs, sleepUntilAborted, watchSilence } from "./timing.ts";

/** Largest event that is assembled; a larger one ends the stream. */
const MAX_EVENT_BYTES = 64 * 1024 * 1024;
/** Longest wait before connecting again, unless the server asks for a longer one. */
const MAX_RECONNECT_MS = 30_000;
/** The server sends a comment every 15 s; three missing ones mean that the connection is dead. */
const SILENCE_MS = 45_000;
/** A connection that lived this long was a good one: the waits start from the beginning again. */
const STABLE_MS = 10_000;
/** Bounds of a wait the server names with `retry:`: neither a busy loop nor a stream that is asleep for days. */
const RETRY_FIELD_MS = { min: 50, max: 3_600_000 } as const;

/** Settings of a connection that both shapes of the event stream offer. */
export interface ConnectionTuning {
  /** First wait before connecting again; doubles while connecting fails or connections end within 10 s. @default 1000 */
  readonly reconnectMs?: number | undefined;
  /** Longest wait before connecting again. @default 30000 */
  readonly maxReconnectMs?: number | undefined;
  /** Silence after which the connection counts as dead; 0 never gives up. @default 45000 */
  readonly silenceMs?: number | undefined;
}

export interface ConnectionOptions extends ConnectionTuning {
  readonly url: string;
  /** Kept out of every error. */
  readonly token: string;
  readonly transport: Transport;
  readonly signal?: AbortSignal | undefined;
  readonly lastEventId?: string | undefined;
}

/** Events between `lostAt` and `resumedAt` may be missing: the platform does not repeat them. */
export interface Gap {
  /** When the connection was lost. */
  readonly lostAt: Date;
  /** When it was open again. */
  readonly resumedAt: Date;
  /** Id of the last event before the gap; empty when the server names none. */
  readonly lastEventId: string;
}

export interface ConnectionHandlers {
  onOpen(): void;
  onEvent(event: EventSourceMessage): void;
  onGap(gap: Gap): void;
  /** The connection failed or ended; the next try comes after `delayMs`. `failures` counts those without an event between. */
  onRetry(error: SdkError, delayMs: number, failures: number): void;
  /** The stream is over. Without an error somebody asked for it. */
  onEnd(error?: SdkError): void;
  /** Asked after every piece of text: a promise pauses reading until it resolves. */
  untilReady?(): Promise<void> | undefined;
}

export interface Connection {
  readonly lastEventId: string;
  /** Ends everything at once: no event, no callback but `onEnd`, no timer and no connection after it. */
  close(): void;
}

/** Keeps one event stream open until it is closed or refused. Starts at once. */
export function openConnection(options: ConnectionOptions, handlers: ConnectionHandlers): Connection {
  const { transport, signal } = options;
  const silenceMs = timeOption(options.silenceMs, "silenceMs") ?? SILENCE_MS;
  const maxReconnectMs = timeOption(options.maxReconnectMs, "maxReconnectMs") ?? MAX_RECONNECT_MS;
  const request: StreamRequest = { url: options.url, token: options.token };
  const abort = new AbortController();
  let baseDelayMs = timeOption(options.reconnectMs, "reconnectMs") ?? EVENT_RECONNECT_MS;
  let lastEventId = options.lastEventId ?? "";
  let failures = 0;
  /** Connections in a row that failed or ended soon; they decide about the wait. */
  let shortLived = 0;
  let lostAt: Date | undefined;
  let isClosed = false;
  let releaseSignal = (): void => undefined;

  const end = (error?: SdkError): void => {
    if (isClosed) return;
    isClosed = true;
    releaseSignal();
    abort.abort();
    handlers.onEnd(error);
  };
  const onSignal = (): void => end(new CancelledError(undefined, signal?.reason));

  const onEvent = (event: EventSourceMessage): void => {
    if (isClosed) return;
    if (event.id !== undefined) lastEventId = event.id;
    handlers.onEvent(event);
  };

  const connect = (): Promise<TransportStream> =>
    connectStream(transport, request, {
      lastEventId: lastEventIdHeader(lastEventId),
      timeoutMs: silenceMs > 0 ? silenceMs : REQUEST_TIMEOUT_MS,
      signal: abort.signal,
    });

  /** Reads one connection to its end. Throws when it was broken. */
  const read = async (stream: TransportStream): Promise<void> => {
    let overflow = false;
    const feed = createFeed(
      {
        onEvent,
        onRetry: (delayMs) => {
          baseDelayMs = Math.min(Math.max(delayMs, RETRY_FIELD_MS.min), RETRY_FIELD_MS.max);
        },
        onOverflow: () => {
          overflow = true;
        },
      },
      MAX_EVENT_BYTES,
    );
    const watchdog = watchSilence(silenceMs, () => stream.cancel());
    try {
      for await (const text of stream.body) {
        if (isClosed) return;
        failures = 0;
        watchdog.seen();
        feed(text);
        if (overflow) throw new Overflow();
        const ready = handlers.untilReady?.();
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
    if (watchdog.timedOut) throw silenceError(silenceMs);
  };

  const reportOpen = (): void => {
    handlers.onOpen();
    if (lostAt === undefined) return;
    const gap = { lostAt, resumedAt: new Date(), lastEventId };
    lostAt = undefined;
    handlers.onGap(gap);
  };

  /** One connection from connect to its end. Answers why it ended. */
  const once = async (): Promise<unknown> => {
    let openedAt: number | undefined;
    try {
      const stream = await connect();
      if (isClosed) {
        stream.cancel();
        return undefined;
      }
      openedAt = performance.now();
      reportOpen();
      await read(stream);
      return new TransportError("The server ended the event stream", {
        code: "NETWORK_ERROR",
        reason: "STREAM_ENDED",
        maybeSent: true,
      });
    } catch (error) {
      return error;
    } finally {
      if (openedAt !== undefined && lostAt === undefined) lostAt = new Date();
      if (openedAt !== undefined && performance.now() - openedAt >= STABLE_MS) shortLived = 0;
    }
  };

  const run = async (): Promise<void> => {
    while (!isClosed) {
      const reason = await once();
      if (isClosed) return;
      const error = readFailure(reason, request);
      if (isFinal(error, reason)) return end(error);
      failures += 1;
      shortLived += 1;
      const delayMs = Math.max(reconnectDelayMs(baseDelayMs, shortLived, maxReconnectMs), retryAfterMs(error));
      handlers.onRetry(error, delayMs, failures);
      await sleepUntilAborted(delayMs, abort.signal);
    }
  };

  if (signal?.aborted) {
    queueMicrotask(onSignal);
  } else {
    releaseSignal = onAbort(signal, onSignal);
    void run();
  }
  return {
    get lastEventId() {
      return lastEventId;
    },
    close: () => end(),
  };
}

/** Connecting again would bring the same event again, so this ends the stream. */
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

/** A refusal stays a refusal; overload, a failing server and a lost connection pass. */
function isFinal(error: SdkError, reason: unknown): boolean {
  if (error instanceof RequestError) return reason instanceof Overflow || !(reason instanceof TransportError);
  if (!(error instanceof ApiError)) return true;
  return error.status < 500 && error.status !== 408 && error.status !== 429;
}

function retryAfterMs(error: SdkError): number {
  const asked = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return Math.min(asked, RETRY_FIELD_MS.max);
}
