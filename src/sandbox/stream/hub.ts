import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { streamGaps } from "./gaps.ts";
import { createGate, type StreamFaults } from "./gate.ts";

export interface Hub {
  /** True when somebody listens: lets a hot path skip building a payload. */
  listening(channel: string, resourceId?: string): boolean;
  /** The same for events meant for one analysis or one portal user. */
  listeningFor(channel: string, audience: string): boolean;
  /** Ids of the resources somebody listens to on a channel. */
  resources(channel: string): string[];
  /** Sends `{channel, timestamp, payload}` once the writes of the request are committed. Bound to one profile. */
  publish(event: {
    readonly channel: string;
    readonly resourceId?: string;
    /** Only for the streams of this analysis or portal user. */
    readonly audience?: string;
    readonly profile: string;
    readonly payload: unknown;
    /** Even when the request is refused in the end. */
    readonly atOnce?: boolean;
  }): void;
}

/** Comment line that keeps proxies from closing a quiet stream. */
const KEEPALIVE_MS = 15_000;
/** Wait after which a browser connects again. */
const RETRY_MS = 1_000;
/** A listener this far behind is cut off: it connects again and goes on with what is new. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_LISTENERS = 1_000;

interface Subscription {
  readonly profile: string;
  /** `channel` or `channel.resourceId`. */
  readonly topics: ReadonlySet<string>;
}

/** The hub as the server sees it. */
export interface StreamHub extends Hub {
  /**
   * Starts the event stream on an answer whose headers are not sent yet. The faults are injected into it.
   *
   * @throws PlatformError 503 when there are too many already
   */
  open(response: ServerResponse, subscription: Subscription, faults?: StreamFaults): void;
  readonly size: number;
  /** False once the streams were ended for good. */
  readonly isOpen: boolean;
  /** Ends all streams. */
  close(): void;
}

interface Listener extends Subscription {
  readonly response: ServerResponse;
  readonly gate?: ReturnType<typeof createGate<Frame>>;
}

/** A text for all its listeners: encoded once, and framed once for answers in chunks. */
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

/** Topic of a channel for one listener only: the analysis or the portal user its token belongs to. */
export const privateTopic = (channel: string, audience: string): string => `${channel}#${audience}`;

/** The channel of a topic, without its audience. */
const channelOf = (topic: string): string => topic.split("#", 1)[0] ?? "";

/** Event channels and the open streams that listen to them. */
export function createHub(
  db: Pick<SandboxDatabase, "afterCommit">,
  clock: Clock,
  keepaliveMs: number = KEEPALIVE_MS,
): StreamHub {
  const listeners = new Set<Listener>();
  const topics = new Map<string, Set<Listener>>();
  let keepalive: NodeJS.Timeout | undefined;
  let isOpen = true;

  const drop = (listener: Listener): void => {
    if (!listeners.delete(listener)) return;
    listener.gate?.close();
    for (const topic of listener.topics) {
      const members = topics.get(topic);
      members?.delete(listener);
      if (members?.size === 0) topics.delete(topic);
    }
    if (listeners.size > 0 || keepalive === undefined) return;
    clearInterval(keepalive);
    keepalive = undefined;
  };

  /** Sockets that hold back what is written until this turn's frames are all there, to send them in one go. */
  const held = new Set<Socket>();
  const release = (): void => {
    for (const socket of held) socket.uncork();
    held.clear();
  };

  const write = (listener: Listener, { plain, chunk }: Frame): void => {
    const { response } = listener;
    const { socket } = response;
    if (response.writableLength > MAX_WAITING_BYTES) {
      drop(listener);
      response.destroy();
      return;
    }
    // An answer that waits for an earlier one on its connection.
    if (socket === null) {
      response.write(plain);
      return;
    }
    if (held.size === 0) process.nextTick(release);
    if (!held.has(socket)) {
      held.add(socket);
      socket.cork();
    }
    // Past the answer's own framing, which would be done again for each of two hundred listeners.
    socket.write(response.chunkedEncoding ? chunk : plain);
  };

  /** Closes a connection as a failing network does, after what was written. */
  const cut = (listener: Listener): void => {
    drop(listener);
    const { socket } = listener.response;
    if (socket === null) {
      listener.response.destroy();
      return;
    }
    if (held.delete(socket)) socket.uncork();
    socket.destroySoon();
  };

  const add = (listener: Listener): void => {
    listeners.add(listener);
    for (const topic of listener.topics) {
      const members = topics.get(topic) ?? new Set();
      members.add(listener);
      topics.set(topic, members);
    }
    keepalive ??= setInterval(() => {
      for (const each of listeners) {
        if (each.gate === undefined) write(each, KEEPALIVE_FRAME);
        else each.gate.keepAlive(KEEPALIVE_FRAME);
      }
    }, keepaliveMs).unref();
  };

  const deliver = (topic: string, profile: string, frame: Frame): void => {
    for (const listener of topics.get(topic) ?? []) {
      if (listener.profile !== profile) continue;
      if (listener.gate === undefined) write(listener, frame);
      else listener.gate.send(channelOf(topic), frame);
    }
  };

  const withGate = (subscription: Subscription, response: ServerResponse, faults: StreamFaults): Listener => {
    const gate = createGate<Frame>(faults, [...subscription.topics].map(channelOf), {
      maxHeldBytes: MAX_WAITING_BYTES,
      write: (frame) => write(listener, frame),
      cut: () => cut(listener),
    });
    const listener: Listener = { ...subscription, response, gate };
    return listener;
  };

  return {
    listening: (channel, resourceId) => topics.has(nameOf(channel, resourceId)),
    listeningFor: (channel, audience) => topics.has(privateTopic(channel, audience)),
    resources: (channel) =>
      [...topics.keys()]
        .filter((topic) => topic.startsWith(`${channel}.`))
        .map((topic) => topic.slice(channel.length + 1)),
    publish: ({ channel, resourceId, audience, profile, payload, atOnce }) => {
      const name = nameOf(channel, resourceId);
      const topic = audience === undefined ? name : privateTopic(channel, audience);
      if (!topics.has(topic)) return;
      const data = JSON.stringify({ channel: name, timestamp: new Date(clock.now()).toISOString(), payload });
      const send = (): void => deliver(topic, profile, frameOf(`data: ${data}\n\n`));
      if (atOnce === true) send();
      else db.afterCommit(send);
    },
    open: (response, subscription, faults) => {
      if (listeners.size >= MAX_LISTENERS) {
        const message = `Too many open event streams (limit ${MAX_LISTENERS})`;
        throw new PlatformError(503, message).assumed(streamGaps.limit);
      }
      const listener = faults === undefined ? { ...subscription, response } : withGate(subscription, response, faults);
      response.writeHead(200, {
        "content-type": "text/event-stream",
        "cache-control": "no-cache",
        connection: "keep-alive",
      });
      response.on("close", () => drop(listener));
      response.on("error", () => drop(listener));
      response.write(`retry: ${RETRY_MS}\n: connected\n\n`);
      add(listener);
      listener.gate?.open();
    },
    get size() {
      return listeners.size;
    },
    get isOpen() {
      return isOpen;
    },
    close: () => {
      isOpen = false;
      for (const listener of [...listeners]) {
        drop(listener);
        listener.response.end();
      }
    },
  };
}
