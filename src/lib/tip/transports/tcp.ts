/** (node) Frames in lines, or envelopes behind their length, on one connection that is opened again when it has ended. */
import type { Socket } from "node:net";
import { TipError } from "../errors.ts";
import { ACK_MAX_BYTES } from "../limits.ts";
import type { TipAck } from "../types.ts";
import { KeptLine } from "./kept.ts";
import { connectionFailed, noResponse, Pending } from "./pending.ts";
import type { TipPeer, TipRequest, TipTransport } from "./transport.ts";

/** The server ends connections after 10 s, and after 5 s of silence: one that is near its end is replaced. */
const LIFE_MS = 9_000;
const SILENCE_MS = 4_000;
const LF = 10;
const LENGTH_BYTES = 2;

/** Splits a stream into messages: lines, or what a length of two bytes stands before. */
export class Messages {
  #rest: Buffer = Buffer.alloc(0);
  readonly #isSealed: boolean;

  constructor(isSealed: boolean) {
    this.#isSealed = isSealed;
  }

  /** The messages that a chunk completes. Undefined for a line that does not end. */
  add(chunk: Uint8Array): Uint8Array[] | undefined {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    const messages: Uint8Array[] = [];
    for (;;) {
      const [start, end] = this.#isSealed ? this.#sealed() : this.#line();
      if (end < 0 || end > this.#rest.length) break;
      messages.push(this.#rest.subarray(start, end));
      this.#rest = this.#rest.subarray(end);
    }
    return this.#rest.length > ACK_MAX_BYTES + LENGTH_BYTES ? undefined : messages;
  }

  #line(): [number, number] {
    const at = this.#rest.indexOf(LF);
    return [0, at < 0 ? -1 : at + 1];
  }

  #sealed(): [number, number] {
    if (this.#rest.length < LENGTH_BYTES) return [LENGTH_BYTES, -1];
    return [LENGTH_BYTES, LENGTH_BYTES + this.#rest.readUInt16BE()];
  }
}

interface Line {
  readonly socket: Socket;
  readonly pending: Pending;
  readonly openedMs: number;
  usedMs: number;
}

export class TcpTransport implements TipTransport {
  onCommand: (command: string) => void = () => undefined;
  onClose: () => void = () => undefined;
  readonly #peer: TipPeer;
  readonly #kept = new KeptLine(
    () => this.#connect(),
    ({ socket }: Line) => socket.destroy(),
  );

  constructor(peer: TipPeer) {
    this.#peer = peer;
  }

  async request(request: TipRequest): Promise<TipAck> {
    const line = this.#usable() ?? (await this.#kept.open());
    const response = line.pending.add(request, this.#peer.timeoutMs, () => line.socket.destroy());
    line.usedMs = performance.now();
    line.socket.write(framed(request.bytes, this.#peer.isSealed));
    return response;
  }

  async close(): Promise<void> {
    this.#kept.close();
  }

  /** The open connection, unless the server is about to close it. */
  #usable(): Line | undefined {
    const line = this.#kept.current;
    if (line === undefined) return undefined;
    const now = performance.now();
    const isFresh = now - line.openedMs < LIFE_MS && now - line.usedMs < SILENCE_MS;
    if (isFresh || line.pending.size > 0) return line;
    this.#kept.leave(line);
    line.socket.end();
    return undefined;
  }

  async #connect(): Promise<Line> {
    const socket = await connect(this.#peer);
    const now = performance.now();
    const line: Line = { socket, pending: new Pending(), openedMs: now, usedMs: now };
    const messages = new Messages(this.#peer.isSealed);
    socket.unref();
    socket.setNoDelay(true);
    socket.on("data", (chunk) => {
      const found = messages.add(chunk);
      if (found === undefined) socket.destroy();
      for (const message of found ?? []) this.#receive(line, message);
    });
    let cause: unknown;
    socket.on("error", (error) => {
      cause = error;
    });
    socket.on("end", () => this.#kept.leave(line));
    socket.on("close", () => {
      this.#kept.leave(line);
      line.pending.fail(connectionFailed(true, cause));
      this.onClose();
    });
    return line;
  }

  #receive(line: Line, message: Uint8Array): void {
    const ack = this.#peer.read(message);
    if (ack === undefined) return;
    // The server says why it ends the connection. Whether it has read a request that waits, nobody knows.
    if (/^(ttl_expired|keep_alive_timeout)$/.test(ack.detail ?? "")) this.#kept.leave(line);
    else if (!line.pending.receive(ack) && ack.status === "CMD" && ack.seq === undefined)
      this.onCommand(ack.detail ?? "");
  }
}

function framed(bytes: Uint8Array, isSealed: boolean): Uint8Array {
  if (!isSealed) return Buffer.concat([bytes, Buffer.of(LF)]);
  return Buffer.concat([Buffer.of(bytes.length >> 8, bytes.length & 255), bytes]);
}

function connect({ host, port, tls, ca, timeoutMs }: TipPeer): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tls
      ? process.getBuiltinModule("node:tls").connect({ host, port, ...trusting(ca), ...named(host) })
      : process.getBuiltinModule("node:net").connect({ host, port });
    const timer = setTimeout(() => socket.destroy(noConnection(timeoutMs)), timeoutMs);
    const onError = (error: Error): void => {
      clearTimeout(timer);
      reject(error instanceof TipError ? error : connectionFailed(false, error));
    };
    socket.once("error", onError);
    socket.once(tls ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.off("error", onError);
      resolve(socket);
    });
  });
}

const noConnection = (timeoutMs: number): TipError =>
  new TipError("connection_failed", noResponse(timeoutMs).message, { mayHaveArrived: false });

/** The name that the certificate must have. */
const named = (host: string): { servername?: string } =>
  process.getBuiltinModule("node:net").isIP(host) === 0 ? { servername: host } : {};

/** Options of TLS with further certificates to trust, which alone would replace those of Node. */
export function trusting(ca: TipPeer["ca"]): { ca?: string[] } {
  return ca === undefined ? {} : { ca: [...process.getBuiltinModule("node:tls").rootCertificates, ...[ca].flat()] };
}
