import { isRecord, parseJson } from "../core/json.ts";

interface Envelope {
  readonly channel: string | undefined;
  readonly timestamp: string | undefined;
  readonly payload: unknown;
}

const noEnvelope: Envelope = { channel: undefined, timestamp: undefined, payload: undefined };

function stringOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readEnvelope(data: string): Envelope {
  const value = parseJson(data);
  if (!isRecord(value)) return noEnvelope;
  const { channel, timestamp, payload } = value;
  return { channel: stringOf(channel), timestamp: stringOf(timestamp), payload };
}

/**
 * An event. `data` is the raw string; the platform's envelope in it is parsed on first use, and its properties are
 * undefined when the string is not such an envelope.
 *
 * `Payload` is the type the caller expects from its channel; it is not checked.
 */
export class StreamMessage<Payload = unknown> {
  /** Discriminates the items of a stream. */
  readonly type = "message";
  /** Type of the event; always `message` on the platform. */
  readonly event: string;
  /** The raw string. */
  readonly data: string;
  /** Id of the last event that had one, else empty. */
  readonly id: string;
  #envelope: Envelope | undefined;

  constructor(event: string, data: string, id: string) {
    this.event = event;
    this.data = data;
    this.id = id;
  }

  /**
   * Channel of the event, e.g. `device_data.{resource id}`.
   *
   * @example
   * ```ts
   * for await (const item of openEventStream({ token, channels: { channel: "notification" } })) {
   *   if (item.type === "message") console.log(item.channel);
   * }
   * ```
   */
  get channel(): string | undefined {
    return this.#read().channel;
  }

  /**
   * When the platform sent it, ISO 8601.
   *
   * @example
   * ```ts
   * for await (const item of openEventStream({ token, channels: { channel: "notification" } })) {
   *   if (item.type === "message") console.log(item.timestamp);
   * }
   * ```
   */
  get timestamp(): string | undefined {
    return this.#read().timestamp;
  }

  /**
   * Payload of the event, parsed on first use. It is not checked against `Payload`.
   *
   * @example
   * ```ts
   * const stream = openEventStream<DeviceData[]>({ token, channels: { channel: "device_data", resource_id: deviceID } });
   * for await (const item of stream) if (item.type === "message") console.log(item.payload[0]?.value);
   * ```
   */
  get payload(): Payload {
    return this.#read().payload as Payload;
  }

  /**
   * Returns the event as one object, with the parsed payload.
   *
   * @example
   * ```ts
   * for await (const item of openEventStream({ token, channels: { channel: "ui" } })) console.log(JSON.stringify(item));
   * ```
   */
  toJSON(): Record<string, unknown> {
    const { channel, timestamp, payload, id } = this;
    return { channel, timestamp, payload, ...(id === "" ? {} : { id }) };
  }

  #read(): Envelope {
    this.#envelope ??= readEnvelope(this.data);
    return this.#envelope;
  }
}
