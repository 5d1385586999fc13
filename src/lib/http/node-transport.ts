/** (node) The default transport of Node, on node:http and node:https. Proxies need undici. */
import type { Agent, ClientRequest } from "node:http";
import type { AgentOptions } from "node:https";
import { CONNECT_TIMEOUT_MS } from "../core/limits.ts";
import type { PendingRequest } from "./exchange.ts";
import { isForm, writtenForm } from "./form.ts";
import { type NodeReply, NodeReplyTransport } from "./node-reply.ts";
import { targetOf } from "./target.ts";
import { TransportError, type TransportRequest } from "./transport.ts";

/** Connections to one origin. */
const maxConnections = 64;

/** Certificates (PEM) of authorities to trust besides the usual ones. */
export type Authorities = string | readonly string[] | undefined;

/** Options of TLS: own authorities are added to the usual ones. */
export function trusting(ca: Authorities): { readonly ca?: string[] } {
  return ca === undefined ? {} : { ca: [...process.getBuiltinModule("node:tls").rootCertificates, ...[ca].flat()] };
}

/** Fails a request that does not connect in time. Returns whether it is connected; before that nothing was sent. */
function watchConnection(request: ClientRequest, isSecure: boolean, timeoutMs: number): () => boolean {
  // Most requests reuse a connection, and a listener costs each of them.
  if (request.reusedSocket) return () => true;
  let isConnected = false;
  request.once("socket", (socket) => {
    isConnected = !socket.connecting;
    if (isConnected) return;
    const timer = setTimeout(() => request.destroy(connectTimeout(timeoutMs)), timeoutMs);
    socket.once(isSecure ? "secureConnect" : "connect", () => {
      isConnected = true;
      clearTimeout(timer);
    });
    socket.once("close", () => clearTimeout(timer));
  });
  return () => isConnected;
}

function connectTimeout(timeoutMs: number): TransportError {
  return new TransportError(`No connection within ${timeoutMs} ms`, {
    code: "TIMEOUT",
    reason: "CONNECT_TIMEOUT",
    maybeSent: false,
  });
}

/** Keeps connections open between requests. Idle ones do not keep the process alive. */
export class NodeTransport extends NodeReplyTransport {
  readonly name = "http";
  readonly #ca: Authorities;
  readonly #connectTimeoutMs: number;
  readonly #agents = new Map<string, Agent>();

  constructor(
    options: {
      readonly ca?: Authorities;
      /** Time to wait for a connection, milliseconds. @default 10000 */
      readonly connectTimeoutMs?: number;
    } = {},
  ) {
    super();
    this.#ca = options.ca;
    this.#connectTimeoutMs = options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  }

  protected open(
    request: TransportRequest,
    isStream: boolean,
  ): PendingRequest<NodeReply> | Promise<PendingRequest<NodeReply>> {
    if (isForm(request.body)) return writtenForm(request, request.body).then((written) => this.open(written, isStream));
    const { origin: url, path } = targetOf(request.url);
    const isSecure = url.protocol === "https:";
    const { method, headers, body } = request;
    const length =
      typeof body === "string" ? Buffer.byteLength(body) : body instanceof Uint8Array ? body.byteLength : undefined;
    const outgoing = process.getBuiltinModule(isSecure ? "node:https" : "node:http").request({
      protocol: url.protocol,
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: url.port,
      auth: url.username === "" ? undefined : `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`,
      path,
      method,
      headers: length === undefined ? headers : { ...headers, "content-length": String(length) },
      agent: this.#agent(url.protocol, isStream),
    });
    const isConnected = watchConnection(outgoing, isSecure, this.#connectTimeoutMs);
    const response = new Promise<NodeReply>((resolve, reject) => {
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        const { statusCode = 0, statusMessage = "", headers } = incoming;
        resolve({ statusCode, statusText: statusMessage, headers, body: incoming });
      });
    });
    outgoing.end(body as string | Uint8Array | undefined);
    return {
      response,
      stop: (reason) => outgoing.destroy(reason),
      connection: () => ({ sent: isConnected(), reused: outgoing.reusedSocket }),
    };
  }

  /** Streams have an agent without a limit: they stay open, and would take all connections from the requests. */
  #agent(protocol: string, isStream: boolean): Agent {
    const key = `${protocol}${isStream}`;
    const known = this.#agents.get(key);
    if (known !== undefined) return known;
    const options: AgentOptions = isStream
      ? { keepAlive: false, noDelay: true }
      : { keepAlive: true, maxSockets: maxConnections, noDelay: true };
    const agent =
      protocol === "https:"
        ? new (process.getBuiltinModule("node:https").Agent)({ ...options, ...trusting(this.#ca) })
        : new (process.getBuiltinModule("node:http").Agent)(options);
    this.#agents.set(key, agent);
    return agent;
  }
}
