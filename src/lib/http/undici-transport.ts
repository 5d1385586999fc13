/** (node) The transport on undici, which is loaded on first use: for proxies, own dispatchers and many requests a second. */
import type { Dispatcher } from "undici";
import type { PendingRequest } from "./exchange.ts";
import { isForm, writtenForm } from "./form.ts";
import { type NodeReply, NodeReplyTransport } from "./node-reply.ts";
import { type Authorities, trusting } from "./node-transport.ts";
import { checkProxy, proxyInEnvironment } from "./proxy.ts";
import { targetOf } from "./target.ts";
import type { TransportRequest } from "./transport.ts";

type Undici = typeof import("undici");

let loaded: Promise<Undici> | undefined;
function load(): Promise<Undici> {
  loaded ??= import("undici");
  return loaded;
}

export interface UndiciTransportOptions {
  /** Address of an HTTP proxy for every request; the environment's proxies otherwise. */
  readonly proxy?: string | undefined;
  readonly ca?: Authorities;
  /** Custom dispatcher; `proxy` and `ca` are then ignored. */
  readonly dispatcher?: Dispatcher | undefined;
}

/** Without options and proxies, requests go to undici's global dispatcher. */
export class UndiciTransport extends NodeReplyTransport {
  readonly name = "undici";
  readonly #options: UndiciTransportOptions;
  readonly #agents = new Map<string, Dispatcher>();

  /** @throws InputError for a proxy that is not an http or https address */
  constructor(options: UndiciTransportOptions = {}) {
    super();
    if (options.proxy !== undefined) checkProxy(options.proxy, "the option proxy");
    this.#options = options;
  }

  protected async open(request: TransportRequest): Promise<PendingRequest<NodeReply>> {
    const undici = await load();
    // undici only accepts its own form class.
    const { url, method, headers, body } = isForm(request.body) ? await writtenForm(request, request.body) : request;
    const dispatcher = this.#options.dispatcher ?? this.#agent(undici, url);
    // undici takes an emitter as well as an AbortSignal, and then sends half as many requests a second again.
    const stop = new (process.getBuiltinModule("node:events"))();
    const { origin, path } = targetOf(url);
    // What undici.request does, too, after it has parsed the address once more.
    const response = undici.Dispatcher.prototype.request.call(dispatcher, {
      origin: origin.origin,
      path,
      method,
      headers,
      body: (body ?? null) as string | Uint8Array | null,
      signal: stop,
      // The deadline of the exchange covers both.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    return { response, stop: () => stop.emit("abort") };
  }

  /** The dispatcher for an address. */
  #agent(undici: Undici, url: string): Dispatcher {
    const { proxy, ca } = this.#options;
    const address = proxy ?? proxyInEnvironment(url);
    if (address === undefined && ca === undefined) return undici.getGlobalDispatcher();
    const known = this.#agents.get(address ?? "");
    if (known !== undefined) return known;
    const tls = trusting(ca);
    const agent =
      address === undefined
        ? new undici.Agent({ connect: tls })
        : new undici.EnvHttpProxyAgent({
            httpProxy: address,
            httpsProxy: address,
            // NO_PROXY only applies to the environment's proxies.
            ...(proxy === undefined ? {} : { noProxy: "" }),
            connect: tls,
            requestTls: tls,
          });
    this.#agents.set(address ?? "", agent);
    return agent;
  }
}
