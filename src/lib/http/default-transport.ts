/** (node) Chooses the transport of Node; browsers get another file in its place. */
import { environment, isNode } from "../core/platform.ts";
import { type Fetch, FetchTransport } from "./fetch-transport.ts";
import type { Transport } from "./transport.ts";
import { UndiciTransport } from "./undici-transport.ts";

/** What decides which transport is used. */
export interface TransportChoice {
  /** Own fetch; the fetch transport is then used. */
  readonly fetch?: Fetch | undefined;
  /** Address of an HTTP proxy (Node). */
  readonly proxy?: string | undefined;
  /** Certificates (PEM) of further authorities to trust (Node). */
  readonly ca?: string | readonly string[] | undefined;
}

let shared: UndiciTransport | undefined;
const configured = new Map<string, UndiciTransport>();
const globalFetch = new FetchTransport();

/**
 * The transport for a client: fetch when one is given, outside Node, or with `IOT_TRANSPORT=fetch`; undici
 * otherwise. Clients with the same settings share connections.
 */
export function chooseTransport(choice: TransportChoice): Transport {
  if (choice.fetch !== undefined) return new FetchTransport(choice.fetch);
  if (!isNode || environment("IOT_TRANSPORT") === "fetch") return globalFetch;
  if (choice.proxy === undefined && choice.ca === undefined) {
    shared ??= new UndiciTransport();
    return shared;
  }
  const key = JSON.stringify([choice.proxy, choice.ca]);
  let transport = configured.get(key);
  if (transport === undefined) {
    transport = new UndiciTransport(choice);
    configured.set(key, transport);
  }
  return transport;
}
