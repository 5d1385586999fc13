import { chooseTransport } from "#transport";
import { ApiError, type SdkError } from "../core/errors.ts";
import type { Region } from "../core/regions.ts";
import type { Transport, TransportChoice } from "../http/transport.ts";
import { type Channel, channels } from "./channels.ts";
import { type Connection, type ConnectionTuning, openConnection } from "./connection.ts";
import { eventsUrl } from "./event-stream.ts";

/** What a listener gets for an event of the stream. */
export interface SseMessageEvent {
  /** `message`, unless the server names the event. */
  readonly type: string;
  /** Text of the event: JSON `{channel, timestamp, payload}`. */
  readonly data: string;
  /** Id of the last event that had one; empty when none had. */
  readonly lastEventId: string;
  /** Scheme and host of the stream. */
  readonly origin: string;
}

/** What a listener gets when the connection opens or fails. */
export interface SsePlainEvent {
  /** Name of the event. */
  readonly type: "open" | "error";
  /** What went wrong, in words; only with `error`. */
  readonly message?: string;
  /** HTTP status, when the server answered. */
  readonly code?: number;
  /** Why the connection failed; only with `error`. */
  readonly error?: SdkError;
}

export type SseEvent = SseMessageEvent | SsePlainEvent;

/**
 * A listener takes the event its name says; `message` and named ones a `SseMessageEvent`. An object with `handleEvent`
 * does as well.
 */
export type SseListener<Event = SseMessageEvent> = ((event: Event) => void) | { handleEvent(event: Event): void };

interface Registered {
  readonly listener: SseListener<never>;
  readonly once: boolean;
}

const CONNECTING = 0;
const OPEN = 1;
const CLOSED = 2;

interface SourceOptions extends ConnectionTuning {
  /** Whole address, with channels and token. */
  readonly url: string;
  /** Kept out of every error. */
  readonly token: string;
  /** What opens the stream. */
  readonly transport: Transport;
  /** Closes the stream. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * The event stream in the shape of a browser's `EventSource`. It connects again by itself; an error event with
 * `readyState` 2 means that the server refused and nothing more will come.
 */
export class SseSource {
  /** 0: not open yet, or connecting again. */
  static readonly CONNECTING = CONNECTING;
  /** 1: events arrive. */
  static readonly OPEN = OPEN;
  /** 2: closed or refused; nothing more comes. */
  static readonly CLOSED = CLOSED;
  /** 0: not open yet, or connecting again. */
  readonly CONNECTING = CONNECTING;
  /** 1: events arrive. */
  readonly OPEN = OPEN;
  /** 2: closed or refused; nothing more comes. */
  readonly CLOSED = CLOSED;
  /** Always false: the token is in the address. */
  readonly withCredentials = false;
  /** Address of the stream. It holds the token: do not print it. */
  readonly url: string;
  /** Called after every new connection. */
  onopen: ((event: SsePlainEvent) => void) | null = null;
  /** Called with every event the server did not name. */
  onmessage: ((event: SseMessageEvent) => void) | null = null;
  /** Called when the connection fails or is refused. */
  onerror: ((event: SsePlainEvent) => void) | null = null;
  #readyState: 0 | 1 | 2 = CONNECTING;
  readonly #origin: string;
  readonly #listeners = new Map<string, readonly Registered[]>();
  readonly #connection: Connection;

  /** @internal */
  constructor(options: SourceOptions) {
    this.url = options.url;
    this.#origin = new URL(options.url).origin;
    this.#connection = openConnection(options, {
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
   * Adds a listener for `open`, `error`, `message` or an event the server named.
   *
   * @param options `once`: the listener goes after its first event
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
  /** For `message`, and what the server named; `once` takes the listener away after its first event. */
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
    // A new list each time: a listener may come or go while an event is given out.
    this.#listeners.set(type, [...list, { listener, once }]);
  }

  /**
   * Takes a listener away.
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
   * Ends the stream for good.
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

/** A listener that throws must not end the stream; its error is reported as that of any other callback. */
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
  /** Profile, device, analysis or portal user, as the channels need it. */
  readonly token: string;
  /** Region whose event address is used. @default the region of other calls */
  readonly region?: Region | undefined;
  /** Closes the stream. */
  readonly signal?: AbortSignal | undefined;
}

/** Realtime events of the platform (specification, section 7). */
export const SSE = {
  /** Names of all channels. */
  channels,

  /**
   * Opens the event stream for one channel or several. Resolves at once; the connection opens on its own.
   *
   * @throws InputError for a missing token, an unknown channel, a region without event address
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
    const url = eventsUrl({ ...options, channels: params });
    return new SseSource({ ...options, url, transport: chooseTransport(options) });
  },
} as const;
