import type { TipAckInput, TipMethod } from "../../lib/tip/codec.ts";
import {
  buildAck,
  buildInner,
  parseFrame,
  parseInner,
  readFrameHead,
  TipError,
  type TipHead,
} from "../../lib/tip/codec.ts";
import { openEnvelope, readHeader, sealEnvelope } from "../../lib/tip/envelope.ts";
import { deriveKey } from "../../lib/tip/hashes.ts";
import type { Clock } from "../core/clock.ts";
import { type RequestLog, redactTokens } from "../http/request-log.ts";
import type { StoredToken } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { TipOver } from "./commands.ts";
import { statusOf } from "./faults.ts";
import type { Sender } from "./senders.ts";
import type { ResponseCounters } from "./sequences.ts";
import type { Served, TipRequest, TipService } from "./service.ts";
import { Strikes } from "./strikes.ts";

/** Where a message came from. */
export interface From {
  readonly over: TipOver;
  readonly address: string;
}

/** What is sent back. */
export interface Answer {
  /** Nothing is sent without it: a fault. */
  readonly bytes: Uint8Array | undefined;
  /** Absent for what is not from a device that is known. */
  readonly sender?: Sender;
  /** How messages to this device are encrypted; absent for plain ones. */
  readonly seal?: Seal;
  readonly ack: TipAckInput | undefined;
}

/** Encrypts a response or a command. What it returns may be sent once the database has committed. */
export type Seal = (ack: TipAckInput) => Uint8Array;

type Cipher = ReturnType<typeof readHeader>["cipher"];

/** An envelope whose sender is proven. */
interface Opened {
  readonly method: TipMethod;
  readonly counter: number;
  readonly authorization: StoredToken;
  readonly serial: string;
  readonly inner: string | TipError;
  readonly seal: Seal;
}

export interface MessageParts {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly requestLog: RequestLog;
  readonly service: TipService;
  readonly responses: ResponseCounters;
}

/** Failures to open envelopes that an address may have in one second. */
const MOST_FAILURES = 100;
const MAX_SHOWN_CHARS = 4_000;
/** What is remembered of devices, for commands that nothing was received before. */
const MAX_CIPHERS = 10_000;

const encode = (text: string): Uint8Array => Buffer.from(text, "utf8");

/** The detail of a response as it is sent. */
export const detailOf = (ack: TipAckInput): string =>
  buildAck({ ...ack, seq: 0 })
    .split("|")
    .slice(3)
    .join("|");

const errorAck = (error: unknown): TipAckInput => {
  if (!(error instanceof TipError)) throw error;
  return { status: "ERR", detail: error.code, ...(error.seq !== undefined && { seq: error.seq }) };
};

/** Reads frames and envelopes, has them served, and writes the responses. */
export class Messages {
  readonly #parts: MessageParts;
  readonly #failures = new Strikes(MOST_FAILURES);
  readonly #ciphers = new Map<string, Cipher>();

  constructor(parts: MessageParts) {
    this.#parts = parts;
  }

  /** Serves a request, and adds it to the request log. */
  async serve(request: TipRequest): Promise<Served> {
    const startedAt = performance.now();
    const served = await this.#parts.service.serve(request);
    this.note({ ...request, startedAt, isKnown: served.sender !== undefined }, served.ack);
    return served;
  }

  /** Serves a frame, with or without a line feed. */
  async frame(message: Uint8Array, { over }: From): Promise<Answer> {
    let head: TipHead;
    try {
      head = readFrameHead(message);
    } catch (error) {
      const ack = errorAck(error);
      this.note({ over, method: "-", serial: "", bytes: message.length, shown: "", startedAt: performance.now() }, ack);
      return { bytes: encode(buildAck(ack)), ack };
    }
    const { body: shown = "", ...request } = head;
    const served = await this.serve({
      ...request,
      over,
      shown,
      bytes: message.length,
      read: () => parseFrame(message),
    });
    return { ...served, bytes: served.ack && cutBy(served, encode(buildAck(served.ack))) };
  }

  /** Serves an envelope. What fails before it is opened has a plain response. */
  async envelope(message: Uint8Array, from: From): Promise<Answer> {
    const opened = this.#tryOpen(message, from);
    if ("status" in opened) {
      const start = { over: from.over, serial: "", bytes: message.length, shown: "", startedAt: performance.now() };
      this.note({ ...start, method: "-" }, opened);
      return { bytes: encode(buildAck(opened)), ack: opened };
    }
    const { method, counter, authorization, serial, inner, seal } = opened;
    const served = await this.serve({
      method,
      serial,
      over: from.over,
      auth: authorization,
      seq: counter,
      bytes: message.length,
      shown: typeof inner === "string" ? inner.slice(serial.length + 1) : "",
      read: () => {
        if (typeof inner === "string") return parseInner(method, inner);
        throw inner;
      },
    });
    if (served.ack === undefined) return { bytes: undefined, ack: undefined };
    const bytes = seal(served.ack);
    await this.#parts.db.committed();
    return { ...served, seal, bytes: cutBy(served, bytes) };
  }

  /** Encrypts for a device that has not sent anything: with the cipher of its last envelope. */
  sealFor(authorization: StoredToken, serial: string, hash: string): Seal {
    return this.#sealOf(authorization, serial, hash, this.#ciphers.get(`${hash}/${serial}`) ?? "aes-128-ccm");
  }

  /** Adds an entry to the request log. */
  note(
    asked: Pick<TipRequest, "over" | "serial" | "bytes" | "shown"> & {
      readonly method: string;
      readonly startedAt: number;
      readonly isKnown?: boolean;
    },
    ack: TipAckInput | undefined,
  ): void {
    const { over, method, serial, bytes, shown, startedAt, isKnown = false } = asked;
    // Over HTTP the server has an entry of its own.
    if (over === "http") return;
    const { clock, requestLog } = this.#parts;
    requestLog.add(
      {
        time: new Date(clock.now()).toISOString(),
        method,
        url: `tip:${over}/${redactTokens(serial)}`,
        status: ack === undefined ? 0 : ack.status === "ERR" ? statusOf(ack.detail ?? "") : 200,
        durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
        token: isKnown ? "service" : "anonymous",
      },
      () => ({
        headers: { transport: over, bytes: String(bytes) },
        body: redactTokens(shown).slice(0, MAX_SHOWN_CHARS),
        response: ack === undefined ? "" : redactTokens(buildAck(ack)).slice(0, MAX_SHOWN_CHARS),
      }),
    );
  }

  #tryOpen(message: Uint8Array, { address }: From): Opened | TipAckInput {
    if (this.#failures.isOut(address)) return { status: "ERR", detail: "rate_limited" };
    try {
      return this.#open(message);
    } catch (error) {
      const ack = errorAck(error);
      if (ack.detail === "auth_failed") this.#failures.add(address);
      return ack;
    }
  }

  #open(message: Uint8Array): Opened {
    const { service } = this.#parts;
    const { cipher, method, counter, authHash, deviceHash } = readHeader(message);
    if (method === "ACK") throw new TipError("invalid_method", "An ACK is not a request");
    const authorization = service.senders.authorization(authHash);
    const serials = authorization === undefined ? [] : service.senders.serialsOf(authorization.profile, deviceHash);
    for (const serial of authorization === undefined ? [] : serials) {
      const inner = openWith(message, deriveKey(authorization?.token ?? "", serial, cipher), serial);
      if (inner === undefined || authorization === undefined) continue;
      this.#remember(`${authHash}/${serial}`, cipher);
      const seal = this.#sealOf(authorization, serial, authHash, cipher);
      return { method, counter, authorization, serial, inner, seal };
    }
    throw new TipError("auth_failed", "The envelope is of no device of the profile, or has another key");
  }

  #sealOf({ token }: StoredToken, serial: string, authHash: string, cipher: Cipher): Seal {
    const key = deriveKey(token, serial, cipher);
    const content = { method: "ACK", cipher, authHash, serial, key } as const;
    return ({ seq: _, ...ack }) =>
      sealEnvelope({ ...content, counter: this.#parts.responses.next(), inner: buildInner(ack) });
  }

  #remember(device: string, cipher: Cipher): void {
    if (this.#ciphers.size >= MAX_CIPHERS) this.#ciphers.clear();
    this.#ciphers.set(device, cipher);
  }
}

/** The text of an envelope, or why it is none although it could be opened; nothing if this key does not open it. */
function openWith(message: Uint8Array, key: Uint8Array, serial: string): string | TipError | undefined {
  try {
    return openEnvelope(message, key, { serial }).inner;
  } catch (error) {
    if (!(error instanceof TipError)) throw error;
    return error.code === "auth_failed" ? undefined : error;
  }
}

/** All of a response, or half of it where a fault cuts it. */
const cutBy = ({ isCut }: Served, bytes: Uint8Array): Uint8Array =>
  isCut === true ? bytes.subarray(0, bytes.length >> 1) : bytes;
