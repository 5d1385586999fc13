import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { TLSSocket } from "node:tls";
import { MAX_DELAY_MS } from "../core/fault-rules.ts";
import { answerBrokenRequest, MAX_HEADER_BYTES } from "./respond.ts";

/** Longer than the keep-alive of common clients, so that they close first. */
const KEEP_ALIVE_MS = 65_000;

/** Timeouts and connection limits. */
export interface ConnectionLimits {
  /** Time for the headers of a request, from the first byte or from connecting. */
  readonly headersMs: number;
  /** Time for a whole request with its body. */
  readonly requestMs: number;
  /** How often both are checked. */
  readonly checkMs: number;
  /** Connections at a time; further ones are closed. */
  readonly connections: number;
}

const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 15_000,
  // A fault may keep a request waiting before its body is read.
  requestMs: MAX_DELAY_MS + 60_000,
  checkMs: 5_000,
  connections: 5_000,
};

/** Both PEM. */
export interface ServerCertificate {
  readonly cert: string;
  readonly key: string;
}

/** An HTTP server, or an HTTPS server if there is a certificate. */
export function createListener(
  onRequest: RequestListener,
  limits: ConnectionLimits = CONNECTION_LIMITS,
  certificate?: ServerCertificate,
): Server {
  const { headersMs, requestMs, checkMs, connections } = limits;
  const options: ServerOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  };
  const server =
    certificate === undefined
      ? createHttpServer(options, onRequest)
      : createHttpsServer({ ...options, ...certificate, handshakeTimeout: headersMs }, onRequest);
  server.maxConnections = connections;
  server.on("clientError", answerBrokenRequest);
  return server;
}

/** Scheme of the connection a request came on. */
export const schemeOf = ({ socket }: Pick<IncomingMessage, "socket">): "http" | "https" =>
  socket instanceof TLSSocket ? "https" : "http";
