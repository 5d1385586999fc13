/** (node) Chooses the transport on Node; browsers get choose-transport.browser.ts. */
import { InputError } from "../core/errors.ts";
import { environment, isNode } from "../core/platform.ts";
import { FetchTransport } from "./fetch-transport.ts";
import { NodeTransport } from "./node-transport.ts";
import { hasProxyInEnvironment } from "./proxy.ts";
import type { Transport, TransportChoice } from "./transport.ts";
import { UndiciTransport } from "./undici-transport.ts";

const globalFetch = new FetchTransport();
const known = new Map<string, Transport>();

function create(name: Transport["name"], choice: TransportChoice): Transport {
  if (name === "fetch") return globalFetch;
  return name === "undici" ? new UndiciTransport(choice) : new NodeTransport(choice);
}

function nameOf(value: string): Transport["name"] {
  if (value === "http" || value === "undici" || value === "fetch") return value;
  throw new InputError(`Invalid transport "${value}": use http, undici or fetch`, "transport");
}

/**
 * Chooses the transport of a client: a custom one, the one for its `fetch` or `dispatcher` option, the one named by
 * `transport` or `IOT_TRANSPORT`, else node:http, or undici where there is a proxy. Outside Node it is fetch. Clients
 * with equal settings share connections.
 *
 * @throws InputError for a transport of another name, and for a proxy that is not an http or https address
 */
export function chooseTransport(choice: TransportChoice): Transport {
  const { transport, fetch, dispatcher, proxy, ca } = choice;
  if (typeof transport === "object") return transport;
  if (fetch !== undefined) return new FetchTransport(fetch);
  if (!isNode) return globalFetch;
  if (dispatcher !== undefined) return new UndiciTransport({ dispatcher });
  const named = nameOf(transport ?? environment("IOT_TRANSPORT") ?? "http");
  // node:http knows no proxies.
  const name = named === "http" && (proxy !== undefined || hasProxyInEnvironment()) ? "undici" : named;
  const key = JSON.stringify([name, proxy, ca]);
  let shared = known.get(key);
  if (shared === undefined) {
    shared = create(name, choice);
    known.set(key, shared);
  }
  return shared;
}
