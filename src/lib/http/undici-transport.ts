/** (node) The port on undici: one pool per origin, kept alive, loaded on first use. */
import type { Dispatcher } from "undici";
import { CancelledError } from "../core/errors.ts";
import { CONNECT_TIMEOUT_MS } from "../core/limits.ts";
import { isForm, writtenForm } from "./form.ts";
import { NodeHttpTransport } from "./node-http-transport.ts";
import { checkProxy, proxyInEnvironment } from "./proxy.ts";
import type { Transport, TransportReply, TransportRequest, TransportStream } from "./transport.ts";
import { type ExchangeHandler, ReplyHandler, StreamHandler, type Tracked } from "./undici-exchange.ts";

/** Connections a pool opens to one origin at the most. */
const maxConnections = 64;

export interface UndiciTransportOptions {
  /** Address of an HTTP proxy for every request; the environment's proxies otherwise. */
  readonly proxy?: string | undefined;
  /** Certificates (PEM) of authorities to trust besides the usual ones. */
  readonly ca?: string | readonly string[] | undefined;
  /** Wait for a connection. */
  readonly connectTimeoutMs?: number | undefined;
}

interface Exchange {
  origin: string;
  path: string;
  request: TransportRequest;
}

type Dispatch = (options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler & Tracked) => boolean;

function split(url: string): { origin: string; path: string } {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  return start < 0 ? { origin: url, path: "/" } : { origin: url.slice(0, start), path: url.slice(start) };
}

const globalDispatcherKey = Symbol.for("undici.globalDispatcher.1");

/** The dispatcher a program has set for the whole process, or undefined when it is only the default one. */
function chosenDispatcher(): Dispatcher | undefined {
  const dispatcher = (globalThis as { [globalDispatcherKey]?: Dispatcher })[globalDispatcherKey];
  if (dispatcher === undefined || knownDefaults.has(dispatcher)) return undefined;
  if (!isPlainAgent(dispatcher)) return dispatcher;
  knownDefaults.add(dispatcher);
  return undefined;
}

const knownDefaults = new WeakSet<Dispatcher>();

/** Recognises the agent that undici and Node set up by themselves: class `Agent`, nothing composed, no options. */
function isPlainAgent(dispatcher: Dispatcher): boolean {
  if (dispatcher.constructor.name !== "Agent") return false;
  const prototype = Object.getPrototypeOf(dispatcher) as { dispatch?: unknown };
  if (dispatcher.dispatch !== prototype.dispatch) return false;
  const key = Object.getOwnPropertySymbols(dispatcher).find((symbol) => symbol.description === "options");
  const options = key === undefined ? {} : ((dispatcher as unknown as Record<symbol, unknown>)[key] ?? {});
  return Object.values(options).every((value) => value === undefined || value === Number.POSITIVE_INFINITY);
}

/** Transport of Node. Idle connections do not keep the process alive. */
export class UndiciTransport implements Transport {
  readonly name = "undici";
  readonly #options: UndiciTransportOptions;
  #http: NodeHttpTransport | undefined;
  readonly #dispatches = new Map<string, Dispatch>();

  /** @throws InputError for a proxy that is no http or https address */
  constructor(options: UndiciTransportOptions = {}) {
    if (options.proxy !== undefined) checkProxy(options.proxy, "the option proxy");
    this.#options = options;
  }

  send(request: TransportRequest): Promise<TransportReply> {
    // undici knows only its own form class, not the one of the program.
    const { body } = request;
    if (isForm(body)) return writtenForm(request, body).then((written) => this.send(written));
    // Bytes are those of uploads. The parser of undici is WebAssembly: optimising it takes 32 MiB for a moment.
    if (body instanceof Uint8Array && this.#isDirect(request)) return this.#overHttp().send(request);
    return this.#start(request, (resolve, reject) => new ReplyHandler(request, resolve, reject));
  }

  /** Streams go over node:http where nothing speaks against it: outside the pool, and with 35 MiB less memory. */
  stream(request: TransportRequest): Promise<TransportStream> {
    if (this.#isDirect(request)) return this.#overHttp().stream(request);
    return this.#start(request, (resolve, reject) => new StreamHandler(request, resolve, reject));
  }

  /** Whether nobody but us has a say in how the request goes out. */
  #isDirect(request: TransportRequest): boolean {
    const { origin } = split(request.url);
    return chosenDispatcher() === undefined && this.#options.proxy === undefined && !proxyInEnvironment(origin);
  }

  #overHttp(): NodeHttpTransport {
    this.#http ??= new NodeHttpTransport({ ca: this.#options.ca });
    return this.#http;
  }

  #start<T>(
    request: TransportRequest,
    makeHandler: (resolve: (value: T) => void, reject: (error: unknown) => void) => ExchangeHandler,
  ): Promise<T> {
    const exchange = { ...split(request.url), request };
    const dispatch = this.#known(exchange.origin);
    // Looked at when the pool is ready, not before: opening one takes a while, and a signal tells its end only once.
    const run = (ready: Dispatch) =>
      new Promise<T>((resolve, reject) => {
        if (request.signal?.aborted) reject(new CancelledError(undefined, request.signal.reason));
        else start(ready, exchange, makeHandler(resolve, reject));
      });
    return dispatch === undefined ? this.#open(exchange.origin).then(run) : run(dispatch);
  }

  #known(origin: string): Dispatch | undefined {
    if (this.#options.proxy === undefined && this.#options.ca === undefined) {
      const chosen = chosenDispatcher();
      if (chosen !== undefined) return (options, handler) => chosen.dispatch(options, handler);
    }
    return this.#dispatches.get(origin);
  }

  async #open(origin: string): Promise<Dispatch> {
    const made = await this.#make(origin);
    const dispatch = this.#dispatches.get(origin) ?? made;
    this.#dispatches.set(origin, dispatch);
    return dispatch;
  }

  /** A shorter timeout of a request is kept by the exchange: one pool serves all. */
  async #make(origin: string): Promise<Dispatch> {
    const { proxy, ca } = this.#options;
    const tls = ca === undefined ? {} : { ca: trusted(ca) };
    const connect = { timeout: this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS, ...tls };
    const common = { connections: maxConnections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, connect };
    const usesProxy = proxy !== undefined || proxyInEnvironment(origin);
    if (usesProxy) {
      const { default: EnvHttpProxyAgent } = await import("undici/lib/dispatcher/env-http-proxy-agent.js");
      const { default: BaseDispatcher } = await import("undici/lib/dispatcher/dispatcher.js");
      const { default: connectTunnel } = await import("undici/lib/api/api-connect.js");
      // Its tunnels need this method, which otherwise only the whole package gives to every dispatcher.
      BaseDispatcher.prototype.connect ??= connectTunnel;
      const named = proxy === undefined ? {} : { httpProxy: proxy, httpsProxy: proxy, noProxy: "" };
      const agent = new EnvHttpProxyAgent({ ...common, requestTls: tls, ...named });
      return (options, handler) => agent.dispatch(options, handler);
    }
    const { default: Pool } = await import("undici/lib/dispatcher/pool.js");
    const { default: Client } = await import("undici/lib/dispatcher/client.js");
    const pool = new Pool(origin, {
      ...common,
      factory: (to, options) => trackReuse(new Client(to, options)),
    });
    return (options, handler) => pool.dispatch(options, handler);
  }
}

/** Own authorities are added to the usual ones, not put in their place. */
function trusted(ca: string | readonly string[]): string[] {
  const { rootCertificates } = process.getBuiltinModule("node:tls");
  return [...rootCertificates, ...(typeof ca === "string" ? [ca] : ca)];
}

/** Notes on each handler whether its connection has served before: only then can a reset mean a stale connection. */
function trackReuse<C extends Dispatcher>(client: C): C {
  let served = 0;
  const forget = () => {
    served = 0;
  };
  client.on("disconnect", forget);
  client.on("connectionError", forget);
  const dispatch = client.dispatch.bind(client) as Dispatch;
  client.dispatch = ((options, handler: Dispatcher.DispatchHandler & Tracked) => {
    handler.reused = served > 0;
    served += 1;
    return dispatch(options, handler);
  }) as C["dispatch"];
  return client;
}

function start(dispatch: Dispatch, exchange: Exchange, handler: ExchangeHandler): void {
  const { request, origin, path } = exchange;
  try {
    dispatch(
      {
        origin,
        path,
        method: request.method,
        headers: request.headers,
        body: (request.body ?? null) as NonNullable<Dispatcher.DispatchOptions["body"]> | null,
      },
      handler,
    );
  } catch (error) {
    handler.onError(error instanceof Error ? error : new Error(String(error)));
  }
}
