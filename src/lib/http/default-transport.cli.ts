/** (node) Chooses the transport of the command line: light unless a proxy is set. */
import { environment } from "../core/platform.ts";
import type { TransportChoice } from "./default-transport.ts";
import { FetchTransport } from "./fetch-transport.ts";
import { NodeHttpTransport } from "./node-http-transport.ts";
import { proxyInEnvironment } from "./proxy.ts";
import type { Transport, TransportRequest } from "./transport.ts";

/** node:http knows no proxies: undici is loaded for the requests that need one. */
function create(choice: TransportChoice): Transport {
  const light = new NodeHttpTransport(choice);
  let proxied: Promise<Transport> | undefined;
  const load = async (): Promise<Transport> => {
    const { UndiciTransport } = await import("./undici-transport.ts");
    return new UndiciTransport(choice);
  };
  const chosen = ({ url }: TransportRequest): Transport | Promise<Transport> => {
    if (choice.proxy === undefined && !proxyInEnvironment(url)) return light;
    proxied ??= load();
    return proxied;
  };
  return {
    name: "http",
    send: async (request) => (await chosen(request)).send(request),
    stream: async (request) => (await chosen(request)).stream(request),
  };
}

const known = new Map<string, Transport>();

/** As in the library; clients with the same settings share connections. */
export function chooseTransport(choice: TransportChoice): Transport {
  if (choice.fetch !== undefined) return new FetchTransport(choice.fetch);
  if (environment("IOT_TRANSPORT") === "fetch") return new FetchTransport();
  const key = JSON.stringify([choice.proxy, choice.ca]);
  let transport = known.get(key);
  if (transport === undefined) {
    transport = create(choice);
    known.set(key, transport);
  }
  return transport;
}
