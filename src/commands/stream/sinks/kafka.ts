import type { Admin, Producer } from "kafkajs";
import { usageError } from "../../kit/failures/command-error.ts";
import { ANSWER_MS, denied, noTarget, type SinkSettings } from "./settings.ts";
import { type Ack, acksOf, Line, type RecordSink, type SinkRecord } from "./sink.ts";

const MECHANISMS = ["plain", "scram-sha-256", "scram-sha-512"] as const;
/** Errors about the record itself. */
const REJECTED: readonly string[] = [
  "MESSAGE_TOO_LARGE",
  "INVALID_RECORD",
  "INVALID_TIMESTAMP",
  "RECORD_LIST_TOO_LARGE",
];
/** Errors about the user or the topic. */
const DENIED = /AUTHORIZATION_FAILED|SASL|INVALID_TOPIC_EXCEPTION|POLICY_VIOLATION/;

/** Produces with the id as key, and waits for all replicas. */
export async function openKafka(settings: SinkSettings): Promise<RecordSink> {
  const { default: kafkajs } = await import("kafkajs");
  const { servers, isSecure, tls, target: topic } = settings;
  const kafka = new kafkajs.Kafka({
    clientId: "iot-stream",
    brokers: servers.map(({ host, port }) => `${host}:${port}`),
    ssl: isSecure && tls,
    ...saslOf(settings),
    connectionTimeout: ANSWER_MS,
    requestTimeout: ANSWER_MS,
    logLevel: kafkajs.logLevel.NOTHING,
    // The caller sends again; here only brokers that have just changed their leader are waited for.
    retry: { retries: 1 },
  });
  const line = new Line({
    async open(): Promise<Producer> {
      const producer = kafka.producer({ allowAutoTopicCreation: false });
      await producer.connect().catch((error: unknown) => {
        throw DENIED.test(typeOf(error)) ? denied(settings, textOf(error), error) : error;
      });
      return producer;
    },
    isOpen: () => true,
    end: (producer) => producer.disconnect(),
  });
  const produce = (producer: Producer, records: readonly SinkRecord[]): Promise<unknown> =>
    producer.send({
      topic,
      acks: -1,
      timeout: ANSWER_MS,
      messages: records.map(({ id, body }) => ({ key: id, value: body })),
    });
  const meaning = (error: unknown): Ack => ackOf(settings, error);

  await line.get();
  await checkTopic(kafka.admin(), topic).catch(async (error: unknown) => {
    await line.drop();
    throw error;
  });
  return {
    async send(records) {
      const producer = await line.get();
      try {
        await produce(producer, records);
        return records.map(() => "stored");
      } catch (error) {
        const ack = meaning(error);
        // One record may be what the broker rejects all of them for.
        if (isRejection(ack) && records.length > 1)
          return acksOf(records, (record) => produce(producer, [record]), meaning);
        if (!isRejection(ack)) await line.drop();
        return records.map(() => ack);
      }
    },
    close: () => line.drop(),
  };
}

/** What a failed request says about its records. */
function ackOf(settings: SinkSettings, error: unknown): Ack {
  const type = typeOf(error);
  if (DENIED.test(type)) throw denied(settings, textOf(error), error);
  return REJECTED.includes(type) ? { rejected: textOf(error) } : { unknown: error };
}

const isRejection = (ack: Ack): boolean => ack !== "stored" && "rejected" in ack;

/** A topic that does not exist is not made: its name may be mistyped. */
async function checkTopic(admin: Admin, topic: string): Promise<void> {
  try {
    await admin.connect();
    await admin.fetchTopicMetadata({ topics: [topic] });
  } catch (error) {
    throw typeOf(error) === "UNKNOWN_TOPIC_OR_PARTITION" ? noTarget(`topic ${topic}`) : error;
  } finally {
    await admin.disconnect();
  }
}

function saslOf({ user: username, password = "", query }: SinkSettings) {
  const asked = (query.get("sasl") ?? "plain").toLowerCase();
  const mechanism = MECHANISMS.find((one) => one === asked);
  if (mechanism === undefined)
    throw usageError(`Unknown mechanism "${asked}" in ?sasl=.`, { next: `Use one of ${MECHANISMS.join(", ")}.` });
  if (username === undefined) return {};
  // The package has a type for each of them.
  if (mechanism === "plain") return { sasl: { mechanism, username, password } };
  if (mechanism === "scram-sha-256") return { sasl: { mechanism, username, password } };
  return { sasl: { mechanism, username, password } };
}

/** The type of an error of the protocol, also where it is the cause of another one. */
function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("type" in error && typeof error.type === "string") return error.type;
  return error.name.includes("SASL") ? "SASL" : typeOf(error.cause);
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
