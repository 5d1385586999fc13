import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { isLoopback } from "../../http/host-check.ts";
import type { Answer, Messages } from "../messages.ts";
import { Strikes } from "../strikes.ts";

/** Datagrams that are at work at a time; further ones are dropped, as a network would drop them. */
const MAX_AT_WORK = 1_000;
/** Responses in one second to datagrams of an address that are from no known device. */
const MOST_STRANGE = 10;

export interface UdpOptions {
  readonly port: number;
  readonly host: string;
  readonly isSealed: boolean;
  readonly messages: Messages;
  /** Whether an address is of this machine. */
  readonly isNear?: (address: string) => boolean;
}

/** A socket for frames, or one for envelopes. */
export class UdpListener {
  readonly #options: UdpOptions;
  readonly #socket: Socket;
  readonly #strangers = new Strikes(MOST_STRANGE);
  #atWork = 0;

  constructor(options: UdpOptions) {
    this.#options = options;
    this.#socket = createSocket(options.host.includes(":") ? "udp6" : "udp4");
  }

  /** Listens; the port it has. */
  listen(): Promise<number> {
    const { port, host } = this.#options;
    const socket = this.#socket;
    return new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.bind(port, host, () => {
        socket.off("error", reject);
        // Of a response whose receiver is gone.
        socket.on("error", () => {});
        socket.on("message", (message, from) => void this.#receive(message, from));
        resolve(socket.address().port);
      });
    });
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(resolve));
  }

  async #receive(message: Buffer, { address, port }: RemoteInfo): Promise<void> {
    if (this.#atWork >= MAX_AT_WORK) return;
    this.#atWork += 1;
    try {
      const { isSealed, messages } = this.#options;
      const from = { over: "udp", address } as const;
      const answer = isSealed ? await messages.envelope(message, from) : await messages.frame(message, from);
      if (answer.bytes === undefined || !this.#maySend(message, answer, address)) return;
      this.#socket.send(answer.bytes, port, address);
    } catch {
      // The sandbox was closed meanwhile.
    } finally {
      this.#atWork -= 1;
    }
  }

  /**
   * Addresses of datagrams are easily forged, so a stranger from elsewhere gets no response that is longer than what it sent,
   * and few. From this machine nobody can be flooded.
   */
  #maySend(message: Buffer, { bytes, sender }: Answer, address: string): boolean {
    const { isNear = isLoopback } = this.#options;
    if (sender !== undefined || isNear(address)) return true;
    if (bytes === undefined || bytes.length > message.length || this.#strangers.isOut(address)) return false;
    this.#strangers.add(address);
    return true;
  }
}
