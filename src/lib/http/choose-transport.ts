/** (node) Chooses the transport on Node; browsers get choose-transport.browser.ts. */
import { InputError } from "../core/errors.ts";
import { environment, isNode } from "../core/platform.ts";
import { FetchTransport } from "./fetch-transport.ts";
import { NodeTransport } from "./node-transport.ts";
import { proxyInEnvironment } from "./proxy.ts";
import type { Transport, TransportChoice, TransportRequest } from "./transport.ts";
import { UndiciTransport } from "./undici-transport.ts";

const globalFetch = new FetchTransport();
const known = new Map<string, Transport>();

/** node:http knows no proxies: requests that need one go over undici. */
function overHttp(choice: TransportChoice): Transport {
  const direct = new NodeTransport(choice);
  const proxied = new UndiciTransport(choice);
  const chosen = ({ url }: TransportRequest) =>
    choice.proxy === undefined && proxyInEnvironment(url) === undefined ? direct : proxied;
  return {
    name: "http",
    send: (request) => chosen(request).send(request),
    stream: (request) => chosen(request).stream(request),
  };
}

function create(name: Transport["name"], choice: TransportChoice): Transport {
  if (name === "fetch") return globalFetch;
  return name === "undici" ? new UndiciTransport(choice) : overHttp(choice);
}

function nameOf(value: string): Transport["name"] {
  if (value === "http" || value === "undici" || value === "fetch") return value;
  throw new InputError(`Invalid transport "${value}": use http, undici or fetch`, "transport");
}

/**
 * Chooses the transport of a client: a custom one, the one for its `fetch` or `dispatcher` option, the one named by
 * `transport` or `IOT_TRANSPORT`, else node:http. Outside Node it is fetch. Clients with equal settings share connections.
 *
 * @throws InputError for a transport of another name, and for a proxy that is not an http or https address
 */
export function chooseTransport(choice: TransportChoice): Transport {
  const { transport, fetch, dispatcher, proxy, ca } = choice;
  if (typeof transport === "object") return transport;
  if (fetch !== undefined) return new FetchTransport(fetch);
  if (!isNode) return globalFetch;
  if (dispatcher !== undefined) return new UndiciTransport({ dispatcher });
  const name = nameOf(transport ?? environment("IOT_TRANSPORT") ?? "http");
  const key = JSON.stringify([name, proxy, ca]);
  let shared = known.get(key);
  if (shared === undefined) {
    shared = create(name, choice);
    known.set(key, shared);
  }
  return shared;
}
