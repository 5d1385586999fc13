import type { ServerResponse } from "node:http";
import type { Clock, Hub, SandboxDatabase } from "./types.ts";

/** Comment line that keeps proxies from closing a quiet stream. */
const KEEPALIVE_MS = 15_000;
/** Wait after which a browser connects again. */
const RETRY_MS = 1_000;
/** A listener this far behind is cut off: it connects again and goes on with what is new. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;

export interface Subscription {
  readonly profile: string;
  /** `channel` or `channel.resourceId`. */
  readonly topics: ReadonlySet<string>;
}

/** The hub as the server sees it. */
export interface StreamHub extends Hub {
  /** Starts the event stream on an answer whose headers are not sent yet. */
  open(response: ServerResponse, subscription: Subscription, headers: Readonly<Record<string, string>>): void;
  readonly size: number;
  /** False once the streams were ended for good. */
  readonly isOpen: boolean;
  /** Ends all streams. */
  close(): void;
}

interface Listener extends Subscription {
  readonly response: ServerResponse;
}

const nameOf = (channel: string, resourceId?: string): string =>
  resourceId === undefined ? channel : `${channel}.${resourceId}`;

/** Topic of a channel for one listener only: the analysis or the portal user its token belongs to. */
export const privateTopic = (channel: string, audience: string): string => `${channel}#${audience}`;

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
    for (const topic of listener.topics) {
      const members = topics.get(topic);
      members?.delete(listener);
      if (members?.size === 0) topics.delete(topic);
    }
    if (listeners.size > 0 || keepalive === undefined) return;
    clearInterval(keepalive);
    keepalive = undefined;
  };

  const write = (listener: Listener, text: string): void => {
    if (listener.response.writableLength > MAX_WAITING_BYTES) {
      drop(listener);
      listener.response.destroy();
      return;
    }
    listener.response.write(text);
  };

  const add = (listener: Listener): void => {
    listeners.add(listener);
    for (const topic of listener.topics) {
      const members = topics.get(topic) ?? new Set();
      members.add(listener);
      topics.set(topic, members);
    }
    keepalive ??= setInterval(() => {
      for (const each of listeners) write(each, ": keepalive\n\n");
    }, keepaliveMs).unref();
  };

  const deliver = (topic: string, profile: string, frame: string): void => {
    for (const listener of topics.get(topic) ?? []) {
      if (listener.profile === profile) write(listener, frame);
    }
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
      const send = (): void => deliver(topic, profile, `data: ${data}\n\n`);
      if (atOnce === true) send();
      else db.afterCommit(send);
    },
    open: (response, subscription, headers) => {
      const listener: Listener = { ...subscription, response };
      response.writeHead(200, {
        ...headers,
        "content-type": "text/event-stream",
        "cache-control": "no-cache",
        connection: "keep-alive",
      });
      response.on("close", () => drop(listener));
      response.on("error", () => drop(listener));
      add(listener);
      response.write(`retry: ${RETRY_MS}\n: connected\n\n`);
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
