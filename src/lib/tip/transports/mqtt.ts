/** (node) Publishes to the topics of a device; responses and commands come on another. Needs the package mqtt. */
import type { MqttClient } from "mqtt";
import { TipError } from "../errors.ts";
import { toBytes } from "../text.ts";
import type { TipAck } from "../types.ts";
import { KeptLine } from "./kept.ts";
import { connectionFailed, Pending } from "./pending.ts";
import { trusting } from "./tcp.ts";
import type { TipPeer, TipRequest, TipTransport } from "./transport.ts";

/** The server ends a connection after 5 s of silence. */
const KEEP_ALIVE_SECONDS = 3;
/** Reason codes of a broker that rejects user and password: of MQTT 3.1.1 and of MQTT 5. */
const NOT_AUTHORIZED: readonly unknown[] = [4, 5, 0x86, 0x87];

interface Line {
  readonly client: MqttClient;
  readonly pending: Pending;
}

export class MqttTransport implements TipTransport {
  onCommand: (command: string) => void = () => undefined;
  onClose: () => void = () => undefined;
  readonly #peer: TipPeer;
  readonly #kept = new KeptLine(
    () => this.#connect(),
    ({ client }: Line) => client.end(true),
  );

  constructor(peer: TipPeer) {
    this.#peer = peer;
  }

  /** A PING only connects: MQTT has a sign of life of its own. */
  async request(request: TipRequest): Promise<TipAck> {
    const line = this.#kept.current ?? (await this.#kept.open());
    if (request.method === "PING") return { status: "PONG" };
    const response = line.pending.add(request, this.#peer.timeoutMs, () => line.client.end(true));
    const counter = request.seq === undefined ? "" : `!${request.seq}|`;
    const payload = this.#peer.isSealed ? request.bytes : toBytes(counter + request.body);
    // At most once: the package would send what it does not know to have arrived on the next connection again.
    line.client.publish(this.#topic(request.method.toLowerCase()), Buffer.from(payload), { qos: 0 });
    return response;
  }

  async close(): Promise<void> {
    this.#kept.close();
  }

  #topic(end: string): string {
    return `${this.#peer.isSealed ? "$tips" : "$tip"}/${this.#peer.serial}/${end}`;
  }

  async #connect(): Promise<Line> {
    const { host, port, tls, ca, timeoutMs, auth } = this.#peer;
    const { default: mqtt } = await import("mqtt").catch(notInstalled);
    const client = mqtt.connect({
      host,
      port,
      protocol: tls ? "mqtts" : "mqtt",
      ...trusting(ca),
      username: auth.slice(0, 8),
      password: auth.slice(8),
      clean: true,
      keepalive: KEEP_ALIVE_SECONDS,
      connectTimeout: timeoutMs,
      reconnectPeriod: 0,
      queueQoSZero: false,
    });
    const line: Line = { client, pending: new Pending() };
    await ready(client, this.#topic("ack"), timeoutMs);
    client.on("message", (topic, payload) => {
      if (topic === this.#topic("ack")) this.#receive(line, payload);
    });
    client.once("close", () => {
      this.#kept.leave(line);
      line.pending.fail(connectionFailed(true));
      this.onClose();
    });
    return line;
  }

  #receive({ pending }: Line, payload: Buffer): void {
    const message = this.#peer.isSealed ? payload : Buffer.concat([Buffer.from("ACK|"), payload]);
    const ack = this.#peer.read(message);
    if (ack === undefined || pending.receive(ack)) return;
    if (ack.status === "CMD" && ack.seq === undefined) this.onCommand(ack.detail ?? "");
  }
}

function notInstalled(cause: unknown): never {
  throw new TipError("not_installed", "MQTT needs the package mqtt: npm install mqtt", { cause });
}

/** Waits until responses arrive. Errors after that end in `close`. */
function ready(client: MqttClient, topic: string, timeoutMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => client.end(true), timeoutMs);
    const fail = (error: TipError): void => {
      clearTimeout(timer);
      client.end(true);
      reject(error);
    };
    client.on("error", (error) => {
      const isRejected = "code" in error && NOT_AUTHORIZED.includes(error.code);
      const message = "The broker rejected the authorization";
      fail(isRejected ? new TipError("invalid_token", message, { cause: error }) : connectionFailed(false, error));
    });
    client.once("close", () => fail(connectionFailed(false)));
    client.once("connect", () =>
      client.subscribe(topic, { qos: 1 }, (error) => {
        if (error) return fail(connectionFailed(false, error));
        clearTimeout(timer);
        resolve();
      }),
    );
  });
}
