/**
 * (node) The port on node:http, for programs that make a few requests and end: it costs 3 ms and 2 MiB to load, undici
 * 20 ms and, while its parser is compiled, 40 MiB. No proxies.
 */
import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import type { AgentOptions } from "node:https";
import { CancelledError } from "../core/errors.ts";
import { onAbort } from "../core/signals.ts";
import { isForm, writtenForm } from "./form.ts";
import { bytesToText, decode, ReplyBody } from "./reply-body.ts";
import { TextQueue } from "./text-queue.ts";
import {
  type Transport,
  TransportError,
  type TransportReply,
  type TransportRequest,
  type TransportStream,
} from "./transport.ts";

const maxConnections = 64;
const certificateTrouble = /CERT|SELF_SIGNED|ALTNAME|UNABLE_TO_(GET|VERIFY)/;

/** Whether the connection ever stood: a request on one that did not cannot have arrived. */
function watchConnection(request: ClientRequest): () => boolean {
  let stood = false;
  request.on("socket", (socket) => {
    if (!socket.connecting) stood = true;
    else
      socket.once("connect", () => {
        stood = true;
      });
  });
  return () => stood;
}

function toTransportError(
  error: Error,
  request: ClientRequest,
  isConnected: boolean,
  answered: boolean,
): TransportError {
  if (error instanceof TransportError) return error;
  const { code } = error as { code?: unknown };
  const reason = typeof code === "string" ? code : error.name;
  return new TransportError(error.message === "" ? reason : error.message, {
    code: reason === "ETIMEDOUT" ? "TIMEOUT" : "NETWORK_ERROR",
    reason,
    maybeSent: isConnected && !certificateTrouble.test(reason),
    cause: error,
    isStale: request.reusedSocket && !answered,
  });
}

function timeoutError(timeoutMs: number): TransportError {
  return new TransportError(`No complete answer within ${timeoutMs} ms`, {
    code: "TIMEOUT",
    reason: "TIMEOUT",
    maybeSent: true,
  });
}

function head(response: IncomingMessage): Pick<TransportReply, "status" | "statusText" | "header"> {
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? "",
    header: (name) => {
      const value = response.headers[name];
      return Array.isArray(value) ? value.join(", ") : value;
    },
  };
}

/** Deadline and signal of one exchange; `settle` is called once, with what ended it from our side. */
function guard(request: TransportRequest, settle: (reason: Error) => void): { clearDeadline(): void; release(): void } {
  const { signal, timeoutMs } = request;
  const timer = timeoutMs > 0 ? setTimeout(() => settle(timeoutError(timeoutMs)), timeoutMs) : undefined;
  const releaseSignal = onAbort(signal, () => settle(new CancelledError(undefined, signal?.reason)));
  return {
    clearDeadline: () => clearTimeout(timer),
    release: () => {
      clearTimeout(timer);
      releaseSignal();
    },
  };
}

/** A listener on a signal that was aborted already would wait in vain. */
function refuseAborted({ signal }: TransportRequest): void {
  if (signal?.aborted) throw new CancelledError(undefined, signal.reason);
}

/** Refuses what was ended before it began; writes out forms. */
async function prepare(request: TransportRequest): Promise<TransportRequest> {
  refuseAborted(request);
  return isForm(request.body) ? writtenForm(request, request.body) : request;
}

/** Transport of the command line. Idle connections do not keep the process alive. */
export class NodeHttpTransport implements Transport {
  readonly name = "http";
  readonly #ca: string | readonly string[] | undefined;
  readonly #agents = new Map<string, Agent>();
  readonly #streamAgents = new Map<string, Agent>();

  /** @param options.ca certificates (PEM) of authorities to trust besides the usual ones */
  constructor(options: { readonly ca?: string | readonly string[] | undefined } = {}) {
    this.#ca = options.ca;
  }

  async send(request: TransportRequest): Promise<TransportReply> {
    const complete = await prepare(request);
    refuseAborted(request);
    return new Promise((resolve, reject) => this.#send(complete, resolve, reject));
  }

  async stream(request: TransportRequest): Promise<TransportStream> {
    const complete = await prepare(request);
    refuseAborted(request);
    return new Promise((resolve, reject) => this.#stream(complete, resolve, reject));
  }

  /** Streams have an agent without a limit: they stay open, and would take all connections from the requests. */
  #agent(protocol: string, isStream: boolean): Agent {
    const agents = isStream ? this.#streamAgents : this.#agents;
    let agent = agents.get(protocol);
    if (agent !== undefined) return agent;
    const options: AgentOptions = isStream
      ? { keepAlive: false, noDelay: true }
      : { keepAlive: true, maxSockets: maxConnections, noDelay: true };
    if (protocol === "https:") {
      const { rootCertificates } = process.getBuiltinModule("node:tls");
      const own = this.#ca === undefined ? {} : { ca: [...rootCertificates, ...[this.#ca].flat()] };
      agent = new (process.getBuiltinModule("node:https").Agent)({ ...options, ...own });
    } else agent = new (process.getBuiltinModule("node:http").Agent)(options);
    agents.set(protocol, agent);
    return agent;
  }

  #open(request: TransportRequest, isStream: boolean): ClientRequest {
    const url = new URL(request.url);
    const client = process.getBuiltinModule(url.protocol === "https:" ? "node:https" : "node:http");
    const { body } = request;
    const length =
      typeof body === "string" ? Buffer.byteLength(body) : body instanceof Uint8Array ? body.byteLength : undefined;
    return client.request(url, {
      method: request.method,
      headers: length === undefined ? request.headers : { ...request.headers, "content-length": String(length) },
      agent: this.#agent(url.protocol, isStream),
    });
  }

  #send(request: TransportRequest, resolve: (reply: TransportReply) => void, reject: (error: Error) => void): void {
    const outgoing = this.#open(request, false);
    const isConnected = watchConnection(outgoing);
    let answered = false;
    let settled = false;
    let body: ReplyBody | undefined;
    const fail = (error: Error) => {
      if (settled) return;
      settled = true;
      guarded.release();
      body?.release();
      outgoing.destroy();
      reject(error instanceof CancelledError ? error : toTransportError(error, outgoing, isConnected(), answered));
    };
    const guarded = guard(request, fail);
    outgoing.on("error", fail);
    outgoing.on("response", (response) => {
      answered = true;
      response.on("error", fail);
      response.on("aborted", () => fail(Object.assign(new Error("The connection was lost"), { code: "ECONNRESET" })));
      response.on("data", (chunk: Buffer) => {
        try {
          body ??= new ReplyBody(Number(response.headers["content-length"] ?? Number.NaN));
          body.add(chunk);
        } catch (error) {
          fail(error instanceof Error ? error : new Error(String(error)));
        }
      });
      response.on("end", () => {
        if (settled || !response.complete) return;
        settled = true;
        guarded.release();
        const encoding = response.headers["content-encoding"];
        const bytes = body?.bytes() ?? Buffer.alloc(0);
        if (encoding === undefined || bytes.length === 0)
          resolve({ ...head(response), text: bytesToText(bytes, request) });
        else
          decode(Buffer.from(bytes), encoding).then(
            (text) => resolve({ ...head(response), text: bytesToText(text, request) }),
            reject,
          );
        body?.release();
      });
    });
    outgoing.end(request.body as string | Uint8Array | undefined);
  }

  #stream(request: TransportRequest, resolve: (stream: TransportStream) => void, reject: (error: Error) => void): void {
    const outgoing = this.#open(request, true);
    const isConnected = watchConnection(outgoing);
    let queue: TextQueue | undefined;
    let settled = false;
    const end = (error?: Error) => {
      if (settled) return;
      settled = true;
      guarded.release();
      outgoing.destroy();
      const shown =
        error === undefined || error instanceof CancelledError
          ? error
          : toTransportError(error, outgoing, isConnected(), queue !== undefined);
      if (queue !== undefined) queue.end(shown);
      else reject(shown ?? new CancelledError());
    };
    const guarded = guard(request, end);
    outgoing.on("error", end);
    outgoing.on("response", (response) => {
      guarded.clearDeadline();
      response.setEncoding(request.bytesAsText === true ? "latin1" : "utf8");
      const opened = new TextQueue(
        () => response.resume(),
        () => end(),
      );
      queue = opened;
      response.on("data", (text: string) => {
        if (!opened.push(text)) response.pause();
      });
      response.on("error", end);
      response.on("end", () => end());
      response.on("close", () => end(new Error("The connection was lost")));
      resolve({ ...head(response), body: opened, cancel: () => end() });
    });
    outgoing.end(request.body as string | Uint8Array | undefined);
  }
}
