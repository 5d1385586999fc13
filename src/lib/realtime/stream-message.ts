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
 * One event. `data` is the text as it came; the platform's envelope in it is parsed when it is first asked for, and
 * its members are undefined when the text is not such an envelope.
 *
 * `Payload` is the caller's word for what its channel sends; it is not checked.
 */
export class StreamMessage<Payload = unknown> {
  /** Tells the items of a stream apart. */
  readonly type = "message";
  /** Name of the event; the platform leaves it at `message`. */
  readonly event: string;
  /** The text as it came. */
  readonly data: string;
  /** Id of the last event that had one; empty when none had. */
  readonly id: string;
  #envelope: Envelope | undefined;

  constructor(event: string, data: string, id: string) {
    this.event = event;
    this.data = data;
    this.id = id;
  }

  /**
   * Channel the event belongs to, as the server names it, e.g. `device_data.{resource id}`.
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
   * When the platform sent it, as ISO text.
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
   * What the channel sent, parsed on first use. It is not checked against `Payload`.
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
   * Everything about the event in one object, the payload parsed.
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
