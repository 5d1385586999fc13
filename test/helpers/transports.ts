import { FetchTransport } from "../../src/lib/http/fetch-transport.ts";
import { NodeTransport } from "../../src/lib/http/node-transport.ts";
import type { Transport } from "../../src/lib/http/transport.ts";
import { UndiciTransport } from "../../src/lib/http/undici-transport.ts";

/** All ways to the network; every fault is tried with each. */
export const transports: readonly { readonly name: string; readonly transport: Transport }[] = [
  { name: "undici", transport: new UndiciTransport() },
  { name: "fetch", transport: new FetchTransport() },
  { name: "http", transport: new NodeTransport() },
];
