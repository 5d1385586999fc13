import { defined } from "../../lib/core/defined.ts";
import type { TipAckInput, TipBody, TipContent, TipMethod } from "../../lib/tip/codec.ts";
import { buildAck, fromRecords, TipError, toRecords } from "../../lib/tip/codec.ts";
import type { Usage } from "../accounts/usage.ts";
import { PlatformError } from "../core/platform-error.ts";
import { toDataDevice } from "../data/device.ts";
import { parseDataQuery } from "../data/query.ts";
import type { WireRow } from "../data/types.ts";
import { allows } from "../http/auth.ts";
import type { FaultInjector } from "../http/faults.ts";
import type { PlanLimits } from "../http/limits.ts";
import { type ArrivalParts, storeArrival } from "../ingest/arrive.ts";
import { decodeArrival, parsersOf } from "../ingest/decode.ts";
import { type Inspect, type InspectorParts, inspectorOf } from "../ingest/inspector.ts";
import type { DecoderRunner } from "../parsers/runner.ts";
import type { EntityDocument } from "../store/document.ts";
import type { ParamStore } from "../store/params.ts";
import type { StoredToken } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { Commands, type TipOver } from "./commands.ts";
import { applyFaults } from "./faults.ts";
import { pullRate, pushRate } from "./rates.ts";
import { type Sender, type SenderParts, Senders } from "./senders.ts";
import { Sequences } from "./sequences.ts";

export interface ServiceParts extends SenderParts, InspectorParts, ArrivalParts {
  readonly db: SandboxDatabase;
  readonly decoders: DecoderRunner;
  readonly params: ParamStore;
  readonly limits: PlanLimits;
  readonly faults: FaultInjector;
  readonly usage: Usage;
  readonly log: (message: string) => void;
}

/** A request whose head was read. */
export interface TipRequest {
  readonly over: TipOver;
  readonly method: TipMethod;
  /** Hash of the authorization, or the authorization itself where that is known. */
  readonly auth: string | StoredToken;
  readonly serial: string;
  readonly seq?: number | undefined;
  /** Size of the message. */
  readonly bytes: number;
  /** The body as it is shown in the live inspector. */
  readonly shown: string;
  /** Reads the body, which is the last thing that is checked. */
  read(): TipContent | Promise<TipContent>;
}

/** The response to a request. */
export interface Served {
  /** Nothing is sent without it: a fault. */
  readonly ack: TipAckInput | undefined;
  /** Absent for what is not from a device that is known. */
  readonly sender?: Sender;
  /** A fault: half of it is sent. */
  readonly isCut?: boolean;
}

/** Groups that the store makes are not sent. */
const MADE_GROUP = /^[0-9a-f]{24}$/;
/** Time between two notes that an authorization is used. */
const NOTE_MS = 1_000;
const MAX_NOTED = 10_000;

const permissionOf = { PUSH: "write", PULL: "read", PING: undefined } as const;

/** What the platform's own errors are in this protocol. */
function codeOf(error: PlatformError): string {
  if (error.status === 429) return "rate_limited";
  if (error.status === 404) return "device_not_found";
  return error.status < 500 ? "invalid_payload" : "server_error";
}

const later = <T>(value: T | Promise<T>, then: (value: T) => Promise<TipAckInput>): Promise<TipAckInput> =>
  value instanceof Promise ? value.then(then) : then(value);

/**
 * Serves requests of devices, from the authorization to the response. It knows no sockets. Without faults and parsers a
 * request is stored before `serve` returns its promise, so requests are stored in the order in which they are handed over.
 */
export class TipService {
  readonly senders: Senders;
  readonly sequences: Sequences;
  readonly commands: Commands;
  /** Delivers a command over MQTT; set by the broker. */
  onBroker: (profile: string, serial: string, command: string) => void = () => {};
  readonly #app: ServiceParts;
  readonly #hasSequence: boolean;
  readonly #noted = new Map<string, number>();

  constructor(app: ServiceParts, hasSequence: boolean) {
    this.#app = app;
    this.#hasSequence = hasSequence;
    this.senders = new Senders(app);
    this.sequences = new Sequences(app.db);
    this.commands = new Commands(app.db);
  }

  /** The sender of a request. @throws TipError `invalid_token` or `device_not_found` */
  admit({ auth, serial, method }: Pick<TipRequest, "auth" | "serial" | "method">): Sender {
    const authorization = typeof auth === "string" ? this.senders.authorization(auth) : auth;
    const wanted = permissionOf[method];
    if (authorization === undefined || (wanted !== undefined && !allows(authorization.permission, wanted)))
      throw new TipError("invalid_token", "The authorization is unknown, expired, or does not allow this");
    const found = this.senders.device(authorization.profile, serial);
    if (found === undefined)
      throw new TipError("device_not_found", "The profile has no active device with this serial");
    return { authorization, serial, ...found };
  }

  async serve(request: TipRequest): Promise<Served> {
    const { faults, db } = this.#app;
    const seq = defined({ seq: request.seq });
    const turn = new Turn(this.#app, this.sequences, request);
    try {
      const injected = faults.inject("TIP", `${request.method} ${request.over}`);
      const fault = injected.length === 0 ? undefined : await applyFaults(injected);
      if (fault === "drop") return { ack: undefined };
      turn.admit(this.admit(request));
      this.#checkRate(request, turn.sender);
      if (request.seq !== undefined && this.#hasSequence) turn.takeCounter(request.seq);
      const ack = await later(request.read(), (content) => this.#work(turn, content));
      await db.committed();
      turn.inspect("Response", buildAck({ ...seq, ...ack }));
      return { ack: { ...seq, ...ack }, sender: turn.sender, ...(fault === "truncate" && { isCut: true }) };
    } catch (error) {
      const detail = this.#codeFor(error);
      await turn.keepCounter().catch(() => undefined);
      turn.inspect("Response", `ERR ${detail}${error instanceof Error ? `: ${error.message}` : ""}`);
      return { ack: { ...seq, status: "ERR", detail }, ...turn.known };
    }
  }

  /** Hands a command in, in the transaction of the caller. */
  command(device: EntityDocument, serial: string, protocol: TipOver, command: string): void {
    const { db } = this.#app;
    if (protocol === "mqtt") {
      db.afterCommit(() => this.onBroker(device.profile, serial, command));
      return;
    }
    this.commands.add(device.id, protocol, command);
    if (protocol === "tcp") this.commands.deliver(device.id);
  }

  /** Removes what belongs to a device. */
  forget(device: string): void {
    this.sequences.remove(device);
    this.commands.remove(device);
  }

  /** All stored data was replaced. */
  clear(): void {
    this.senders.clear();
    this.sequences.clear();
    this.#noted.clear();
  }

  #codeFor(error: unknown): string {
    if (error instanceof TipError) return error.code === "invalid_input" ? "invalid_payload" : error.code;
    if (error instanceof PlatformError) return codeOf(error);
    this.#app.log(`Defect in the sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return "server_error";
  }

  #checkRate({ method, over }: TipRequest, { authorization }: Sender): void {
    if (method === "PING" && over !== "http") return;
    this.#app.limits.countRequest([method === "PULL" ? pullRate : pushRate], authorization.profile, {});
  }

  #work(turn: Turn, content: TipContent): Promise<TipAckInput> {
    if (content.method === "PUSH") return this.#push(turn, content.body);
    const work = content.method === "PULL" ? () => this.#pull(turn, content.names) : () => this.#ping(turn);
    return Promise.resolve(turn.store(work));
  }

  async #push(turn: Turn, body: TipBody): Promise<TipAckInput> {
    const app = this.#app;
    const { device } = turn.sender;
    const nowMs = app.clock.now();
    const parsers = parsersOf(app, device);
    if (parsers.length === 0) return this.#store(turn, unparsed(body, nowMs), nowMs);
    const given = { body: forParser(body, nowMs), now: nowMs, assume: () => {} };
    const rows = await decodeArrival(app, device, parsers, given, turn.inspect);
    return this.#store(turn, rows, nowMs);
  }

  #store(turn: Turn, body: unknown, nowMs: number): TipAckInput {
    const { authorization, device, token } = turn.sender;
    const { profile, permission } = token;
    const principal = { kind: "device", profile, refId: device.id, permission, key: token.token } as const;
    const count = turn.store(() => {
      // A parser takes its time: the device may be gone.
      const present = this.#app.collection("device").get(device.id);
      if (present === undefined) throw new TipError("device_not_found", "The device was deleted");
      this.#note(token.token, authorization.token);
      return storeArrival(this.#app, { device: present, body, nowMs, principal }).length;
    });
    return { status: "OK", count };
  }

  #pull({ sender }: Turn, names: readonly string[]): TipAckInput {
    const { clock, data, usage } = this.#app;
    const query = parseDataQuery({ query: "last_item", variables: names }, clock.now());
    const found = data.read(toDataDevice(sender.device), query) as readonly WireRow[];
    const rows = [...new Set(names)].flatMap((name) => found.find(({ variable }) => variable === name) ?? []);
    const variables = fromRecords(
      rows.map(({ group, ...row }) => (MADE_GROUP.test(group) ? row : { ...row, group })) as Parameters<
        typeof fromRecords
      >[0],
    );
    if (variables.length === 0) throw new TipError("variable_not_found", "None of the variables has a value");
    usage.count(sender.device.profile, "output", variables.length);
    const ack = { status: "OK", variables } as const;
    try {
      buildAck(ack);
    } catch (error) {
      if (error instanceof TipError) throw new TipError("payload_too_large", "The values take more than 16,384 bytes");
      throw error;
    }
    return ack;
  }

  #ping({ request, sender }: Turn): TipAckInput {
    const isPoll = request.over === "udp" || request.over === "http";
    const command = isPoll ? this.commands.take(sender.device.id) : undefined;
    return command === undefined ? { status: "PONG" } : { status: "CMD", detail: command };
  }

  /** Notes the use of an authorization, not with every request. */
  #note(token: string, authorization: string): void {
    const nowMs = performance.now();
    if (nowMs - (this.#noted.get(token) ?? Number.NEGATIVE_INFINITY) < NOTE_MS) return;
    if (this.#noted.size >= MAX_NOTED) this.#noted.clear();
    this.#noted.set(token, nowMs);
    this.#app.tokens.noteAuthorization(token, authorization);
  }
}

/** What is stored of a body where no parser reads it: of raw payloads, their text. */
function unparsed(body: TipBody, nowMs: number): unknown {
  if (body.kind === "variables") return toRecords(body, { now: new Date(nowMs) });
  return [{ variable: "payload", value: body.data, time: new Date(nowMs).toISOString() }];
}

/** The payload of a parser: records, bytes, or base64 as it was sent. */
function forParser(body: TipBody, nowMs: number): unknown {
  if (body.kind === "variables") return toRecords(body, { now: new Date(nowMs) });
  return body.kind === "hex" ? Buffer.from(body.data, "hex") : body.data;
}

type Counter = "none" | "taken" | "stored";

/** One request on its way. */
class Turn {
  readonly request: TipRequest;
  inspect: Inspect = () => {};
  readonly #app: ServiceParts;
  readonly #sequences: Sequences;
  #sender: Sender | undefined;
  #counter: Counter = "none";

  constructor(app: ServiceParts, sequences: Sequences, request: TipRequest) {
    this.#app = app;
    this.#sequences = sequences;
    this.request = request;
  }

  get sender(): Sender {
    if (this.#sender === undefined) throw new Error("The sender of a request was not admitted");
    return this.#sender;
  }

  get known(): { readonly sender?: Sender } {
    return defined({ sender: this.#sender });
  }

  admit(sender: Sender): void {
    this.#sender = sender;
    const { over, method, bytes, seq, shown } = this.request;
    this.inspect = inspectorOf(this.#app, sender.device);
    const counter = seq === undefined ? "" : `, counter ${seq}`;
    this.inspect(
      `[${method}] TagoTiP over ${over.toUpperCase()}`,
      `${method} ${sender.serial}, ${bytes} bytes${counter}`,
    );
    const network = this.#app.collection("network").get(String(sender.device["network"]));
    if (network !== undefined && network["name"] !== "TagoTiP")
      this.inspect("Network", `The network of the device is ${String(network["name"])}: the platform may want TagoTiP`);
    if (shown !== "") this.inspect("Raw Payload", shown);
  }

  takeCounter(seq: number): void {
    if (!this.#sequences.take(this.sender.device.id, seq))
      throw new TipError("invalid_seq", `The counter ${seq} is not above the last one`);
    this.#counter = "taken";
  }

  /** Does the work of the request and stores its counter, both or neither. */
  store<T>(work: () => T): T {
    const result = this.#app.db.transaction(() => {
      this.#storeCounter();
      return work();
    });
    this.#counter = "stored";
    return result;
  }

  /** Stores the counter of a request that failed, which is used all the same. */
  async keepCounter(): Promise<void> {
    if (this.#counter !== "taken") return;
    this.#app.db.transaction(() => this.#storeCounter());
    await this.#app.db.committed();
  }

  #storeCounter(): void {
    const { seq } = this.request;
    if (this.#counter === "taken" && seq !== undefined) this.#sequences.store(this.sender.device.id, seq);
  }
}
