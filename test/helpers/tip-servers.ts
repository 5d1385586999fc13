import { createSocket } from "node:dgram";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { generate, type Packet, parser } from "mqtt-packet";
import { onTestFinished } from "vitest";
import {
  buildAck,
  buildInner,
  openEnvelope,
  parseAck,
  parseBody,
  parseFrame,
  parseInner,
  parsePayload,
  sealEnvelope,
  type TipAckInput,
  type TipCipher,
  TipError,
  type TipFrame,
  type TipVariable,
} from "../../src/lib/tip/index.ts";
import { Messages } from "../../src/lib/tip/transports/tcp.ts";
import type { Certificate } from "../../src/sandbox/http/certificate.ts";

export const token = "ate2bd319014b24e0a8aca9f00aea4c0d0";
export const hash = "4deedd7bab8817ec";
export const serial = "sensor-01";

/** A platform for one device: it stores what is pushed, and enforces counters where there are some. */
export class TipService {
  readonly stored: TipVariable[] = [];
  /** Commands that wait. */
  readonly waiting: string[] = [];
  readonly requests: TipFrame[] = [];
  /** Answers in the place of the service, for as long as there are some. */
  readonly instead: TipAckInput[] = [];
  #lastSeq = -1;

  answer(frame: TipFrame): TipAckInput {
    this.requests.push(frame);
    const seq = frame.seq === undefined ? {} : { seq: frame.seq };
    const other = this.instead.shift();
    if (other !== undefined) return { ...seq, ...other };
    if (frame.auth !== hash) return { ...seq, status: "ERR", detail: "invalid_token" };
    if (frame.seq !== undefined && frame.seq <= this.#lastSeq) return { ...seq, status: "ERR", detail: "invalid_seq" };
    this.#lastSeq = frame.seq ?? this.#lastSeq;
    return { ...seq, ...this.#done(frame) };
  }

  #done(frame: TipFrame): TipAckInput {
    if (frame.method === "PING") {
      const command = this.waiting.shift();
      return command === undefined ? { status: "PONG" } : { status: "CMD", detail: command };
    }
    if (frame.method === "PUSH") {
      const variables = frame.body.kind === "variables" ? frame.body.variables : [];
      this.stored.push(...variables);
      return { status: "OK", count: variables.length };
    }
    const last = frame.names.flatMap((name) => this.stored.findLast(({ variable }) => variable === name) ?? []);
    return last.length === 0 ? { status: "ERR", detail: "variable_not_found" } : { status: "OK", variables: last };
  }

  answerLine(text: string | Uint8Array): string {
    try {
      return buildAck(this.answer(parseFrame(text)));
    } catch (error) {
      if (error instanceof TipError) return buildAck({ status: "ERR", detail: error.code });
      throw error;
    }
  }

  /** The response to an envelope, sealed with the same key. */
  answerEnvelope(envelope: Uint8Array, key: Uint8Array): Uint8Array {
    const { method, counter, authHash, cipher, inner } = openEnvelope(envelope, key, { serial });
    if (method === "ACK") throw new Error("A response was sent to the server");
    const { seq: _, ...ack } = this.answer({ ...parseInner(method, inner), auth: authHash, seq: counter });
    return this.seal(ack, key, counter, cipher);
  }

  seal(ack: TipAckInput, key: Uint8Array, counter = 7, cipher: TipCipher = "aes-128-ccm"): Uint8Array {
    return sealEnvelope({ method: "ACK", counter, authHash: hash, serial, key, cipher, inner: buildInner(ack) });
  }
}

/** A datagram server; `answer` gets each datagram with its number and returns what is sent back. */
export async function udpServer(
  answer: (message: Buffer, number: number) => readonly (string | Uint8Array)[],
): Promise<number> {
  const socket = createSocket("udp4");
  let number = 0;
  socket.on("message", (message, { port, address }) => {
    for (const reply of answer(message, number)) socket.send(reply, port, address);
    number += 1;
  });
  await new Promise<void>((resolve) => {
    socket.bind(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    socket.close();
  });
  return socket.address().port;
}

/** A stream server on a free port, with TLS if there is a certificate. */
export async function tcpServer(onConnection: (socket: Socket) => void, tls?: Certificate): Promise<number> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  };
  const server = tls === undefined ? createServer(accept) : createTlsServer({ ...tls }, accept);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Answers frames, or envelopes behind their length, on a connection. */
export function answerOn(socket: Socket, service: TipService, key?: Uint8Array): void {
  const messages = new Messages(key !== undefined);
  socket.on("data", (chunk) => {
    for (const message of messages.add(chunk) ?? []) {
      if (key === undefined) socket.write(`${service.answerLine(message)}\n`);
      else socket.write(withLength(service.answerEnvelope(message, key)));
    }
  });
}

export const withLength = (message: Uint8Array): Buffer =>
  Buffer.concat([Buffer.of(message.length >> 8, message.length & 255), message]);

const statuses: Readonly<Record<string, number>> = { invalid_token: 401, rate_limited: 429, variable_not_found: 404 };

/** The detail of an answer, as it is the body over HTTP. */
const detailOf = (ack: TipAckInput): string => parseAck(buildAck(ack)).detail ?? "";

function answerHttp(service: TipService, { method, url = "", headers }: IncomingMessage, body: string): TipAckInput {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const sender = {
    auth: String(headers.authorization).replace("TagoTiP ", ""),
    serial: pathname.replace("/v1/tip/", ""),
  };
  if (method === "HEAD") return service.answer({ ...sender, method: "PING" });
  if (method === "POST") return service.answer({ ...sender, method: "PUSH", body: parseBody(body) });
  const { names = [] } = parsePayload("pull", searchParams.get("variables") ?? "");
  return service.answer({ ...sender, method: "PULL", names });
}

/** The service over HTTP, with envelopes if there is a key. */
export async function httpServer(service: TipService, key?: Uint8Array, tls?: Certificate): Promise<number> {
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = Buffer.concat(await request.toArray());
    if (key !== undefined) {
      response.end(request.url === "/v1/tips" ? service.answerEnvelope(body, key) : "");
      return;
    }
    const ack = answerHttp(service, request, body.toString());
    const isCommand = ack.status === "CMD";
    const status = ack.status === "ERR" ? (statuses[detailOf(ack)] ?? 400) : ack.status === "PONG" ? 204 : 200;
    response.writeHead(status, isCommand ? { "X-TagoTiP-CMD": Buffer.from(detailOf(ack)).toString("latin1") } : {});
    response.end(request.method === "HEAD" ? undefined : detailOf(ack));
  };
  const server = tls === undefined ? createHttpServer(answer) : createHttpsServer({ ...tls }, answer);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A broker for one device, without anything but what a device needs. */
export interface TinyBroker {
  readonly port: number;
  /** Publishes to all that have subscribed. */
  publish(payload: string | Uint8Array): void;
  /** Ends all connections. */
  hangUp(): void;
  readonly connections: number;
}

export async function mqttBroker(service: TipService, key?: Uint8Array, tls?: Certificate): Promise<TinyBroker> {
  const prefix = key === undefined ? "$tip" : "$tips";
  const subscribed = new Set<Socket>();
  let connections = 0;
  const publish = (payload: string | Uint8Array): void => {
    const packet = { cmd: "publish", topic: `${prefix}/${serial}/ack`, payload: Buffer.from(payload), qos: 0 } as const;
    for (const socket of subscribed) socket.write(generate({ ...packet, dup: false, retain: false }));
  };
  const onPublish = (topic: string, payload: Buffer): void => {
    const kind = /^\$tips?\/sensor-01\/(push|pull)$/.exec(topic)?.[1];
    if (kind !== "push" && kind !== "pull") return;
    if (key !== undefined) {
      publish(service.answerEnvelope(payload, key));
      return;
    }
    const { seq, body, names = [] } = parsePayload(kind, payload);
    const content = body === undefined ? { method: "PULL" as const, names } : { method: "PUSH" as const, body };
    const numbered = seq === undefined ? {} : { seq };
    publish(buildAck(service.answer({ ...content, ...numbered, auth: hash, serial })).replace("ACK|", ""));
  };
  const onPacket = (socket: Socket, packet: Packet): void => {
    if (packet.cmd === "connect") {
      const isKnown = packet.username === hash.slice(0, 8) && String(packet.password) === hash.slice(8);
      socket.write(generate({ cmd: "connack", returnCode: isKnown ? 0 : 5, sessionPresent: false }));
      if (!isKnown) socket.end();
    } else if (packet.cmd === "subscribe") {
      subscribed.add(socket);
      socket.write(generate({ cmd: "suback", messageId: packet.messageId ?? 0, granted: [1] }));
    } else if (packet.cmd === "pingreq") socket.write(generate({ cmd: "pingresp" }));
    else if (packet.cmd === "publish") onPublish(packet.topic, Buffer.from(packet.payload));
  };
  const port = await tcpServer((socket) => {
    connections += 1;
    const stream = parser().on("packet", (packet: Packet) => onPacket(socket, packet));
    socket.on("data", (chunk) => stream.parse(chunk));
    socket.on("close", () => subscribed.delete(socket));
  }, tls);
  const hangUp = (): void => {
    for (const socket of subscribed) socket.destroy();
  };
  return {
    port,
    publish,
    hangUp,
    get connections() {
      return connections;
    },
  };
}
