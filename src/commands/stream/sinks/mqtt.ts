import type { MqttClient } from "mqtt";
import { defined } from "../../../lib/core/defined.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { ANSWER_MS, denied, type SinkSettings } from "./settings.ts";
import { type Ack, Line, type RecordSink, type SinkRecord } from "./sink.ts";

/** Where the broker does not say how many it takes without an acknowledgement. */
const USUAL_WINDOW = 1_000;
/** Reason codes of MQTT 5 about user and topic: every other record would be rejected as well. */
const DENIED: readonly unknown[] = [0x84, 0x85, 0x86, 0x87, 0x8a, 0x8c, 0x90];
/** The record is too large, or not what the broker stores. */
const REJECTED: readonly unknown[] = [0x83, 0x95, 0x99];

interface Broker {
  readonly client: MqttClient;
  readonly window: number;
  readonly maxBytes: number;
}

/** Publishes with QoS 1 over MQTT 5; the id is a user property. */
export async function openMqtt(settings: SinkSettings): Promise<RecordSink> {
  const { default: mqtt } = await import("mqtt");
  const { servers, isSecure, user, password, tls, target } = settings;
  const protocol = isSecure ? "mqtts" : "mqtt";
  const options = {
    servers: servers.map(({ host, port }) => ({ host, port, protocol }) as const),
    ...tls,
    ...defined({ username: user, password }),
    protocolVersion: 5,
    clean: true,
    connectTimeout: ANSWER_MS,
    // What was not acknowledged is sent again by the caller.
    reconnectPeriod: 0,
  } as const;
  const line = new Line<Broker>({
    open: () => ready(mqtt.connect(options), settings),
    isOpen: ({ client }) => client.connected,
    end: ({ client }) => client.endAsync(true),
  });

  const meaning = (error: unknown): Ack => {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const why = error instanceof Error ? error.message : String(error);
    if (DENIED.includes(code)) throw denied(settings, why, error);
    return REJECTED.includes(code) ? { rejected: why } : { unknown: error };
  };
  const publish = async ({ client, maxBytes }: Broker, { id, body }: SinkRecord): Promise<Ack> => {
    // A broker ends the connection over a packet that is too large.
    if (Buffer.byteLength(body) + target.length + 100 > maxBytes)
      return { rejected: `It is larger than the ${maxBytes} bytes that the broker takes.` };
    const properties = { contentType: "application/json", userProperties: { id } };
    return acknowledged(client, (done) => client.publish(target, body, { qos: 1, properties }, done), meaning);
  };
  await line.get();
  return {
    async send(records) {
      const broker = await line.get();
      return mapLanes(records, broker.window, (record) => publish(broker, record));
    },
    close: () => line.drop(),
  };
}

type Done = (error?: Error) => void;

/** Waits for the broker's word, or for the end of the connection: the package forgets those that wait then. */
function acknowledged(client: MqttClient, publish: (done: Done) => void, meaning: (error: unknown) => Ack) {
  return new Promise<Ack>((resolve, reject) => {
    const timer = setTimeout(() => end(new Error("No acknowledgement in time")), ANSWER_MS);
    const lost = (): void => end(new Error("connection lost"));
    function end(error?: Error): void {
      clearTimeout(timer);
      client.off("close", lost);
      try {
        resolve(error === undefined ? "stored" : meaning(error));
      } catch (cause) {
        reject(cause);
      }
    }
    if (!client.connected) return lost();
    client.once("close", lost);
    publish((error) => end(error ?? undefined));
  });
}

/** Waits until the broker has accepted the connection, and reads what it takes. */
function ready(client: MqttClient, settings: SinkSettings): Promise<Broker> {
  client.setMaxListeners(0);
  return new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      client.end(true);
      const isDenied = "code" in error && DENIED.includes(error.code);
      reject(isDenied ? denied(settings, error.message, error) : error);
    };
    // Errors after the first connection end in "close".
    client.on("error", fail);
    client.once("close", () => fail(new Error("The broker ended the connection.")));
    client.once("connect", ({ properties }) =>
      resolve({
        client,
        window: Math.min(USUAL_WINDOW, properties?.receiveMaximum ?? USUAL_WINDOW),
        maxBytes: properties?.maximumPacketSize ?? Number.POSITIVE_INFINITY,
      }),
    );
  });
}
