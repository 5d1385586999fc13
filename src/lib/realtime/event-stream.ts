import { chooseTransport } from "#transport";
import { CancelledError, InputError, type SdkError } from "../core/errors.ts";
import { type Region, resolveRegion } from "../core/regions.ts";
import { tokenText } from "../core/token.ts";
import type { TransportChoice } from "../http/transport.ts";
import { type Channel, eventsAddress } from "./channels.ts";
import { Connection, type ConnectionHandlers, type ConnectionTuning, type Gap } from "./connection.ts";
import { StreamMessage } from "./stream-message.ts";

/** Items buffered for a slow reader before reading from the connection pauses. */
const HIGH_WATER_ITEMS = 1_024;

/** Options of `openEventStream`. */
export interface EventStreamOptions extends ConnectionTuning, TransportChoice {
  /** One channel or several. */
  readonly channels: Channel | readonly Channel[];
  /** Token of a profile, device, analysis or portal user, as the channels require. */
  readonly token: string;
  /** Region to connect to. @default the region of other calls */
  readonly region?: Region | undefined;
  /** Aborts the stream; the loop over it then throws `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /** Id of the last event received in an earlier run; sent as `Last-Event-ID`. */
  readonly lastEventId?: string | undefined;
}

/** The connection is open. Repeated after every reconnection. */
export interface StreamOpen {
  /** Discriminates the items. */
  readonly type: "open";
}

/** The connection was lost and restored: events in between may be missing. */
export interface StreamGap extends Gap {
  /** Discriminates the items. */
  readonly type: "gap";
}

/** The connection failed or closed; the next attempt follows after `delayMs`. */
export interface StreamRetry {
  /** Discriminates the items. */
  readonly type: "retry";
  /** Why the connection failed or was lost. */
  readonly error: SdkError;
  /** Milliseconds until the next attempt. */
  readonly delayMs: number;
  /** Consecutive attempts that received nothing, from 1. */
  readonly failures: number;
}

/** An item of an event stream, discriminated by `type`. */
export type StreamItem<Payload = unknown> = StreamMessage<Payload> | StreamOpen | StreamGap | StreamRetry;

/**
 * An open event stream. A loop over it finishes after `close()`, throws `CancelledError` when the signal is aborted,
 * and throws the server's error when the server rejects the stream. Leaving the loop closes the stream.
 */
export interface EventStream<Payload = unknown> extends AsyncIterable<StreamItem<Payload>> {
  /** State of the connection; `connecting` between two connections. */
  readonly state: "connecting" | "open" | "closed";
  /** Id of the last event that had one, else empty. */
  readonly lastEventId: string;
  /**
   * Closes the connection immediately. Unread items are dropped.
   *
   * @example
   * ```ts
   * const stream = openEventStream({ token, channels: { channel: "notification" } });
   * setTimeout(() => stream.close(), 60_000);
   * for await (const item of stream) console.log(item.type);
   * ```
   */
  close(): void;
}

type Reader<Payload> = {
  resolve(result: IteratorResult<StreamItem<Payload>>): void;
  reject(error: SdkError): void;
};

/**
 * Opens the event stream of the platform and keeps it open: when the connection is lost it reconnects, first after
 * 1000 ms, later with growing delays up to 30 s, and reports a `gap`. 4xx responses stop it.
 *
 * Nothing is dropped for a slow reader: with 1,024 items buffered, reading from the connection pauses until half of
 * them are consumed.
 *
 * @throws InputError for a missing token, an unknown channel, a region without an event stream URL
 * @example
 * ```ts
 * const stream = openEventStream<DeviceData[]>({ token, channels: { channel: "device_data", resource_id: deviceID } });
 * for await (const item of stream) {
 *   if (item.type === "message") console.log(item.payload.length, "records");
 *   if (item.type === "gap") console.log("records may be missing");
 * }
 * ```
 */
export function openEventStream<Payload = unknown>(options: EventStreamOptions): EventStream<Payload> {
  return new OpenStream(options);
}

class OpenStream<Payload> implements EventStream<Payload> {
  readonly #connection: Connection;
  readonly #readers: Reader<Payload>[] = [];
  #waiting: StreamItem<Payload>[] = [];
  #taken = 0;
  #state: EventStream["state"] = "connecting";
  #failure: SdkError | undefined;
  #release: (() => void) | undefined;

  constructor(options: EventStreamOptions) {
    const url = eventsUrl(options);
    const transport = chooseTransport(options);
    this.#connection = new Connection({ ...options, url, transport }, this.#handlers());
  }

  get state(): EventStream["state"] {
    return this.#state;
  }

  get lastEventId(): string {
    return this.#connection.lastEventId;
  }

  readonly close = (): void => this.#connection.close();

  [Symbol.asyncIterator](): AsyncIterator<StreamItem<Payload>> {
    return {
      next: () => this.#next(),
      return: () => {
        this.#connection.close();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }

  #handlers(): ConnectionHandlers {
    return {
      onOpen: () => {
        this.#state = "open";
        this.#push({ type: "open" });
      },
      onEvent: ({ event = "message", data, id }) =>
        this.#push(new StreamMessage<Payload>(event, data, id ?? this.#connection.lastEventId)),
      onGap: (gap) => this.#push({ type: "gap", ...gap }),
      onRetry: (error, delayMs, failures) => {
        this.#state = "connecting";
        this.#push({ type: "retry", error, delayMs, failures });
      },
      onEnd: (error) => this.#end(error),
      untilReady: () => this.#untilReady(),
    };
  }

  #push(item: StreamItem<Payload>): void {
    const reader = this.#readers.shift();
    if (reader === undefined) this.#waiting.push(item);
    else reader.resolve({ done: false, value: item });
  }

  #take(): StreamItem<Payload> | undefined {
    const item = this.#waiting[this.#taken];
    if (item === undefined) return undefined;
    this.#taken += 1;
    const left = this.#waiting.length - this.#taken;
    if (left <= HIGH_WATER_ITEMS / 2) this.#release?.();
    // Slicing once per batch keeps reads at constant cost and frees items that were read.
    if (left === 0 || this.#taken >= HIGH_WATER_ITEMS) {
      this.#waiting = left === 0 ? [] : this.#waiting.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }

  #next(): Promise<IteratorResult<StreamItem<Payload>>> {
    const item = this.#take();
    if (item !== undefined) return Promise.resolve({ done: false, value: item });
    return new Promise((resolve, reject) => {
      if (this.#state === "closed") this.#finish({ resolve, reject });
      else this.#readers.push({ resolve, reject });
    });
  }

  #untilReady(): Promise<void> | undefined {
    if (this.#waiting.length - this.#taken < HIGH_WATER_ITEMS) return undefined;
    return new Promise((resolve) => {
      this.#release = () => {
        this.#release = undefined;
        resolve();
      };
    });
  }

  #end(error: SdkError | undefined): void {
    this.#state = "closed";
    this.#failure = error;
    // Items received before an error are still delivered; closing and aborting take effect immediately.
    if (error === undefined || error instanceof CancelledError) {
      this.#waiting = [];
      this.#taken = 0;
    }
    this.#release?.();
    for (const reader of this.#readers.splice(0)) this.#finish(reader);
  }

  #finish(reader: Reader<Payload>): void {
    const error = this.#failure;
    this.#failure = undefined;
    if (error === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(error);
  }
}

/** URL of the stream; it contains the token. */
export function eventsUrl(options: Pick<EventStreamOptions, "channels" | "token" | "region">): string {
  const { channels, region } = options;
  const token = tokenText(options.token);
  if (token === "") {
    throw new InputError("Token is required for SSE connection", "token");
  }
  const { sse } = resolveRegion(region);
  if (sse === "") throw new InputError("Invalid region configuration: missing SSE endpoint", "region");
  return eventsAddress(sse, channels, token);
}
