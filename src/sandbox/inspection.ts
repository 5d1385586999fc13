import { isLoopback } from "./host-check.ts";
import type { Exchange } from "./router.ts";
import { PlatformError } from "./types.ts";

/** Only programs on this machine: no other address, and no web page but the sandbox's own, which would send its origin. */
export function refuseStrangers({ incoming }: Pick<Exchange, "incoming">): void {
  const address = (incoming.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const site = incoming.headers["sec-fetch-site"];
  const isPage =
    incoming.headers.origin !== undefined || (site !== undefined && site !== "none" && site !== "same-origin");
  if (!isLoopback(address) || isPage) throw new PlatformError(403, "Inspection is for programs on this machine");
}

/** No page may read these answers. */
export function withoutCors(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { "access-control-allow-origin": _, ...rest } = headers;
  return rest;
}
