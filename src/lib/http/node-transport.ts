/** (node) The default transport of Node, on node:http and node:https. Proxies need undici. */
import type { Agent, ClientRequest, request } from "node:http";
import { CONNECT_TIMEOUT_MS } from "../core/limits.ts";
import type { PendingRequest } from "./exchange.ts";
import { isForm, writtenForm } from "./form.ts";
import { type NodeReply, NodeReplyTransport, readBytes } from "./node-reply.ts";
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
  readonly #senders = new Map<string, Sender>();

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
    const { origin, path } = targetOf(request.url);
    const { protocol, hostname, port, auth } = origin;
    const { method, headers, body } = request;
    const length =
      typeof body === "string" ? Buffer.byteLength(body) : body instanceof Uint8Array ? body.byteLength : undefined;
    const { agent, request: send } = this.#sender(protocol, isStream);
    const outgoing = send({
      protocol,
      hostname,
      port,
      auth,
      path,
      method,
      headers: length === undefined ? headers : { ...headers, "content-length": String(length) },
      agent,
    });
    const isConnected = watchConnection(outgoing, protocol === "https:", this.#connectTimeoutMs);
    const response = new Promise<NodeReply>((resolve, reject) => {
      outgoing.on("error", reject);
      outgoing.on("response", (incoming) => {
        const { statusCode = 0, statusMessage = "", headers } = incoming;
        // At once: what has arrived together with the headers then needs no buffer.
        const bytes = isStream ? undefined : readBytes(incoming, headers);
        resolve({ statusCode, statusText: statusMessage, headers, body: incoming, bytes });
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
  #sender(protocol: string, isStream: boolean): Sender {
    const key = `${protocol}${isStream}`;
    const known = this.#senders.get(key);
    if (known !== undefined) return known;
    const { Agent, request } = process.getBuiltinModule(protocol === "https:" ? "node:https" : "node:http");
    const keeping = isStream ? { keepAlive: false } : { keepAlive: true, maxSockets: maxConnections };
    const sender = { agent: new Agent({ ...keeping, noDelay: true, ...trusting(this.#ca) }), request };
    this.#senders.set(key, sender);
    return sender;
  }
}

/** What sends the requests of one protocol. */
interface Sender {
  readonly agent: Agent;
  readonly request: typeof request;
}
