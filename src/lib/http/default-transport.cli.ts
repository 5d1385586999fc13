/** (node) Chooses the transport of the command line: light unless a proxy is set. */
import { environment } from "../core/platform.ts";
import type { TransportChoice } from "./default-transport.ts";
import { FetchTransport } from "./fetch-transport.ts";
import { NodeHttpTransport } from "./node-http-transport.ts";
import type { Transport, TransportRequest } from "./transport.ts";

const proxyVariables = ["http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"];

/** Loads undici when the first request is made. */
function proxied(choice: TransportChoice): Transport {
  let inner: Promise<Transport> | undefined;
  const load = async (): Promise<Transport> => {
    const { UndiciTransport } = await import("./undici-transport.ts");
    return new UndiciTransport(choice);
  };
  const ready = () => {
    inner ??= load();
    return inner;
  };
  return {
    name: "undici",
    send: async (request: TransportRequest) => (await ready()).send(request),
    stream: async (request: TransportRequest) => (await ready()).stream(request),
  };
}

const known = new Map<string, Transport>();

/** As in the library; clients with the same settings share connections. */
export function chooseTransport(choice: TransportChoice): Transport {
  if (choice.fetch !== undefined) return new FetchTransport(choice.fetch);
  if (environment("IOT_TRANSPORT") === "fetch") return new FetchTransport();
  const usesProxy = choice.proxy !== undefined || proxyVariables.some((name) => environment(name) !== undefined);
  const key = JSON.stringify([usesProxy, choice.proxy, choice.ca]);
  let transport = known.get(key);
  if (transport === undefined) {
    transport =
      usesProxy || environment("IOT_TRANSPORT") === "undici" ? proxied(choice) : new NodeHttpTransport(choice);
    known.set(key, transport);
  }
  return transport;
}
