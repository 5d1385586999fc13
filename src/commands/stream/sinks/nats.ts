import type { NatsConnection } from "@nats-io/transport-node";
import { defined } from "../../../lib/core/defined.ts";
import { ANSWER_MS, denied, noTarget, type SinkSettings } from "./settings.ts";
import { type Ack, acksOf, Line, type RecordSink } from "./sink.ts";

/** What JetStream says of a record that it will not take however often it is sent. */
const TOO_LARGE = 10_054;

/** Publishes to a stream of JetStream, which acknowledges what it has stored, and stores an id once. */
export async function openNats(settings: SinkSettings): Promise<RecordSink> {
  const { connect } = await import("@nats-io/transport-node");
  const { jetstream, jetstreamManager } = await import("@nats-io/jetstream");
  const { servers, isSecure, user, password: pass, token, target } = settings;

  const open = async (): Promise<NatsConnection> => {
    try {
      return await connect({
        servers: servers.map(({ host, port }) => `${host.includes(":") ? `[${host}]` : host}:${port}`),
        name: "iot stream",
        ...defined({ user, pass, token }),
        timeout: ANSWER_MS,
        // A record that waits for a connection is sent again by the caller.
        reconnect: false,
        ...(isSecure && { tls: defined({ ca: settings.tls.ca?.join("\n") }) }),
      });
    } catch (error) {
      if (isNamed(error, "AuthorizationError")) throw denied(settings, "It rejects the user.", error);
      throw error;
    }
  };
  const line = new Line({ open, isOpen: (one) => !one.isClosed(), end: (one) => one.close() });

  const meaning = (error: unknown): Ack => {
    if (isNamed(error, "PermissionViolationError")) throw denied(settings, "The user may not publish there.", error);
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const isForGood = code === TOO_LARGE || (error instanceof Error && /payload/i.test(error.message));
    return isForGood && error instanceof Error ? { rejected: error.message } : { unknown: error };
  };

  const manager = await jetstreamManager(await line.get());
  const stream = await manager.streams.find(target).catch(() => undefined);
  if (stream === undefined) {
    await line.drop();
    throw noTarget(`stream of JetStream with the subject ${target}`);
  }
  return {
    async send(records) {
      const stored = jetstream(await line.get(), { timeout: ANSWER_MS });
      return acksOf(records, ({ id, body }) => stored.publish(target, body, { msgID: id, retries: 0 }), meaning);
    },
    close: () => line.drop(),
  };
}

const isNamed = (error: unknown, name: string): boolean =>
  error instanceof Error && (error.name === name || isNamed(error.cause, name));
