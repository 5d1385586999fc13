import { chooseTransport } from "#transport";
import { type Attempt, CancelledError, InputError, type RequestInfo } from "../core/errors.ts";
import { JsonText } from "../core/json.ts";
import { REQUEST_ATTEMPTS, REQUEST_TIMEOUT_MS, RETRY_DELAY_MS } from "../core/limits.ts";
import { environment, isNode, runtimeNote } from "../core/platform.ts";
import { type Region, resolveApi } from "../core/regions.ts";
import { linkSignals } from "../core/signals.ts";
import { timeOption } from "../core/times.ts";
import { checkToken } from "../core/token.ts";
import { VERSION } from "../core/version.ts";
import { refusal, unwrap } from "../http/envelope.ts";
import { isForm } from "../http/form.ts";
import type { ClientHooks } from "../http/hooks.ts";
import { inFlight } from "../http/in-flight.ts";
import type { Limiter } from "../http/limiter.ts";
import { queryString } from "../http/query-string.ts";
import { sendFollowing } from "../http/redirects.ts";
import { copyOf, responseCache } from "../http/response-cache.ts";
import {
  type Answer,
  type Clock,
  type RetryHook,
  type RetryPolicy,
  type RetryTask,
  sendWithRetry,
  systemClock,
} from "../http/retry.ts";
import type { Transport, TransportChoice, TransportReply, TransportRequest } from "../http/transport.ts";
import { retryHook, type Watch, watched, watchOf } from "../http/watched.ts";
import { convertDates } from "./dates.ts";
import { redactPath } from "./redact-path.ts";
import { invalidResult, isAccepted } from "./result-kind.ts";
import { fillPath, type Route } from "./route.ts";

/** How a client reaches the platform. Every property except the token has a default. */
export interface ClientOptions extends TransportChoice {
  /** Token of a profile, device, analysis, network or portal user. */
  token?: string | undefined;
  /** Region; else the one of `Analysis.use`, else `TAGOIO_API`/`TAGOIO_SSE`, else `us-e1`. */
  region?: Region | undefined;
  /** Time one attempt may take, milliseconds. @default 60000, or `TAGOIO_REQUEST_TIMEOUT` */
  readonly timeoutMs?: number | undefined;
  /** Attempts per request, the first included. @default 5, or `TAGOIO_REQUEST_ATTEMPTS` */
  readonly attempts?: number | undefined;
  /** Wait between attempts, milliseconds. @default 1500 */
  readonly retryDelayMs?: number | undefined;
  /** Wait after the given attempt (from 1), milliseconds; overrides `retryDelayMs`. */
  readonly backoff?: ((attempt: number) => number) | undefined;
  /**
   * What is retried. Writes are at-least-once: a write whose response is lost is sent again, and may be carried out twice.
   * `onRetry` is called before that happens, and `mayHaveArrived` of an error says that a write may have arrived.
   */
  readonly retry?: {
    /** False: a write that may have reached the server is not sent again. @default true */
    readonly ambiguousWrites?: boolean;
    /** Attempts where the connection is refused or the host unknown, the first included. @default `attempts` */
    readonly unreachableAttempts?: number;
  };
  /**
   * Called before the wait of every retry with the cause, the wait, and whether the request is a write that may be
   * carried out twice. Errors it throws are ignored.
   */
  readonly onRetry?: RetryHook | undefined;
  /** Functions that watch the requests of this client. */
  readonly hooks?: ClientHooks | undefined;
  /**
   * Holds requests back before the platform rejects them with 429; true makes one for this client. Clients of one profile
   * should share one: `createLimiter`. @default false
   */
  readonly limiter?: Limiter | boolean | undefined;
  /** Aborts every call of this client. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Rejects results that are not objects where the route returns one.
   *
   * @internal
   */
  readonly strictResults?: boolean | undefined;
  /** Custom clock, for tests that must not wait. */
  readonly clock?: Clock | undefined;
}

/** Options accepted as the last argument of every method. */
export interface CallOptions {
  /** Aborts the call, which rejects with `CancelledError`. */
  readonly signal?: AbortSignal | undefined;
  /** Time one attempt of this call may take, milliseconds. */
  readonly timeoutMs?: number | undefined;
}

/** Contents of a request besides its route. */
export interface RequestInput extends CallOptions {
  /** Values of the path parts, not encoded. */
  readonly params?: Readonly<Record<string, string>>;
  /** Query parameters; undefined ones are left out. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Sent as JSON, unless it is a string, bytes or a form. */
  readonly body?: unknown;
  /** Content type of a body of bytes. */
  readonly contentType?: string | undefined;
  /** Attempts of this call, for callers with retries of their own. */
  readonly attempts?: number | undefined;
}

function attemptsOption(value: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!Number.isFinite(value) || value < 0)
    throw new InputError("Invalid attempts: it must be a number from 0", "attempts");
  return value;
}

function fromEnvironment(name: string): number | undefined {
  const value = Number(environment(name));
  return Number.isFinite(value) && value >= 1 ? value : undefined;
}

interface Payload {
  readonly body: TransportRequest["body"];
  readonly headers: Readonly<Record<string, string>>;
}

/** Sends the requests of one token. What does not change between requests is created once. */
export class HttpClient {
  // Private, so that printing an object that holds a client does not print its token.
  readonly #options: ClientOptions;
  readonly #policy: RetryPolicy;
  readonly #timeoutMs: number;
  readonly #clock: Clock;
  readonly #transport: Transport;
  readonly #watch: Watch | undefined;
  /** Called before the wait of every retry: the option and the hook of that name. */
  readonly onRetry: RetryHook | undefined;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #jsonHeaders: Readonly<Record<string, string>>;
  readonly #anonymousHeaders: Readonly<Record<string, string>>;

  constructor(options: ClientOptions) {
    this.#options = options.token === undefined ? options : { ...options, token: checkToken(options.token) };
    this.#timeoutMs =
      timeOption(options.timeoutMs, "timeoutMs") ??
      timeOption(fromEnvironment("TAGOIO_REQUEST_TIMEOUT"), "TAGOIO_REQUEST_TIMEOUT") ??
      REQUEST_TIMEOUT_MS;
    const retryDelayMs = timeOption(options.retryDelayMs, "retryDelayMs") ?? RETRY_DELAY_MS;
    this.#policy = {
      attempts: Math.max(
        1,
        Math.floor(attemptsOption(options.attempts) ?? fromEnvironment("TAGOIO_REQUEST_ATTEMPTS") ?? REQUEST_ATTEMPTS),
      ),
      delayMs: options.backoff ?? (() => retryDelayMs),
      ambiguousWrites: options.retry?.ambiguousWrites ?? true,
      unreachableAttempts: attemptsOption(options.retry?.unreachableAttempts) ?? Number.POSITIVE_INFINITY,
    };
    this.#clock = options.clock ?? systemClock;
    this.#transport = chooseTransport(options);
    this.#watch = watchOf(options, this.#clock);
    this.onRetry = retryHook(options);
    this.#anonymousHeaders = isNode
      ? {
          accept: "application/json",
          "accept-encoding": "gzip, deflate, br",
          "user-agent": `iotdeck|JS|${VERSION} (${runtimeNote()})`,
        }
      : { accept: "application/json", pragma: "no-cache", "cache-control": "no-cache" };
    const { token } = this.#options;
    this.#headers = token === undefined ? this.#anonymousHeaders : { ...this.#anonymousHeaders, token };
    this.#jsonHeaders = { ...this.#headers, "content-type": "application/json" };
  }

  /** Options the client was created with; they contain the token. */
  get options(): ClientOptions {
    return this.#options;
  }

  /** Base URL of the API, resolved on every access: `Analysis.use` and the environment may change it. */
  api(): string {
    return resolveApi(this.#options.region);
  }

  /** The transport of the requests. */
  get transport(): Transport {
    return this.#transport;
  }

  /** The clock of the waits. */
  get clock(): Clock {
    return this.#clock;
  }

  /** Time one attempt may take, unless the call sets its own. */
  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  /**
   * Calls a route and returns its result, with dates converted.
   *
   * @throws ApiError, RequestError, InputError or CancelledError
   */
  call(route: Route, input: RequestInput): Promise<unknown> {
    const isShared = route.cacheMs !== undefined || route.share === true;
    return this.#withSignal(input, (signal) =>
      isShared ? this.#shared(route, input, signal) : this.#fetchResult(route, input, signal),
    );
  }

  /** Returns a stored result, joins an identical call that is in flight, or makes the call and stores its result. */
  async #shared(route: Route, input: RequestInput, signal: AbortSignal | undefined): Promise<unknown> {
    const { cacheMs } = route;
    const key = `${route.method} ${this.#url(route.path, input)}\n${route.anonymous ? "" : (this.#options.token ?? "")}`;
    if (signal?.aborted) throw new CancelledError(undefined, signal.reason);
    const known = cacheMs === undefined ? undefined : responseCache.get(key);
    if (known !== undefined) return known;
    const start = async (shared: AbortSignal): Promise<unknown> => {
      const { generation } = responseCache;
      const fresh = await this.#fetchResult(route, input, shared);
      // A result requested before the cache was cleared may be what it was cleared of.
      const isKept = cacheMs !== undefined && fresh !== null && generation === responseCache.generation;
      if (isKept) responseCache.set(key, fresh, cacheMs);
      return fresh;
    };
    return inFlight.run(key, signal, this.#clock, (result) => ownCopy(key, result), start);
  }

  #url(path: string, input: RequestInput): string {
    const query = input.query === undefined ? "" : queryString(input.query);
    return `${this.api()}${fillPath(path, input.params)}${query === "" ? "" : `?${query}`}`;
  }

  #withSignal<T>(input: CallOptions, run: (signal: AbortSignal | undefined) => Promise<T>): Promise<T> {
    const own = this.#options.signal;
    if (own === undefined || input.signal === undefined) return run(input.signal ?? own);
    const both = linkSignals(own, input.signal);
    return run(both.signal).finally(both.release);
  }

  async #fetchResult(route: Route, input: RequestInput, signal: AbortSignal | undefined): Promise<unknown> {
    const answer = await this.#exchange(route, input, signal);
    const { result } = this.#accepted(route, input, answer);
    if (route.result !== undefined && !isAccepted(result, route.result, this.#options.strictResults)) {
      const { status, statusText } = answer.reply;
      throw invalidResult(result, route.result, { ...this.#info(route, input), status, statusText });
    }
    if (route.dates !== undefined) convertDates(result, route.dates);
    return result;
  }

  /** Sends a request with retries and returns the response as received. */
  #exchange(route: Route, input: RequestInput, signal: AbortSignal | undefined): Promise<Answer> {
    const url = this.#url(route.path, input);
    if (signal?.aborted) throw new CancelledError(undefined, signal.reason);
    const payload = this.#payload(route, input);
    const request: TransportRequest = {
      method: route.method,
      url,
      headers: payload.headers,
      body: payload.body,
      timeoutMs: timeOption(input.timeoutMs, "timeoutMs") ?? this.#timeoutMs,
      signal,
    };
    const { before, send } = this.#attempts(route, input, request);
    return sendWithRetry({
      policy: input.attempts === undefined ? this.#policy : { ...this.#policy, attempts: input.attempts },
      clock: this.#clock,
      isWrite: route.method !== "GET",
      signal,
      onRetry: this.onRetry,
      info: () => this.#info(route, input),
      before,
      send,
    });
  }

  #attempts(route: Route, input: RequestInput, request: TransportRequest): Pick<RetryTask, "before" | "send"> {
    const send = (): Promise<TransportReply> => sendFollowing(this.#transport, request, this.#clock.now, "origin");
    if (this.#watch === undefined) return { send };
    const [path = ""] = route.path.split("?", 1);
    // The platform counts per profile, so anonymous requests are not limited.
    const watch = route.anonymous ? { ...this.#watch, limiter: undefined } : this.#watch;
    return watched(watch, request, { info: this.#info(route, input), path, send });
  }

  /** The result of a successful response. */
  #accepted(route: Route, input: RequestInput, answer: Answer): { readonly result: unknown } {
    const body = unwrap(answer.reply);
    if (body === undefined) throw refusal(answer.reply, this.#info(route, input), attemptsOf(answer));
    return body;
  }

  /**
   * Like `call`, but returns the response as `reply` beside its `result`, for callers that show status and headers. Dates
   * are not converted.
   */
  async exchange(route: Route, input: RequestInput): Promise<{ reply: TransportReply; result: unknown }> {
    const answer = await this.#withSignal(input, async (signal) => this.#exchange(route, input, signal));
    return { reply: answer.reply, result: this.#accepted(route, input, answer).result };
  }

  #info(route: Route, input: RequestInput): RequestInfo {
    return { method: route.method, url: `${this.api()}${redactPath(route.path, input.params)}` };
  }

  #payload(route: Route, { body, contentType }: RequestInput): Payload {
    const headers = route.anonymous ? this.#anonymousHeaders : this.#headers;
    if (route.method === "GET" || body === undefined || body === null) return { body: undefined, headers };
    if (typeof body === "string") return { body, headers: { ...headers, "content-type": "text/plain;charset=UTF-8" } };
    if (body instanceof Uint8Array && contentType !== undefined)
      return { body, headers: { ...headers, "content-type": contentType } };
    if (body instanceof Uint8Array || isForm(body)) return { body, headers };
    const jsonHeaders = route.anonymous ? { ...headers, "content-type": "application/json" } : this.#jsonHeaders;
    return { body: (body instanceof JsonText ? body : JsonText.of(body)).text, headers: jsonHeaders };
  }
}

/** A caller's own copy of a shared result, since each caller may change what it gets. */
function ownCopy(key: string, result: unknown): unknown {
  return responseCache.get(key) ?? copyOf(result);
}

/** All attempts of a call that ended with an error response. */
function attemptsOf({ reply, failed, durationMs }: Answer): readonly Attempt[] {
  const { status, statusText: message } = reply;
  const number = failed.length + 1;
  return [...failed, { number, status, code: "HTTP_ERROR", message, durationMs, mayHaveArrived: false }];
}
