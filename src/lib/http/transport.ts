import type { Dispatcher } from "undici";

/** HTTP methods the platform uses. */
export type HttpMethod = "GET" | "POST" | "PUT" | "DELETE";

/** One complete request; the transport adds nothing that changes its meaning. */
export interface TransportRequest {
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Absolute http or https address. */
  readonly url: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as is; a form as multipart. */
  readonly body?: string | Uint8Array | FormData | undefined;
  /** Deadline for the whole exchange, from connect to the last byte. 0 means none. */
  readonly timeoutMs: number;
  /** Aborts the exchange with a CancelledError. */
  readonly signal?: AbortSignal | undefined;
  /** Read the response as one character per byte, for binary content. */
  readonly bytesAsText?: boolean;
}

/** A response read to its end. */
export interface TransportReply {
  /** HTTP status. */
  readonly status: number;
  /** Reason phrase; empty over HTTP/2. */
  readonly statusText: string;
  /** Value of a header by lower-case name; repeated headers are joined with ", ". */
  header(name: string): string | undefined;
  /** The body, decoded (gzip, deflate, br) and read as UTF-8 without a byte-order mark. */
  readonly text: string;
}

/** A response whose body is still arriving. */
export interface TransportStream {
  /** HTTP status. */
  readonly status: number;
  /** Reason phrase; empty over HTTP/2. */
  readonly statusText: string;
  /** As in `TransportReply`. */
  header(name: string): string | undefined;
  /** Text as it arrives, cut anywhere but inside a character. Leaving the loop closes the connection. */
  readonly body: AsyncIterable<string>;
  /** Closes the connection; the iteration ends. */
  cancel(): void;
}

/**
 * The port to the network. Redirects are not followed, and every status is a response. Failures are
 * `TransportError`s; an aborted signal rejects with `CancelledError`.
 */
export interface Transport {
  /** Which implementation it is. */
  readonly name: "undici" | "fetch" | "http";
  /** Resolves when the response was read to its end. */
  send(request: TransportRequest): Promise<TransportReply>;
  /** As `send`, but resolves at the headers. `timeoutMs` then covers connect and headers only. */
  stream(request: TransportRequest): Promise<TransportStream>;
}

/** The part of fetch the transport needs. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What decides which transport a client uses. */
export interface TransportChoice {
  /**
   * Which transport to use on Node: `http` is node:http, `undici` sends more requests a second and takes longer to the
   * first response, `fetch` is the global one. Or a transport of your own. @default `IOT_TRANSPORT`, else `http`
   */
  readonly transport?: "http" | "undici" | "fetch" | Transport | undefined;
  /** Own fetch; the fetch transport is then used. */
  readonly fetch?: Fetch | undefined;
  /** Own dispatcher of the package undici, which is then the transport (Node). */
  readonly dispatcher?: Dispatcher | undefined;
  /**
   * Address of an HTTP proxy (Node). @default `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` of the environment, looked for
   * when the client is made
   */
  readonly proxy?: string | undefined;
  /** Certificates (PEM) of further authorities to trust (Node). */
  readonly ca?: string | readonly string[] | undefined;
}

/** Why an exchange failed below HTTP. */
export class TransportError extends Error {
  override readonly name = "TransportError";
  /** Kind of failure. */
  readonly code: "TIMEOUT" | "NETWORK_ERROR" | "UNKNOWN";
  /** The system's or client's error code: `ECONNREFUSED`, `UND_ERR_SOCKET` ... */
  readonly reason: string;
  /** False when the request cannot have reached the server. */
  readonly maybeSent: boolean;
  /** True when a reused connection was lost before any response: the server had closed it while idle. */
  readonly isStale: boolean;
  /**
   * Status and headers of a response that arrived but cannot be used: too large, badly encoded, a rejected redirect.
   */
  readonly reply?: Omit<TransportReply, "text">;

  /** @param details as the properties: `code`, `reason`, `maybeSent`, `isStale` (false), `reply` (none), `cause` */
  constructor(
    message: string,
    details: {
      code: TransportError["code"];
      reason: string;
      maybeSent: boolean;
      cause?: unknown;
      isStale?: boolean;
      reply?: Omit<TransportReply, "text"> | undefined;
    },
  ) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.reason = details.reason;
    this.maybeSent = details.maybeSent;
    this.isStale = details.isStale ?? false;
    if (details.reply !== undefined) this.reply = details.reply;
  }
}
