import { createSocket } from "node:dgram";
import { connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import mqtt, { type IClientOptions, type MqttClient } from "mqtt";
import { onTestFinished } from "vitest";
import { createSandbox, type Sandbox, type SandboxOptions, type SandboxTip } from "../../src/sandbox/index.ts";
import { waitFor } from "./wait-for.ts";

/** A sandbox that speaks TagoTiP, with what a test sends to it. */
export interface TipSandbox {
  readonly sandbox: Sandbox;
  readonly tip: SandboxTip;
}

/** Serial numbers of the devices of the seed; the second has a payload parser. */
export const serial = "sensor-01";
export const parsedSerial = "sensor-02";
export const deviceId = "65a5000000000000000d0001";

/** Lives of connections are off: a busy machine takes its time. */
export async function tipSandbox(options: SandboxOptions = {}): Promise<TipSandbox> {
  const sandbox = await createSandbox({ tip: { lives: false }, ...options });
  return { sandbox, tip: tipIn(sandbox) };
}

function tipIn({ tip }: Sandbox): SandboxTip {
  if (tip === undefined) throw new Error("The sandbox does not speak TagoTiP");
  return tip;
}

export function hostAndPort(address = ""): { readonly host: string; readonly port: number } {
  const [host = "", port = ""] = address.split(":");
  return { host, port: Number(port) };
}

/** Sends datagrams one after the other, each once the one before has its response; the responses. */
export async function udp(address: string, ...messages: readonly (string | Uint8Array)[]): Promise<Buffer[]> {
  const { host, port } = hostAndPort(address);
  const socket = createSocket("udp4");
  const responses: Buffer[] = [];
  socket.on("message", (message) => responses.push(message));
  try {
    for (const [index, message] of messages.entries()) {
      socket.send(message, port, host);
      await waitFor(
        () => responses.length > index,
        () => `a response to ${message}`,
      );
    }
  } finally {
    socket.close();
  }
  return responses;
}

export const udpText = async (address: string, ...messages: readonly string[]): Promise<string[]> =>
  (await udp(address, ...messages)).map(String);

/** A connection, and everything that came back on it. */
export interface Line {
  readonly socket: Socket;
  readonly isClosed: boolean;
  /** Bytes received so far. */
  received(): Buffer;
  /** Waits until this many lines have come back; those without their ends. */
  lines(count: number): Promise<string[]>;
  closed(): Promise<void>;
}

export function tcp(address: string | undefined, ca?: string): Line {
  const place = hostAndPort(address);
  const socket = ca === undefined ? connect(place) : connectTls({ ...place, ca });
  const chunks: Buffer[] = [];
  let isClosed = false;
  socket.on("data", (chunk) => chunks.push(chunk));
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
  });
  onTestFinished(() => {
    socket.destroy();
  });
  const received = (): Buffer => Buffer.concat(chunks);
  const complete = (): string[] => received().toString().split("\n").slice(0, -1);
  return {
    socket,
    received,
    get isClosed() {
      return isClosed;
    },
    async lines(count) {
      await waitFor(
        () => complete().length >= count,
        () => `${count} lines; so far ${JSON.stringify(complete())}`,
      );
      return complete();
    },
    closed: () => waitFor(() => isClosed, "the end of the connection"),
  };
}

/** A client of the package mqtt, connected, and what it receives. */
export interface Subscriber {
  readonly client: MqttClient;
  /** Waits until this many messages have come; each as `topic payload`. */
  messages(count: number): Promise<string[]>;
  readonly payloads: readonly Buffer[];
}

export async function subscriber(
  { tip }: TipSandbox,
  topics: readonly string[],
  options: IClientOptions = {},
): Promise<Subscriber> {
  const { hash } = tip;
  const client = mqtt.connect({
    ...hostAndPort(tip.mqtt),
    username: hash.slice(0, 8),
    password: hash.slice(8),
    reconnectPeriod: 0,
    ...options,
  });
  onTestFinished(() => {
    client.end(true);
  });
  const texts: string[] = [];
  const payloads: Buffer[] = [];
  client.on("message", (topic, payload) => {
    texts.push(`${topic} ${payload}`);
    payloads.push(payload);
  });
  await new Promise<void>((resolve, reject) => {
    client.once("connect", () => resolve());
    client.once("error", reject);
    client.once("close", () => reject(new Error("The broker closed the connection")));
  });
  if (topics.length > 0) await client.subscribeAsync([...topics]);
  return {
    client,
    payloads,
    async messages(count) {
      await waitFor(
        () => texts.length >= count,
        () => `${count} messages; so far ${JSON.stringify(texts)}`,
      );
      return texts;
    },
  };
}
