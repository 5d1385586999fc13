import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Aedes, AedesOptions, Client, PublishPacket } from "aedes";
import { buildAck, parsePayload, TipError, type TipPayload } from "../../../lib/tip/codec.ts";
import { readHeader } from "../../../lib/tip/envelope.ts";
import { FRAME_MAX_BYTES } from "../../../lib/tip/limits.ts";
import type { PlanLimits } from "../../http/limits.ts";
import type { ServerCertificate } from "../../http/listener.ts";
import type { StoredToken } from "../../store/tokens.ts";
import type { SandboxDatabase } from "../../store/types.ts";
import type { Messages } from "../messages.ts";
import { brokerConnections, MAX_BUFFERED_BYTES, subscribeRate } from "../rates.ts";
import type { TipService } from "../service.ts";
import type { Ending, Life, Lives } from "./lives.ts";
import { listenOn } from "./tcp.ts";

export interface MqttParts {
  readonly db: SandboxDatabase;
  readonly service: TipService;
  readonly messages: Messages;
  readonly lives: Lives;
  readonly limits: PlanLimits;
}

const MAX_TOPIC_CHARS = 128;
const MAX_SUBSCRIPTIONS = 5;
/** Time for the first packet, and for a client that does not read. */
const PATIENCE_MS = 5_000;
/** Where messages go that nobody gets. */
const NOWHERE = "$tip-dropped";
/** Topics that a device may use. */
const ALLOWED = /^\$tips?\//;
const REQUEST = /^\$(tips?)\/([A-Za-z0-9_-]{1,100})\/(push|pull)$/;
/** Reason codes of MQTT 5 with which the server ends a connection. */
const REASONS: Readonly<Record<Ending, number>> = {
  ttl_expired: 0xa0,
  keep_alive_timeout: 0x8d,
  rate_limited: 0x9f,
};
const SERVER_UNAVAILABLE = 3;
const NOT_AUTHORIZED = 5;

/** A connection that is authorized. All with the same hash are one context: nothing passes to another one. */
interface Session {
  readonly hash: string;
  readonly profile: string;
  readonly address: string;
  readonly topics: Set<string>;
}

class Rejection extends Error {
  readonly returnCode: number;

  constructor(returnCode: number) {
    super("The broker does not accept the connection");
    this.returnCode = returnCode;
  }
}

const hashOf = (user: string | undefined, password: Uint8Array | undefined): string =>
  `${user ?? ""}${password === undefined ? "" : Buffer.from(password).toString("latin1")}`.toLowerCase();

/** The broker package, or nothing where it is not installed. */
export async function loadBroker(): Promise<typeof import("aedes") | undefined> {
  return import("aedes").catch(() => undefined);
}

/** A broker over the package aedes, for requests of devices, and for the messages between devices of one authorization. */
export class MqttBroker {
  readonly #parts: MqttParts;
  readonly #broker: Aedes;
  readonly #sessions = new Map<Client, Session>();
  readonly #lives = new WeakMap<object, Life>();
  readonly #sockets = new Set<Socket>();
  readonly #servers: Server[] = [];

  constructor(parts: MqttParts, { Aedes: Broker }: typeof import("aedes")) {
    this.#parts = parts;
    this.#broker = new Broker(this.#options());
    this.#broker.on("clientDisconnect", (client) => this.#sessions.delete(client));
    this.#broker.on("unsubscribe", (topics, client) => {
      for (const topic of topics) this.#sessions.get(client)?.topics.delete(topic);
    });
    parts.service.onBroker = (profile, serial, command) => this.#command(profile, serial, command);
  }

  /** Listens at one more port, with TLS if there is a certificate. */
  async listen(port: number, host: string, certificate?: ServerCertificate): Promise<number> {
    if (this.#servers.length === 0) await this.#broker.listen();
    const accept = (socket: Socket): void => this.#accept(socket);
    const server = certificate === undefined ? createServer(accept) : createTlsServer({ ...certificate }, accept);
    server.on("tlsClientError", () => {});
    this.#servers.push(server);
    return listenOn(server, port, host);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))));
    await new Promise<void>((resolve) => this.#broker.close(() => resolve()));
  }

  #options(): AedesOptions {
    return {
      connectTimeout: PATIENCE_MS,
      drainTimeout: PATIENCE_MS,
      maxClientsIdLength: MAX_BUFFERED_BYTES,
      maximumPacketSize: MAX_BUFFERED_BYTES,
      preConnect: (_, packet, done) => {
        const hash = hashOf(packet.username, packet.password);
        // The same id in two contexts is that of two clients.
        if (packet.clientId !== "") packet.clientId = `${hash}/${packet.clientId}`;
        delete packet.will;
        packet.clean = true;
        if (packet.properties !== undefined) packet.properties.sessionExpiryInterval = 0;
        done(null, true);
      },
      authenticate: (client, user, password, done) => {
        const problem = this.#admit(client, hashOf(user, password));
        done(problem === undefined ? null : (problem as Rejection & { returnCode: never }), problem === undefined);
      },
      authorizeSubscribe: (client, subscription, done) => {
        done(null, this.#maySubscribe(client, subscription.topic) ? subscription : null);
      },
      authorizePublish: (client, packet, done) => {
        const session = client === null ? undefined : this.#sessions.get(client);
        if (client === null || session === undefined) done();
        else void this.#receive(client, session, packet).then(() => done(), done);
      },
      authorizeForward: (client, packet) =>
        this.#sessions.get(client)?.hash === this.#contextOf(packet) ? packet : null,
    };
  }

  #accept(socket: Socket): void {
    let client: Client | undefined;
    const life = this.#parts.lives.begin(socket, (why) => {
      if (client?.connected === true) client.disconnect({ reasonCode: REASONS[why] }, () => socket.destroy());
      else socket.destroy();
    });
    if (life === undefined) return;
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    client = this.#broker.handle(socket);
    this.#lives.set(client, life);
    // The broker reads the socket; this only listens.
    socket.on("data", () => life.heard());
  }

  /** What keeps a client from connecting. */
  #admit(client: Client, hash: string): Rejection | undefined {
    const { service, limits } = this.#parts;
    const authorization = /^[0-9a-f]{16}$/.test(hash) ? service.senders.authorization(hash) : undefined;
    if (authorization === undefined) return new Rejection(NOT_AUTHORIZED);
    const { profile } = authorization;
    const others = [...this.#sessions.values()].filter((session) => session.profile === profile).length;
    if (limits.settings.perMinute && others >= brokerConnections[limits.planOf(profile)])
      return new Rejection(SERVER_UNAVAILABLE);
    const address = "remoteAddress" in client.conn ? String(client.conn.remoteAddress) : "";
    this.#sessions.set(client, { hash, profile, address, topics: new Set() });
    this.#lives.get(client)?.belongsTo(profile);
    return undefined;
  }

  #maySubscribe(client: Client, topic: string): boolean {
    const session = this.#sessions.get(client);
    if (session === undefined || !ALLOWED.test(topic) || topic.length > MAX_TOPIC_CHARS) return false;
    if (!session.topics.has(topic) && session.topics.size >= MAX_SUBSCRIPTIONS) return false;
    try {
      this.#parts.limits.countRequest([subscribeRate], session.profile, {});
    } catch {
      return false;
    }
    session.topics.add(topic);
    return true;
  }

  /** The context that a message belongs to: of a response it is used instead of the client's id. */
  #contextOf(packet: object): string | undefined {
    const id = "clientId" in packet ? String(packet.clientId) : "";
    if (/^[0-9a-f]{16}(?:\/|$)/.test(id)) return id.slice(0, 16);
    for (const [client, { hash }] of this.#sessions) if (client.id === id) return hash;
    return undefined;
  }

  /** Serves a request before it is acknowledged; every other message passes. @throws Error which ends the connection */
  async #receive(client: Client, session: Session, packet: PublishPacket): Promise<void> {
    packet.retain = false;
    if (packet.topic.length > MAX_TOPIC_CHARS) {
      client.close();
      throw new Error("The topic is too long");
    }
    const payload = Buffer.from(packet.payload);
    const [, prefix, serial, kind] = REQUEST.exec(packet.topic) ?? [];
    if (!ALLOWED.test(packet.topic)) {
      packet.topic = NOWHERE;
      this.#noteDropped(payload.length);
    } else if (serial !== undefined && (kind === "push" || kind === "pull")) {
      const response = prefix === "tip" ? this.#text(session, serial, kind, payload) : this.#sealed(session, payload);
      if (payload.length > FRAME_MAX_BYTES) packet.topic = NOWHERE;
      const bytes = await response;
      if (bytes !== undefined) this.#publish(session.hash, `$${prefix}/${serial}/ack`, bytes);
    }
  }

  async #text(
    { hash }: Session,
    serial: string,
    kind: "push" | "pull",
    payload: Buffer,
  ): Promise<Uint8Array | undefined> {
    const parsed = parsedPayload(kind, payload);
    const served = await this.#parts.messages.serve({
      over: "mqtt",
      method: kind === "push" ? "PUSH" : "PULL",
      auth: hash,
      serial,
      seq: parsed.seq,
      bytes: payload.length,
      shown: payload.toString("utf8"),
      read: () => {
        if (parsed instanceof TipError) throw parsed;
        const { body, names = [] } = parsed;
        return body === undefined ? { method: "PULL", names } : { method: "PUSH", body };
      },
    });
    if (served.ack === undefined) return undefined;
    const text = buildAck(served.ack).slice("ACK|".length);
    return Buffer.from(served.isCut === true ? text.slice(0, text.length >> 1) : text);
  }

  /** An envelope of another authorization than the connection's cannot be opened. */
  async #sealed({ hash, address }: Session, payload: Buffer): Promise<Uint8Array | undefined> {
    const isOwn = (): boolean => {
      try {
        return readHeader(payload).authHash === hash;
      } catch {
        return true;
      }
    };
    if (!isOwn()) return Buffer.from(buildAck({ status: "ERR", detail: "auth_failed" }));
    return (await this.#parts.messages.envelope(payload, { over: "mqtt", address })).bytes;
  }

  #publish(context: string, topic: string, payload: Uint8Array): void {
    const packet = { cmd: "publish", topic, payload: Buffer.from(payload), qos: 0, dup: false, retain: false } as const;
    this.#broker.publish(Object.assign(packet, { clientId: context }), () => {});
  }

  /** A command for those who have subscribed; nothing is kept for others. */
  #command(profile: string, serial: string, command: string): void {
    const { db, messages, service } = this.#parts;
    const ack = { status: "CMD", detail: command } as const;
    for (const [hash, topics] of this.#contextsOf(profile)) {
      this.#publish(hash, `$tip/${serial}/ack`, Buffer.from(buildAck(ack).slice("ACK|".length)));
      const authorization: StoredToken | undefined = service.senders.authorization(hash);
      if (authorization === undefined || !topics.some((topic) => topic.startsWith("$tips/"))) continue;
      const bytes = messages.sealFor(authorization, serial, hash)(ack);
      db.afterCommit(() => this.#publish(hash, `$tips/${serial}/ack`, bytes));
    }
  }

  #contextsOf(profile: string): ReadonlyMap<string, readonly string[]> {
    const contexts = new Map<string, string[]>();
    for (const session of this.#sessions.values())
      if (session.profile === profile)
        contexts.set(session.hash, [...(contexts.get(session.hash) ?? []), ...session.topics]);
    return contexts;
  }

  #noteDropped(bytes: number): void {
    const ack = { status: "ERR", detail: "invalid_payload" } as const;
    const startedAt = performance.now();
    this.#parts.messages.note({ over: "mqtt", method: "-", serial: "", bytes, shown: "", startedAt }, ack);
  }
}

function parsedPayload(kind: "push" | "pull", payload: Buffer): TipPayload | TipError {
  try {
    return parsePayload(kind, payload);
  } catch (error) {
    if (error instanceof TipError) return error;
    throw error;
  }
}
