/** (node) Sends as a device, over each of the four transports. */
import { parseAck } from "./ack.ts";
import { buildBody, buildFrame, checkNames } from "./build.ts";
import { settingsOf, type TipClientOptions, type TipSettings } from "./client-options.ts";
import { isEnvelope, openEnvelope, sealEnvelope } from "./envelope.ts";
import { invalidInput, malformed, TipError } from "./errors.ts";
import { buildInner, parseInner } from "./inner.ts";
import { toBytes } from "./text.ts";
import { HttpTransport } from "./transports/http.ts";
import { MqttTransport } from "./transports/mqtt.ts";
import { TcpTransport } from "./transports/tcp.ts";
import { lenient, type TipPeer, type TipRequest, type TipTransport } from "./transports/transport.ts";
import { UdpTransport } from "./transports/udp.ts";
import type { TipAck, TipContentInput, TipMarksInput, TipRaw, TipVariable, TipVariableInput } from "./types.ts";

const transports = { udp: UdpTransport, tcp: TcpTransport, http: HttpTransport, mqtt: MqttTransport };
/** From one sign of life to the next while commands are waited for: the server ends a connection after 5 s of silence. */
const KEEP_ALIVE_MS = 3_000;
/** Least time between two connections of those who wait for commands. */
const RECONNECT_MS = 200;
/** First wait after `rate_limited`, and the longest. */
const BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;
/** First wait where no connection was made. */
const CONNECT_WAIT_MS = 100;
/** Commands that are held for `commands()` and `ping()`; then the oldest is dropped. */
const MAX_COMMANDS = 100;
/** Failures after which waiting for commands continues. */
const PASSING: readonly string[] = "no_response connection_failed rate_limited server_error".split(" ");

const backoffMs = (firstMs: number, times: number): number => Math.min(firstMs * 2 ** times, MAX_BACKOFF_MS);

/**
 * A device that sends data and gets commands. Connections are opened with the first request.
 *
 * Lost PINGs and PULLs are repeated. So is a PUSH whose request cannot have arrived, and with a counter every lost PUSH: the
 * server stores it once.
 */
export class TipClient {
  readonly #settings: TipSettings;
  readonly #transport: TipTransport;
  /** Commands that nobody has taken. */
  readonly #commands: string[] = [];
  /** Are called when something happened that they may wait for. */
  readonly #waiting = new Set<() => void>();
  #turn: Promise<unknown> = Promise.resolve();
  #listeners = 0;
  /** Connections that ended. */
  #ended = 0;
  #isClosed = false;

  /** @throws TipError `invalid_input` */
  constructor(options: TipClientOptions) {
    this.#settings = settingsOf(options);
    this.#transport = new transports[this.#settings.over](this.#peer());
    this.#transport.onCommand = (command) => this.#deliver(command);
    this.#transport.onClose = () => {
      this.#ended += 1;
      this.#wake();
    };
  }

  /**
   * Stores data.
   *
   * @param variables 1 to 100
   * @param defaults what holds for all variables without their own
   * @returns the number of records stored; the number sent where a repeated request had arrived, or the server names none
   * @throws TipError with the code of the server; `invalid_input`, `no_response` or `connection_failed`, and `mayHaveArrived`
   * @example
   * ```ts
   * import { TipClient } from "iotdeck/tip";
   * const client = new TipClient({ over: "udp", hash: "4deedd7bab8817ec", serial: "sensor-01" });
   * const count = await client.push([{ variable: "temperature", value: 21.5, unit: "C" }], { time: new Date() });
   * ```
   */
  async push(variables: readonly TipVariableInput[], defaults: TipMarksInput = {}): Promise<number> {
    const ack = await this.#send({ method: "PUSH", body: { ...defaults, kind: "variables", variables } });
    return ack.count ?? variables.length;
  }

  /**
   * Sends bytes to the payload parser of the device.
   *
   * @param encoding how they are written in the frame: a parser gets the bytes of `hex`, and of `base64` the text
   * @returns the number of records that the parser made; 1 where a repeated request had arrived, or the server names none
   * @throws TipError as `push`
   * @example
   * ```ts
   * import { TipClient } from "iotdeck/tip";
   * const client = new TipClient({ over: "http", hash: "4deedd7bab8817ec", serial: "sensor-01" });
   * await client.pushRaw(Uint8Array.of(0x00, 0xff, 0xa0));
   * ```
   */
  async pushRaw(bytes: Uint8Array, encoding: TipRaw["kind"] = "hex"): Promise<number> {
    const data = Buffer.from(bytes).toString(encoding);
    return (await this.#send({ method: "PUSH", body: { kind: encoding, data } })).count ?? 1;
  }

  /**
   * Reads the last value of each variable. Those that have none are left out.
   *
   * @param names 1 to 100 variables
   * @throws TipError as `push`; `variable_not_found` if none of them has a value
   * @example
   * ```ts
   * import { TipClient } from "iotdeck/tip";
   * const client = new TipClient({ over: "tcp", hash: "4deedd7bab8817ec", serial: "sensor-01" });
   * const [setpoint] = await client.pull(["setpoint"]);
   * ```
   */
  async pull(names: readonly string[]): Promise<TipVariable[]> {
    const { variables } = await this.#send({ method: "PULL", names });
    if (variables === undefined) throw malformed("The response to PULL has no variables");
    return variables;
  }

  /**
   * Sends a sign of life, and receives a command that waits for the device. Over MQTT it only connects.
   *
   * @throws TipError as `push`
   * @example
   * ```ts
   * import { TipClient } from "iotdeck/tip";
   * const client = new TipClient({ over: "udp", hash: "4deedd7bab8817ec", serial: "sensor-01" });
   * const { command } = await client.ping();
   * ```
   */
  async ping(): Promise<{
    /** The command; absent if none waited. */
    command?: string;
  }> {
    const ack = await this.#send({ method: "PING" });
    const command =
      ack.status === "CMD" ? (ack.detail ?? "") : this.#listeners === 0 ? this.#commands.shift() : undefined;
    return command === undefined ? {} : { command };
  }

  /**
   * Commands as they come, over TCP or MQTT, on one connection after the other: the server ends each after 10 to 15 s. Over
   * UDP and HTTP a device asks for its commands with `ping`.
   *
   * @param options.signal ends the loop
   * @throws TipError `invalid_input` over UDP and HTTP; codes of the server that do not pass, such as `invalid_token`
   * @example
   * ```ts
   * import { TipClient } from "iotdeck/tip";
   * const client = new TipClient({ over: "tcp", hash: "4deedd7bab8817ec", serial: "sensor-01" });
   * for await (const command of client.commands()) console.log(command);
   * ```
   */
  commands(options: { readonly signal?: AbortSignal } = {}): AsyncIterable<string> {
    const { over } = this.#settings;
    if (over === "udp" || over === "http")
      throw invalidInput("Over UDP and HTTP commands wait until the device asks for them: call ping()");
    return this.#follow(options.signal);
  }

  /**
   * Closes connections. Requests that wait fail, and loops over commands end.
   *
   * @example
   * ```ts
   * import { TipClient } from "iotdeck/tip";
   * const client = new TipClient({ over: "udp", hash: "4deedd7bab8817ec", serial: "sensor-01" });
   * await client.push([{ variable: "door", value: true }]).finally(() => client.close());
   * ```
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    await this.#transport.close();
  }

  #peer(): TipPeer {
    const { host, port, tls, ca, timeoutMs, auth, serial, seal } = this.#settings;
    const read = lenient((message) => this.#read(message));
    return { host, port, tls, ca, timeoutMs, isSealed: seal !== undefined, auth, serial, read };
  }

  /**
   * Where requests are envelopes, plain responses are believed only as errors. That a counter was used before, which says
   * that a repeated request had arrived, is among what has to be proven.
   */
  #read(message: Uint8Array): TipAck | undefined {
    const { seal, serial, auth } = this.#settings;
    if (seal === undefined) return parseAck(message);
    if (!isEnvelope(message)) {
      const ack = parseAck(message);
      return ack.status === "ERR" && ack.detail !== "invalid_seq" ? ack : undefined;
    }
    const { method, authHash, inner } = openEnvelope(message, seal.key, { serial });
    return method === "ACK" && authHash === auth ? parseInner("ACK", inner) : undefined;
  }

  /**
   * One request at a time where counters are used, which have to arrive in their order, and over MQTT, where responses name
   * no request.
   */
  #send(content: TipContentInput): Promise<TipAck> {
    const { counter, over } = this.#settings;
    if (counter === undefined && over !== "mqtt") return this.#attempts(content);
    const run = () => this.#attempts(content);
    const sent = this.#turn.then(run, run);
    this.#turn = sent.catch(() => undefined);
    return sent;
  }

  async #attempts(content: TipContentInput): Promise<TipAck> {
    const isPush = content.method === "PUSH";
    let request: TipRequest | undefined;
    let mayHaveArrived = false;
    for (let attempt = 0; ; attempt += 1) {
      // The same PUSH keeps its counter, so that it is stored once. The others need a response, and with it a new counter.
      if (request === undefined || !isPush) request = await this.#build(content);
      const outcome = await this.#attempt(request);
      if (!(outcome instanceof TipError)) return outcome;
      if (isPush && mayHaveArrived && outcome.code === "invalid_seq") return { status: "OK" };
      mayHaveArrived ||= outcome.mayHaveArrived === true;
      if (attempt === this.#settings.retries || this.#isClosed || !this.#mayRepeat(outcome, isPush)) throw outcome;
      await this.#sleep(pauseMs(outcome, attempt), () => this.#isClosed);
    }
  }

  async #attempt(request: TipRequest): Promise<TipAck | TipError> {
    if (this.#isClosed) return invalidInput("The client is closed");
    try {
      const ack = await this.#transport.request(request);
      return ack.status === "ERR"
        ? new TipError(ack.detail ?? "server_error", `The server returned ${ack.detail}`)
        : ack;
    } catch (error) {
      if (error instanceof TipError) return error;
      throw error;
    }
  }

  /** After `server_error` nobody knows whether the data were stored, and whether the counter was used. */
  #mayRepeat({ code, mayHaveArrived }: TipError, isPush: boolean): boolean {
    if (code === "rate_limited") return true;
    if (code === "server_error") return !isPush;
    if (code !== "no_response" && code !== "connection_failed") return false;
    return mayHaveArrived !== true || !isPush || this.#settings.counter !== undefined;
  }

  async #build(content: TipContentInput): Promise<TipRequest> {
    const { auth, serial, seal, counter } = this.#settings;
    const { method } = content;
    const body =
      method === "PUSH" ? buildBody(content.body) : method === "PULL" ? checkNames(content.names).join(",") : "";
    if (seal !== undefined && counter !== undefined) {
      const inner = buildInner({ ...content, serial });
      const sealed = { ...seal, method, authHash: auth, serial, inner, counter: await counter.next() };
      return { method, body, bytes: sealEnvelope(sealed) };
    }
    const seq = await counter?.next();
    const numbered = seq === undefined ? {} : { seq };
    return { method, ...numbered, body, bytes: toBytes(buildFrame({ ...content, ...numbered, auth, serial })) };
  }

  async *#follow(signal: AbortSignal | undefined): AsyncGenerator<string, void, undefined> {
    const stop = new AbortController();
    let failure: unknown;
    const wake = () => this.#wake();
    signal?.addEventListener("abort", wake);
    this.#listeners += 1;
    this.#stayConnected(stop.signal).catch((error: unknown) => {
      failure = error;
      wake();
    });
    try {
      while (!this.#isClosed && signal?.aborted !== true) {
        const command = this.#commands.shift();
        if (command !== undefined) yield command;
        else if (failure !== undefined) throw failure;
        else await this.#pause();
      }
    } finally {
      this.#listeners -= 1;
      signal?.removeEventListener("abort", wake);
      stop.abort();
      wake();
    }
  }

  /** Sends signs of life, on another connection where one ended, until something is wrong that does not pass. */
  async #stayConnected(stop: AbortSignal): Promise<void> {
    const isOver = () => stop.aborted || this.#isClosed;
    for (let failures = 0; !isOver(); ) {
      const ended = this.#ended;
      try {
        const { status, detail = "" } = await this.#send({ method: "PING" });
        if (status === "CMD") this.#deliver(detail);
        failures = 0;
      } catch (error) {
        if (isOver()) return;
        if (!(error instanceof TipError) || !PASSING.includes(error.code)) throw error;
        failures += 1;
      }
      await this.#sleep(failures > 0 ? backoffMs(BACKOFF_MS, failures) : RECONNECT_MS, isOver);
      if (failures === 0) await this.#sleep(KEEP_ALIVE_MS, () => isOver() || this.#ended > ended);
    }
  }

  /** Waits until the time is over, or this holds. */
  async #sleep(ms: number, isOver: () => boolean): Promise<void> {
    const endMs = performance.now() + ms;
    for (let leftMs = ms; leftMs > 0 && !isOver(); leftMs = endMs - performance.now()) await this.#pause(leftMs);
  }

  #deliver(command: string): void {
    if (this.#commands.push(command) > MAX_COMMANDS) this.#commands.shift();
    this.#wake();
  }

  #wake(): void {
    for (const resume of [...this.#waiting]) resume();
  }

  /** Waits until something happens, at most this long. */
  #pause(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => resume(), ms);
      const resume = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(resume);
        resolve();
      };
      this.#waiting.add(resume);
    });
  }
}

/** A lost request was waited for already. */
function pauseMs({ code, mayHaveArrived }: TipError, attempt: number): number {
  if (code === "rate_limited" || code === "server_error") return backoffMs(BACKOFF_MS, attempt);
  return mayHaveArrived === true ? 0 : backoffMs(CONNECT_WAIT_MS, attempt);
}
