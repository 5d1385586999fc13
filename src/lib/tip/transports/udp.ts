/** (node) One frame or envelope in a datagram, and one in the response. */
import type { Socket } from "node:dgram";
import type { TipError } from "../errors.ts";
import type { TipAck } from "../types.ts";
import { connectionFailed, Pending } from "./pending.ts";
import type { TipPeer, TipRequest, TipTransport } from "./transport.ts";

/** A socket with the one request that waits on it. */
interface Line {
  readonly socket: Socket;
  readonly pending: Pending;
}

/**
 * Each request in flight has a socket of its own, so that a response belongs to it alone. A socket whose response did not
 * come is closed: one that is late finds nobody.
 */
export class UdpTransport implements TipTransport {
  onCommand: (command: string) => void = () => undefined;
  onClose: () => void = () => undefined;
  readonly #peer: TipPeer;
  readonly #idle: Line[] = [];
  readonly #lines = new Set<Line>();
  #isClosed = false;

  constructor(peer: TipPeer) {
    this.#peer = peer;
  }

  async request(request: TipRequest): Promise<TipAck> {
    const line = this.#idle.pop() ?? (await this.#open());
    const response = line.pending.add(request, this.#peer.timeoutMs, () => this.#end(line));
    line.socket.send(request.bytes, (error) => {
      if (error) this.#end(line, connectionFailed(false, error));
    });
    const ack = await response;
    if (this.#lines.has(line)) this.#idle.push(line);
    return ack;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const line of [...this.#lines]) this.#end(line, connectionFailed(true));
  }

  async #open(): Promise<Line> {
    const { host, port } = this.#peer;
    const { address, family } = await process.getBuiltinModule("node:dns").promises.lookup(host).catch(unreachable);
    const socket = process.getBuiltinModule("node:dgram").createSocket(family === 6 ? "udp6" : "udp4");
    const line: Line = { socket, pending: new Pending() };
    // An idle socket keeps no program running; a request that waits has its timer.
    socket.unref();
    socket.on("message", (message) => {
      const ack = this.#peer.read(message);
      if (ack === undefined || line.pending.receive(ack)) return;
      if (ack.status === "CMD" && ack.seq === undefined) this.onCommand(ack.detail ?? "");
    });
    // The port is closed: the system says so with the next datagram.
    socket.on("error", (error) => this.#end(line, connectionFailed(false, error)));
    await new Promise<void>((resolve, reject) => {
      socket.once("error", reject);
      socket.connect(port, address, resolve);
    }).catch(unreachable);
    this.#lines.add(line);
    if (this.#isClosed) {
      this.#end(line);
      throw connectionFailed(false);
    }
    return line;
  }

  #end(line: Line, error?: TipError): void {
    if (!this.#lines.delete(line)) return;
    const at = this.#idle.indexOf(line);
    if (at >= 0) this.#idle.splice(at, 1);
    line.socket.close();
    if (error !== undefined) line.pending.fail(error);
  }
}

function unreachable(cause: unknown): never {
  throw connectionFailed(false, cause);
}
