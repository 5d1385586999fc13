import type { Duplex } from "node:stream";
import type { Exchange } from "./router.ts";

export const MAX_HEADER_BYTES = 64 * 1024;
/** Longest time a client can continue to send a rejected body. */
const LINGER_MS = 2_000;

/** A response before it is written. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Closes the connection after the response. If it were closed immediately, a client that is still sending could lose
 * the response.
 */
function sendAndClose({ incoming, outgoing }: Exchange, reply: Reply): void {
  const length = Buffer.byteLength(reply.text);
  outgoing.writeHead(reply.status, { ...reply.headers, "content-length": length, connection: "close" });
  outgoing.write(reply.text);
  const timer = setTimeout(() => outgoing.end(), LINGER_MS).unref();
  incoming.once("close", () => {
    clearTimeout(timer);
    outgoing.end();
  });
  incoming.unpipe();
  incoming.resume();
}

/** Writes to Node's own response: web objects would cost loading a client, and time with every request. */
export function send(exchange: Exchange, reply: Reply): void {
  const { incoming, outgoing } = exchange;
  // Node discards an unread body, and keeps the connection.
  if (!incoming.complete && (reply.status === 413 || incoming.readableDidRead)) {
    sendAndClose(exchange, reply);
    return;
  }
  outgoing.writeHead(reply.status, { ...reply.headers, "content-length": Buffer.byteLength(reply.text) });
  outgoing.end(reply.text);
}

/** Cuts the response in half under a full content length. */
export function sendTruncated({ outgoing }: Exchange, reply: Reply): void {
  const bytes = Buffer.from(reply.text);
  outgoing.writeHead(reply.status, { ...reply.headers, "content-length": bytes.length });
  outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => outgoing.destroy());
}

/** Status line and message by Node's error code. */
const brokenRequests: ReadonlyMap<string, readonly [line: string, message: string]> = new Map([
  [
    "HPE_HEADER_OVERFLOW",
    [
      "431 Request Header Fields Too Large",
      `The headers and address are too large (limit ${MAX_HEADER_BYTES / 1024} KiB)`,
    ],
  ],
  ["ERR_HTTP_REQUEST_TIMEOUT", ["408 Request Timeout", "The request did not arrive in time"]],
]);

/** Requests that Node cannot parse also get an envelope. */
export function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const [line, message] = brokenRequests.get(error.code ?? "") ?? ["400 Bad Request", "Invalid request"];
  const body = JSON.stringify({ status: false, message });
  const head = [
    `HTTP/1.1 ${line}`,
    "content-type: application/json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "connection: close",
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
