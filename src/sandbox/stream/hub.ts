import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { streamGaps } from "./gaps.ts";
import { Gate, type StreamFaults } from "./gate.ts";

export interface Hub {
  /** True when there is a listener: lets a hot path skip building a payload. */
  listening(channel: string, resourceId?: string): boolean;
  /** The same for events meant for one analysis or one portal user. */
  listeningFor(channel: string, audience: string): boolean;
  /** Ids of the resources with a listener on a channel. */
  resources(channel: string): string[];
  /** Sends `{channel, timestamp, payload}` once the writes of the request are committed. Bound to one profile. */
  publish(event: {
    readonly channel: string;
    readonly resourceId?: string;
    /** Only for the streams of this analysis or portal user. */
    readonly audience?: string;
    readonly profile: string;
    readonly payload: unknown;
    /** Even when the request is rejected later. */
    readonly atOnce?: boolean;
  }): void;
}

/** Comment line that prevents proxies from closing an idle stream. */
const KEEPALIVE_MS = 15_000;
/** Time before a browser reconnects. */
const RETRY_MS = 1_000;
/** A listener this far behind is disconnected: it reconnects and continues with new events. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_LISTENERS = 1_000;

interface Subscription {
  readonly profile: string;
  /** `channel` or `channel.resourceId`. */
  readonly topics: ReadonlySet<string>;
}

interface Listener extends Subscription {
  readonly response: ServerResponse;
  readonly gate?: Gate<Frame>;
}

/** A message for all its listeners: encoded once, and framed once for chunked responses. */
interface Frame {
  readonly plain: Buffer;
  readonly chunk: Buffer;
}

function frameOf(text: string): Frame {
  const plain = Buffer.from(text);
  return { plain, chunk: Buffer.concat([Buffer.from(`${plain.length.toString(16)}\r\n`), plain, Buffer.from("\r\n")]) };
}

const KEEPALIVE_FRAME = frameOf(": keepalive\n\n");

const nameOf = (channel: string, resourceId?: string): string =>
  resourceId === undefined ? channel : `${channel}.${resourceId}`;

/** Topic of a channel for one listener only: the analysis or the portal user of its token. */
export const privateTopic = (channel: string, audience: string): string => `${channel}#${audience}`;

/** The channel of a topic, without its audience. */
const channelOf = (topic: string): string => topic.split("#", 1)[0] ?? "";

/** Event channels and the open streams that listen to them. */
export class StreamHub implements Hub {
  readonly #db: Pick<SandboxDatabase, "afterCommit">;
  readonly #clock: Clock;
  readonly #keepaliveMs: number;
  readonly #listeners = new Set<Listener>();
  readonly #topics = new Map<string, Set<Listener>>();
  #keepalive: NodeJS.Timeout | undefined;
  #isOpen = true;
  /** Sockets that buffer writes until all frames of this turn are written, to send them together. */
  readonly #held = new Set<Socket>();

  constructor(db: Pick<SandboxDatabase, "afterCommit">, clock: Clock, keepaliveMs: number = KEEPALIVE_MS) {
    this.#db = db;
    this.#clock = clock;
    this.#keepaliveMs = keepaliveMs;
  }

  /** True when there is a listener: lets a hot path skip building a payload. */
  listening(channel: string, resourceId?: string): boolean {
    return this.#topics.has(nameOf(channel, resourceId));
  }

  /** The same for events meant for one analysis or one portal user. */
  listeningFor(channel: string, audience: string): boolean {
    return this.#topics.has(privateTopic(channel, audience));
  }

  /** Ids of the resources with a listener on a channel. */
  resources(channel: string): string[] {
    return [...this.#topics.keys()]
      .filter((topic) => topic.startsWith(`${channel}.`))
      .map((topic) => topic.slice(channel.length + 1));
  }

  /** Sends `{channel, timestamp, payload}` once the writes of the request are committed. Bound to one profile. */
  publish({
    channel,
    resourceId,
    audience,
    profile,
    payload,
    atOnce,
  }: {
    readonly channel: string;
    readonly resourceId?: string;
    /** Only for the streams of this analysis or portal user. */
    readonly audience?: string;
    readonly profile: string;
    readonly payload: unknown;
    /** Even when the request is rejected later. */
    readonly atOnce?: boolean;
  }): void {
    const name = nameOf(channel, resourceId);
    const topic = audience === undefined ? name : privateTopic(channel, audience);
    if (!this.#topics.has(topic)) return;
    const data = JSON.stringify({ channel: name, timestamp: new Date(this.#clock.now()).toISOString(), payload });
    const send = (): void => this.#deliver(topic, profile, frameOf(`data: ${data}\n\n`));
    if (atOnce === true) send();
    else this.#db.afterCommit(send);
  }

  /**
   * Starts the event stream on a response whose headers are not sent yet. The faults are injected into it.
   *
   * @throws PlatformError 503 when there are too many already
   */
  open(response: ServerResponse, subscription: Subscription, faults?: StreamFaults): void {
    if (this.#listeners.size >= MAX_LISTENERS) {
      const message = `Too many open event streams (limit ${MAX_LISTENERS})`;
      throw new PlatformError(503, message).assumed(streamGaps.limit);
    }
    const listener =
      faults === undefined ? { ...subscription, response } : this.#withGate(subscription, response, faults);
    response.writeHead(200, {
      "content-type": "text/event-stream",
      "cache-control": "no-cache",
      connection: "keep-alive",
    });
    response.on("close", () => this.#drop(listener));
    response.on("error", () => this.#drop(listener));
    response.write(`retry: ${RETRY_MS}\n: connected\n\n`);
    this.#add(listener);
    listener.gate?.open();
  }

  get size(): number {
    return this.#listeners.size;
  }

  /** False once the streams were closed permanently. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Closes all streams. */
  close(): void {
    this.#isOpen = false;
    for (const listener of [...this.#listeners]) {
      this.#drop(listener);
      listener.response.end();
    }
  }

  #drop(listener: Listener): void {
    if (!this.#listeners.delete(listener)) return;
    listener.gate?.close();
    for (const topic of listener.topics) {
      const members = this.#topics.get(topic);
      members?.delete(listener);
      if (members?.size === 0) this.#topics.delete(topic);
    }
    if (this.#listeners.size > 0 || this.#keepalive === undefined) return;
    clearInterval(this.#keepalive);
    this.#keepalive = undefined;
  }

  #release(): void {
    for (const socket of this.#held) socket.uncork();
    this.#held.clear();
  }

  #write(listener: Listener, { plain, chunk }: Frame): void {
    const { response } = listener;
    const { socket } = response;
    if (response.writableLength > MAX_WAITING_BYTES) {
      this.#drop(listener);
      response.destroy();
      return;
    }
    // A response that waits for an earlier one on its connection.
    if (socket === null) {
      response.write(plain);
      return;
    }
    if (this.#held.size === 0) process.nextTick(() => this.#release());
    if (!this.#held.has(socket)) {
      this.#held.add(socket);
      socket.cork();
    }
    // Bypasses the response's own framing, which would be repeated for each of two hundred listeners.
    socket.write(response.chunkedEncoding ? chunk : plain);
  }

  /** Closes a connection like a failing network, after what was written. */
  #cut(listener: Listener): void {
    this.#drop(listener);
    const { socket } = listener.response;
    if (socket === null) {
      listener.response.destroy();
      return;
    }
    if (this.#held.delete(socket)) socket.uncork();
    socket.destroySoon();
  }

  #add(listener: Listener): void {
    this.#listeners.add(listener);
    for (const topic of listener.topics) {
      const members = this.#topics.get(topic) ?? new Set();
      members.add(listener);
      this.#topics.set(topic, members);
    }
    this.#keepalive ??= setInterval(() => {
      for (const each of this.#listeners) {
        if (each.gate === undefined) this.#write(each, KEEPALIVE_FRAME);
        else each.gate.keepAlive(KEEPALIVE_FRAME);
      }
    }, this.#keepaliveMs).unref();
  }

  #deliver(topic: string, profile: string, frame: Frame): void {
    for (const listener of this.#topics.get(topic) ?? []) {
      if (listener.profile !== profile) continue;
      if (listener.gate === undefined) this.#write(listener, frame);
      else listener.gate.send(channelOf(topic), frame);
    }
  }

  #withGate(subscription: Subscription, response: ServerResponse, faults: StreamFaults): Listener {
    const gate = new Gate<Frame>(faults, [...subscription.topics].map(channelOf), {
      maxHeldBytes: MAX_WAITING_BYTES,
      write: (frame) => this.#write(listener, frame),
      cut: () => this.#cut(listener),
    });
    const listener: Listener = { ...subscription, response, gate };
    return listener;
  }
}
