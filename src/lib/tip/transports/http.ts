/** (node) The method is that of HTTP, the serial is in the path and the hash in a header; envelopes have a path of their own. */
import type { ClientRequest, IncomingMessage } from "node:http";
import { TipError } from "../errors.ts";
import { ACK_MAX_BYTES } from "../limits.ts";
import { toBytes } from "../text.ts";
import type { TipAck } from "../types.ts";
import { connectionFailed, noResponse } from "./pending.ts";
import { trusting } from "./tcp.ts";
import type { TipPeer, TipRequest, TipTransport } from "./transport.ts";

interface Reply {
  readonly status: number;
  readonly body: Buffer;
  /** The command that waited for the device. */
  readonly command: string | undefined;
}

/** Codes of responses that have a status alone, as those to HEAD. */
const CODES: Readonly<Record<number, string>> = {
  400: "invalid_payload",
  401: "invalid_token",
  404: "device_not_found",
  405: "invalid_method",
  413: "payload_too_large",
  429: "rate_limited",
};

export class HttpTransport implements TipTransport {
  onCommand: (command: string) => void = () => undefined;
  onClose: () => void = () => undefined;
  readonly #peer: TipPeer;
  readonly #agent: InstanceType<typeof import("node:http").Agent>;

  constructor(peer: TipPeer) {
    this.#peer = peer;
    const { Agent } = process.getBuiltinModule(peer.tls ? "node:https" : "node:http");
    this.#agent = new Agent({ keepAlive: true, ...(peer.tls ? trusting(peer.ca) : {}) });
  }

  async request(request: TipRequest): Promise<TipAck> {
    const reply = await this.#exchange(request);
    if (this.#peer.isSealed) {
      const ack = this.#peer.read(reply.body);
      if (ack === undefined)
        throw connectionFailed(true, new Error(`The response with status ${reply.status} is unreadable`));
      return ack;
    }
    if (request.method === "PING") return pong(reply);
    if (reply.command !== undefined) this.onCommand(reply.command);
    const text = reply.body.toString("utf8").trim();
    if (reply.status !== 200) return failed(reply.status, text);
    return this.#peer.read(toBytes(`ACK|OK|${text}`)) ?? failed(reply.status, "");
  }

  async close(): Promise<void> {
    this.#agent.destroy();
  }

  #exchange(request: TipRequest): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const { timeoutMs, tls } = this.#peer;
      const outgoing = this.#send(request);
      let isConnected = false;
      outgoing.once("socket", (socket) => {
        isConnected = !socket.connecting;
        socket.once(tls ? "secureConnect" : "connect", () => {
          isConnected = true;
        });
      });
      const timer = setTimeout(() => outgoing.destroy(noResponse(timeoutMs)), timeoutMs);
      const fail = (error: Error): void => {
        clearTimeout(timer);
        reject(error instanceof TipError ? error : connectionFailed(isConnected, error));
      };
      outgoing.once("error", fail);
      outgoing.once("response", (response) => {
        collect(response, fail, (reply) => {
          clearTimeout(timer);
          resolve(reply);
        });
      });
    });
  }

  #send({ method, body, bytes }: TipRequest): ClientRequest {
    const { host, port, tls, auth, serial, isSealed } = this.#peer;
    const verb = isSealed || method === "PUSH" ? "POST" : method === "PULL" ? "GET" : "HEAD";
    const query = verb === "GET" ? `?variables=${body}` : "";
    const path = isSealed ? "/v1/tips" : `/v1/tip/${serial}${query}`;
    const headers: Record<string, string> = isSealed ? {} : { authorization: `TagoTiP ${auth}` };
    const content = isSealed ? bytes : toBytes(body);
    if (verb === "POST") {
      headers["content-type"] = isSealed ? "application/octet-stream" : "text/plain";
      headers["content-length"] = String(content.length);
    }
    const { request } = process.getBuiltinModule(tls ? "node:https" : "node:http");
    const outgoing = request({ host, port, path, method: verb, headers, agent: this.#agent });
    outgoing.end(verb === "POST" ? content : undefined);
    return outgoing;
  }
}

function collect(response: IncomingMessage, fail: (error: Error) => void, done: (reply: Reply) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > ACK_MAX_BYTES) response.destroy(new Error("The response is too large"));
  });
  response.once("error", fail);
  response.once("end", () => {
    done({ status: response.statusCode ?? 0, body: Buffer.concat(chunks), command: commandIn(response) });
  });
}

/** Headers are read as Latin 1: a command in UTF-8 is decoded again. */
function commandIn({ headers }: IncomingMessage): string | undefined {
  const command = headers["x-tagotip-cmd"];
  if (typeof command !== "string") return undefined;
  const text = Buffer.from(command, "latin1").toString("utf8");
  return text.includes("\ufffd") ? command : text;
}

function pong({ status, command }: Reply): TipAck {
  if (status === 200 && command !== undefined) return { status: "CMD", detail: command };
  return status === 204 || status === 200 ? { status: "PONG" } : failed(status, "");
}

/** The body is the code; that of a proxy is not. */
const failed = (status: number, body: string): TipAck => ({
  status: "ERR",
  detail: /^[a-z_]{1,100}$/.test(body) ? body : (CODES[status] ?? "server_error"),
});
