import { chooseTransport } from "#transport";
import { ApiError, type SdkError } from "../core/errors.ts";
import type { Region } from "../core/regions.ts";
import type { Transport, TransportChoice } from "../http/transport.ts";
import { type Channel, channels } from "./channels.ts";
import { Connection, type ConnectionTuning } from "./connection.ts";
import { eventsUrl } from "./event-stream.ts";

/** Event passed to listeners for a message of the stream. */
export interface SseMessageEvent {
  /** `message`, unless the server sets another type. */
  readonly type: string;
  /** Data of the event: JSON `{channel, timestamp, payload}`. */
  readonly data: string;
  /** Id of the last event that had one, else empty. */
  readonly lastEventId: string;
  /** Origin of the stream. */
  readonly origin: string;
}

/** Event passed to listeners when the connection opens or fails. */
export interface SsePlainEvent {
  /** `open` or `error`. */
  readonly type: string;
  /** Description of the failure; only with `error`. */
  readonly message?: string;
  /** HTTP status, when the server responded. */
  readonly code?: number;
  /** Why the connection failed; only with `error`. */
  readonly error?: SdkError;
}

export type SseEvent = SseMessageEvent | SsePlainEvent;

/**
 * A listener: a function, or an object with `handleEvent`. Listeners of `message` and custom types are called with a
 * `SseMessageEvent`.
 */
export type SseListener<Event = SseMessageEvent> = SseHandler<Event> | { handleEvent(event: Event): void };

/** A function that `handle`s events. It may also ask for the `Event` or `MessageEvent` of browsers. */
export type SseHandler<Event> = { handle(event: Event): void }["handle"];

interface Registered {
  readonly listener: SseListener<never>;
  readonly once: boolean;
}

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 2;

interface SourceOptions extends ConnectionTuning {
  /** Full URL, with channels and token. */
  readonly url: string;
  /** Redacted from every error. */
  readonly token: string;
  /** Transport that opens the stream. */
  readonly transport: Transport;
  /** Closes the stream. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The event stream with the interface of a browser's `EventSource`. It reconnects by itself; an error event with
 * `readyState` 2 means that the server rejected it and it stays closed.
 */
export class SseSource {
  /** 0: connecting or reconnecting. */
  static readonly CONNECTING = CONNECTING;
  /** 1: open. */
  static readonly OPEN = OPEN;
  /** 2: closed or rejected. */
  static readonly CLOSED = CLOSED;
  /** 0: connecting or reconnecting. */
  readonly CONNECTING = CONNECTING;
  /** 1: open. */
  readonly OPEN = OPEN;
  /** 2: closed or rejected. */
  readonly CLOSED = CLOSED;
  /** Always false: the token is in the URL. */
  readonly withCredentials = false;
  /** URL of the stream. It contains the token: do not print it. */
  readonly url: string;
  /** Called after every connect and reconnect. */
  onopen: SseHandler<SsePlainEvent> | null = null;
  /** Called with every `message` event. */
  onmessage: SseHandler<SseMessageEvent> | null = null;
  /** Called when the connection fails or is rejected. */
  onerror: SseHandler<SsePlainEvent> | null = null;
  #readyState: 0 | 1 | 2 = CONNECTING;
  readonly #origin: string;
  readonly #listeners = new Map<string, readonly Registered[]>();
  readonly #connection: Connection;

  /** @internal */
  constructor(options: SourceOptions) {
    this.url = options.url;
    this.#origin = new URL(options.url).origin;
    this.#connection = new Connection(options, {
      onOpen: () => {
        this.#readyState = OPEN;
        this.#emit({ type: "open" });
      },
      onEvent: (event) => {
        this.#emit({
          type: event.event ?? "message",
          data: event.data,
          lastEventId: event.id ?? this.#connection.lastEventId,
          origin: this.#origin,
        });
      },
      onGap() {},
      onRetry: (error) => this.#fail(CONNECTING, error),
      onEnd: (error) => {
        if (error === undefined) this.#readyState = CLOSED;
        else this.#fail(CLOSED, error);
      },
    });
  }

  /**
   * 0 connecting, 1 open, 2 closed.
   *
   * @example
   * ```ts
   * const source = await SSE.openSSEListening({ channel: "notification" }, { token });
   * source.onerror = () => console.log(source.readyState === source.CLOSED ? "refused" : "connecting again");
   * ```
   */
  get readyState(): 0 | 1 | 2 {
    return this.#readyState;
  }

  /**
   * Adds a listener for `open`, `error`, `message` or a custom event type.
   *
   * @param options `once`: removes the listener after its first event
   *
   * @example
   * ```ts
   * const source = await SSE.openSSEListening({ channel: "device_data", resource_id: deviceID }, { token });
   * source.addEventListener("message", ({ data }) => console.log(data));
   * ```
   */
  addEventListener(
    type: "open" | "error",
    listener: SseListener<SsePlainEvent> | null,
    options?: boolean | { readonly once?: boolean },
  ): void;
  /** For `message` and custom event types; `once` removes the listener after its first event. */
  addEventListener(type: string, listener: SseListener | null, options?: boolean | { readonly once?: boolean }): void;
  addEventListener(
    type: string,
    listener: SseListener<never> | null,
    options?: boolean | { readonly once?: boolean },
  ): void {
    if (listener === null || listener === undefined) return;
    const list = this.#listeners.get(type) ?? [];
    if (list.some((entry) => entry.listener === listener)) return;
    const once = typeof options === "object" && options.once === true;
    // A new array each time: listeners may be added or removed while an event is dispatched.
    this.#listeners.set(type, [...list, { listener, once }]);
  }

  /**
   * Removes a listener.
   *
   * @example
   * ```ts
   * const source = await SSE.openSSEListening({ channel: "notification" }, { token });
   * const listener = ({ data }: { data: string }) => console.log(data);
   * source.addEventListener("message", listener);
   * source.removeEventListener("message", listener);
   * ```
   */
  removeEventListener(type: string, listener: SseListener<never> | null): void {
    const list = this.#listeners.get(type);
    if (list === undefined) return;
    this.#listeners.set(
      type,
      list.filter((entry) => entry.listener !== listener),
    );
  }

  /**
   * Closes the stream permanently.
   *
   * @example
   * ```ts
   * const source = await SSE.openSSEListening({ channel: "notification" }, { token });
   * setTimeout(() => source.close(), 60_000);
   * ```
   */
  close(): void {
    this.#connection.close();
  }

  /**
   * Calls the listeners of an event.
   *
   * @returns true
   * @example
   * ```ts
   * const source = await SSE.openSSEListening({ channel: "notification" }, { token });
   * source.dispatchEvent(new Event("error"));
   * ```
   */
  dispatchEvent(event: SsePlainEvent): boolean {
    this.#emit(event);
    return true;
  }

  #fail(state: 0 | 2, error: SdkError): void {
    this.#readyState = state;
    const base = { type: "error", message: error.message, error } as const;
    this.#emit(error instanceof ApiError ? { ...base, code: error.status } : base);
  }

  #emit(event: SseEvent): void {
    const own = this.#handler(event.type);
    if (own !== null) call(own, event);
    const list = this.#listeners.get(event.type);
    if (list === undefined) return;
    for (const entry of list) {
      if (entry.once) this.removeEventListener(event.type, entry.listener);
      call(entry.listener, event);
    }
  }

  #handler(type: string): SseListener<never> | null {
    if (type === "message") return this.onmessage;
    if (type === "open") return this.onopen;
    return type === "error" ? this.onerror : null;
  }
}

/** A listener that throws must not stop the stream; its error is reported as uncaught. */
function call(listener: SseListener<never>, event: SseEvent): void {
  try {
    if (typeof listener === "function") listener(event as never);
    else listener.handleEvent(event as never);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** Options of `SSE.openSSEListening`. */
export interface SseOptions extends ConnectionTuning, TransportChoice {
  /** Token of a profile, device, analysis or portal user, as the channels require. */
  readonly token?: string | undefined;
  /** Region to connect to. @default the region of other calls */
  readonly region?: Region | undefined;
  /** Closes the stream. */
  readonly signal?: AbortSignal | undefined;
}

/** Types of the event stream. */
export declare namespace SSE {
  /** @deprecated Use `Channel`. */
  export type OpenSSEConfig = Channel;
}

/** Realtime events of the platform. */
export const SSE = {
  /** Names of all channels. */
  channels,

  /**
   * Opens the event stream for one or more channels. Resolves immediately, before the connection is open.
   *
   * @throws InputError for a missing token, an unknown channel, a region without an event stream URL
   * @example
   * ```ts
   * const source = await SSE.openSSEListening(
   *   [{ channel: "device_data", resource_id: deviceID }, { channel: "notification" }],
   *   { token, region: "eu-w1" },
   * );
   * source.onmessage = ({ data }) => console.log(JSON.parse(data));
   * ```
   */
  async openSSEListening(params: Channel | readonly Channel[], options: SseOptions): Promise<SseSource> {
    const { token = "" } = options;
    const url = eventsUrl({ ...options, token, channels: params });
    return new SseSource({ ...options, token, url, transport: chooseTransport(options) });
  },
} as const;
