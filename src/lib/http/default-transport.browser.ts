import { type Fetch, FetchTransport } from "./fetch-transport.ts";
import type { Transport } from "./transport.ts";

const globalFetch = new FetchTransport();

/** The web platform has one transport. Proxy and certificates are the browser's own business there. */
export function chooseTransport(choice: { readonly fetch?: Fetch | undefined }): Transport {
  return choice.fetch === undefined ? globalFetch : new FetchTransport(choice.fetch);
}
