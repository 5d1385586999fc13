import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { buildAck, type TipAckInput } from "../../../lib/tip/codec.ts";
import { FRAME_MAX_BYTES } from "../../../lib/tip/limits.ts";
import type { ServerCertificate } from "../../http/listener.ts";
import type { SandboxDatabase } from "../../store/types.ts";
import type { Commands } from "../commands.ts";
import type { Answer, Messages, Seal } from "../messages.ts";
import { MAX_BUFFERED_BYTES, MAX_ENVELOPE_BYTES, SILENCE_MS } from "../rates.ts";
import type { Life, Lives } from "./lives.ts";

export interface TcpParts {
  readonly db: SandboxDatabase;
  readonly messages: Messages;
  readonly commands: Commands;
  readonly lives: Lives;
}

const LF = 10;
const LENGTH_BYTES = 2;
/** The first byte of a connection with envelopes: of a length that is not too large. Methods begin with a larger one. */
const LAST_LENGTH_BYTE = 0x40;

/** Messages of a connection that are at work; then no more is read. */
const MAX_AT_WORK = 100;
/** What a browser sends first. */
const HTTP_LINE = /HTTP\/1\.[01]\r?$/;

/** Frames in lines or envelopes behind their length, over TCP, or TLS if there is a certificate. */
export class TcpListener {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  constructor(parts: TcpParts, certificate?: ServerCertificate) {
    const accept = (socket: Socket): void => {
      this.#sockets.add(socket);
      socket.once("close", () => this.#sockets.delete(socket));
      socket.on("error", () => socket.destroy());
      new Connection(parts, socket).start();
    };
    this.#server = certificate === undefined ? createServer(accept) : createTlsServer({ ...certificate }, accept);
    this.#server.on("tlsClientError", () => {});
  }

  listen(port: number, host: string): Promise<number> {
    return listenOn(this.#server, port, host);
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

/** Listens; the port it has. */
export function listenOn(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

class Connection {
  readonly #parts: TcpParts;
  readonly #socket: Socket;
  #life: Life | undefined;
  #isSealed: boolean | undefined;
  #rest: Buffer = Buffer.alloc(0);
  /** Bytes of an envelope that is too large, which are dropped. */
  #toSkip = 0;
  /** Whether a line that is too long is dropped to its end. */
  #isSkipping = false;
  #atWork = 0;
  #isOver = false;
  /** Responses leave in the order of their requests. */
  #sent: Promise<void> = Promise.resolve();
  /** What ends the delivery of commands, for each device. */
  readonly #devices = new Map<string, () => void>();

  constructor(parts: TcpParts, socket: Socket) {
    this.#parts = parts;
    this.#socket = socket;
  }

  start(): void {
    const socket = this.#socket;
    this.#life = this.#parts.lives.begin(socket, (why) => this.#end({ status: "ERR", detail: why }));
    if (this.#life === undefined) return;
    socket.setNoDelay(true);
    socket.on("data", (chunk) => this.#receive(chunk));
    socket.on("drain", () => this.#flow());
    socket.once("close", () => {
      for (const leave of this.#devices.values()) leave();
      this.#devices.clear();
    });
  }

  #receive(chunk: Buffer): void {
    if (this.#isOver) return;
    this.#isSealed ??= (chunk[0] ?? 0) <= LAST_LENGTH_BYTE;
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const next = this.#isSealed ? () => this.#nextEnvelope() : () => this.#nextLine();
    while (!this.#isOver && !this.#socket.destroyed && next());
    // What is left over is the beginning of a message: a copy frees the rest of the chunk.
    this.#rest = Buffer.from(this.#rest);
    this.#flow();
  }

  #nextLine(): boolean {
    const end = this.#rest.indexOf(LF);
    const length = end < 0 ? this.#rest.length : end;
    if (length > FRAME_MAX_BYTES && !this.#isSkipping) {
      this.#isSkipping = true;
      this.#answer(Promise.resolve(plain("payload_too_large")));
    }
    if (end < 0) {
      if (this.#isSkipping) this.#rest = Buffer.alloc(0);
      return false;
    }
    const line = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end + 1);
    if (this.#isSkipping) this.#isSkipping = false;
    else this.#serveLine(line);
    return true;
  }

  #serveLine(line: Buffer): void {
    this.#life?.heard();
    if (HTTP_LINE.test(line.toString("latin1"))) this.#end({ status: "ERR", detail: "invalid_method" });
    else this.#answer(this.#parts.messages.frame(line, this.#from()));
  }

  #nextEnvelope(): boolean {
    if (this.#toSkip > 0) {
      const skipped = Math.min(this.#toSkip, this.#rest.length);
      this.#toSkip -= skipped;
      this.#rest = this.#rest.subarray(skipped);
      return this.#rest.length > 0;
    }
    if (this.#rest.length < LENGTH_BYTES) return false;
    const length = this.#rest.readUInt16BE();
    if (length > MAX_ENVELOPE_BYTES) {
      this.#toSkip = length;
      this.#rest = this.#rest.subarray(LENGTH_BYTES);
      this.#answer(Promise.resolve(plain("envelope_too_large")));
      return true;
    }
    if (this.#rest.length < LENGTH_BYTES + length) return false;
    const message = this.#rest.subarray(LENGTH_BYTES, LENGTH_BYTES + length);
    this.#rest = this.#rest.subarray(LENGTH_BYTES + length);
    this.#life?.heard();
    this.#answer(this.#parts.messages.envelope(message, this.#from()));
    return true;
  }

  #from() {
    return { over: "tcp", address: this.#socket.remoteAddress ?? "" } as const;
  }

  #answer(serving: Promise<Answer>): void {
    this.#atWork += 1;
    // A rejection is handled below, in its turn.
    serving.catch(() => {});
    this.#sent = this.#sent.then(async () => {
      try {
        this.#send(await serving);
      } catch {
        // The sandbox was closed meanwhile.
        this.#socket.destroy();
      } finally {
        this.#atWork -= 1;
        this.#flow();
      }
    });
  }

  #send(answer: Answer): void {
    // A fault drops the connection, as it does over HTTP.
    if (answer.bytes === undefined) this.#socket.destroy();
    else this.#write(answer.bytes);
    const { sender, seal } = answer;
    if (sender === undefined) return;
    this.#life?.belongsTo(sender.device.profile);
    this.#join(sender.device.id, seal);
  }

  /** From now on commands for the device are delivered here. */
  #join(device: string, seal: Seal | undefined): void {
    if (this.#devices.has(device) || !this.#socket.writable) return;
    const { commands, db } = this.#parts;
    const leave = commands.connect(device, (command) => {
      if (!this.#socket.writable || this.#socket.writableLength > MAX_BUFFERED_BYTES) return false;
      const ack = { status: "CMD", detail: command } as const;
      const bytes = seal === undefined ? Buffer.from(buildAck(ack)) : seal(ack);
      db.afterCommit(() => this.#write(bytes));
      return true;
    });
    this.#devices.set(device, leave);
    db.transaction(() => commands.deliver(device));
  }

  #write(bytes: Uint8Array): void {
    if (!this.#socket.writable) return;
    const length = Buffer.of(bytes.length >> 8, bytes.length & 255);
    this.#socket.write(Buffer.concat(this.#isSealed === true ? [length, bytes] : [bytes, Buffer.of(LF)]));
  }

  /** A client that sends more than it reads waits. */
  #flow(): void {
    const isFull = this.#atWork >= MAX_AT_WORK || this.#socket.writableLength > MAX_BUFFERED_BYTES;
    if (isFull) this.#socket.pause();
    else this.#socket.resume();
  }

  /** Says why, after what is at work, and closes. */
  #end(ack: TipAckInput): void {
    this.#isOver = true;
    this.#life?.stop();
    // Of a client that does not read.
    setTimeout(() => this.#socket.destroy(), SILENCE_MS).unref();
    this.#sent = this.#sent.then(() => {
      this.#write(Buffer.from(buildAck(ack)));
      this.#socket.destroySoon();
    });
  }
}

const plain = (detail: string): Answer => {
  const ack = { status: "ERR", detail } as const;
  return { bytes: Buffer.from(buildAck(ack)), ack };
};
