/** A loopback HTTP server that can go wrong at every byte: it is written on sockets, not on node:http. */
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { gzipSync } from "node:zlib";

/** A request as it came. */
interface SeenRequest {
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Number of the connection it came on, from 1. */
  readonly connection: number;
}

/** What a reaction works with. */
interface Exchange {
  readonly request: SeenRequest;
  readonly socket: Socket;
  /** Number of this request at the server, from 1. */
  readonly number: number;
  readonly server: FaultServer;
}

export type Reaction = (exchange: Exchange) => void | Promise<void>;

export interface FaultServer {
  readonly url: string;
  readonly port: number;
  readonly requests: SeenRequest[];
  /** Connections accepted so far. */
  readonly connections: number;
  readonly openSockets: ReadonlySet<Socket>;
  /** Reaction to every request from now on. */
  react(reaction: Reaction): void;
  /** Forgets what was seen. */
  reset(): void;
  close(): Promise<void>;
}

export interface FaultServerOptions {
  /** Certificate and key for https. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Port to listen on. @default a free one */
  readonly port?: number;
}

export async function startFaultServer(reaction: Reaction, options: FaultServerOptions = {}): Promise<FaultServer> {
  const requests: SeenRequest[] = [];
  const openSockets = new Set<Socket>();
  let react = reaction;
  let connections = 0;

  const onConnection = (socket: Socket): void => {
    connections += 1;
    const connection = connections;
    openSockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => undefined);
    socket.on("close", () => openSockets.delete(socket));
    readRequests(socket, async (parsed) => {
      const request: SeenRequest = { ...parsed, connection };
      requests.push(request);
      await react({ request, socket, number: requests.length, server: faultServer });
    });
  };

  const server: Server =
    options.tls === undefined ? createServer(onConnection) : createTlsServer(options.tls, onConnection);
  server.on("tlsClientError", () => undefined);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  const faultServer: FaultServer = {
    url: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    requests,
    openSockets,
    get connections() {
      return connections;
    },
    react(next) {
      react = next;
    },
    reset() {
      requests.length = 0;
      connections = 0;
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of openSockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return faultServer;
}

type Parsed = Omit<SeenRequest, "connection">;

/** Cuts a connection into requests, one after the other. Bodies come with Content-Length or chunked. */
function readRequests(socket: Socket, onRequest: (request: Parsed) => Promise<void>): void {
  let pending: Buffer = Buffer.alloc(0);
  let isBusy = false;
  const next = (): void => {
    if (isBusy) return;
    const taken = takeRequest(pending);
    if (taken === undefined) return;
    pending = taken.rest;
    isBusy = true;
    onRequest(taken.request)
      .catch(() => socket.destroy())
      .finally(() => {
        isBusy = false;
        next();
      });
  };
  socket.on("data", (chunk) => {
    pending = Buffer.concat([pending, chunk]);
    next();
  });
}

function takeRequest(bytes: Buffer): { request: Parsed; rest: Buffer } | undefined {
  const headEnd = bytes.indexOf("\r\n\r\n");
  if (headEnd < 0) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, headEnd).toString("latin1").split("\r\n");
  const [method = "", path = ""] = first.split(" ");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  const bodyStart = headEnd + 4;
  if (headers["transfer-encoding"] === "chunked") {
    const end = bytes.indexOf("0\r\n\r\n", bodyStart);
    if (end < 0) return undefined;
    const body = unchunk(bytes.subarray(bodyStart, end + 5));
    return { request: { method, path, headers, body }, rest: bytes.subarray(end + 5) };
  }
  const length = Number(headers["content-length"] ?? 0);
  if (bytes.length < bodyStart + length) return undefined;
  const body = bytes.subarray(bodyStart, bodyStart + length).toString("utf8");
  return { request: { method, path, headers, body }, rest: bytes.subarray(bodyStart + length) };
}

function unchunk(bytes: Buffer): string {
  let text = "";
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    if (!(size > 0)) return text;
    text += bytes.subarray(lineEnd + 2, lineEnd + 2 + size).toString("utf8");
    at = lineEnd + 4 + size;
  }
}

export interface RawReply {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Length to claim, when it is not that of the body. */
  readonly claimedLength?: number;
}

/** Head and body as bytes on the wire. */
function rawReply(reply: RawReply): Buffer {
  const status = reply.status ?? 200;
  const body = Buffer.isBuffer(reply.body) ? reply.body : Buffer.from(reply.body ?? "", "utf8");
  const headers: Record<string, string> = { "Content-Type": "application/json", ...reply.headers };
  if (status !== 204) headers["Content-Length"] = String(reply.claimedLength ?? body.length);
  const head = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("");
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} ${reply.statusText ?? "Status"}\r\n${head}\r\n`, "latin1"),
    body,
  ]);
}

export const answer =
  (reply: RawReply): Reaction =>
  ({ socket }) => {
    socket.write(rawReply(reply));
  };

/** The envelope of a success. */
export const ok = (result: unknown): Reaction => answer({ body: JSON.stringify({ status: true, result }) });

/** A refusal with a message. */
export const refuse = (status: number, message: string, headers: Record<string, string> = {}): Reaction =>
  answer({ status, headers, body: JSON.stringify({ status: false, message }) });

export const html = (status: number): Reaction =>
  answer({
    status,
    statusText: status === 200 ? "OK" : "Bad Gateway",
    headers: { "Content-Type": "text/html" },
    body: "<html><body><h1>Proxy error</h1></body></html>",
  });

export const gzipped = (result: unknown): Reaction =>
  answer({ headers: { "Content-Encoding": "gzip" }, body: gzipSync(JSON.stringify({ status: true, result })) });

/** Closes with a reset packet before anything was answered. */
export const resetBeforeHeaders: Reaction = ({ socket }) => {
  socket.resetAndDestroy();
};

/** Sends half of the body it announced, then a reset once that half had time to arrive. */
export const resetMidBody: Reaction = async ({ socket }) => {
  await writeAll(socket, rawReply({ body: '{"status":true,"result":', claimedLength: 500 }));
  await turnOfTheLoop();
  socket.resetAndDestroy();
};

/** A complete answer whose JSON stops half-way. */
export const truncatedJson: Reaction = answer({ body: '{"status":true,"result":{"id":"5f' });

/** Takes the request and says nothing. */
export const silence: Reaction = () => undefined;

/** Half of the announced body, then nothing. */
export const stall: Reaction = ({ socket }) => {
  socket.write(rawReply({ body: '{"status":true,', claimedLength: 500 }));
};

/** The body one byte at a time, for as long as somebody listens. */
export const drip =
  (everyMs: number): Reaction =>
  ({ socket }) => {
    socket.write(rawReply({ body: "{", claimedLength: 1_000_000 }));
    const timer = setInterval(() => socket.write(" "), everyMs);
    socket.on("close", () => clearInterval(timer));
  };

export const redirectTo = (location: string, status = 302): Reaction =>
  answer({ status, statusText: "Found", headers: { Location: location } });

/** Answers the first requests one way each; the last way is kept. */
export const inTurn =
  (...reactions: readonly [Reaction, ...Reaction[]]): Reaction =>
  (exchange) =>
    (reactions[Math.min(exchange.number, reactions.length) - 1] ?? reactions[0])(exchange);

/** Answers, then closes the connection after it has been idle. */
export const closeWhenIdle =
  (reaction: Reaction, idleMs: number): Reaction =>
  async (exchange) => {
    await reaction(exchange);
    setTimeout(() => exchange.socket.destroy(), idleMs);
  };

/** Writes, and resolves when the bytes were handed to the system. */
export function writeAll(socket: Socket, data: string | Buffer): Promise<void> {
  return new Promise((resolve) => socket.write(data, () => resolve()));
}

/** Lets the other end, which lives in the same process, read what was written. */
async function turnOfTheLoop(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const eventStreamHead =
  "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\nConnection: close\r\n\r\n";

/**
 * Opens an event stream and sends the pieces as separate packets. What follows is up to `then`: keep the connection
 * open, end it, or reset it.
 */
export const eventStream =
  (pieces: readonly (string | Buffer)[], then: "keep" | "end" | "reset" = "keep"): Reaction =>
  async ({ socket }) => {
    await writeAll(socket, eventStreamHead);
    for (const piece of pieces) {
      await writeAll(socket, piece);
      // Without a turn of the loop between them, the pieces would arrive as one packet.
      await turnOfTheLoop();
    }
    if (then === "end") socket.end();
    if (then === "reset") socket.resetAndDestroy();
  };

/** A port on which nothing listens. */
export async function unusedPort(): Promise<number> {
  const server = await startFaultServer(silence);
  await server.close();
  return server.port;
}
