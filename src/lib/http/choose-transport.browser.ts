import { FetchTransport } from "./fetch-transport.ts";
import type { Transport, TransportChoice } from "./transport.ts";

const globalFetch = new FetchTransport();

/** Browsers have one transport. Proxy and certificates are the browser's own settings. */
export function chooseTransport({ transport, fetch }: TransportChoice): Transport {
  if (typeof transport === "object") return transport;
  return fetch === undefined ? globalFetch : new FetchTransport(fetch);
}
