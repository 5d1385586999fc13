import { isLoopback } from "./host-check.ts";
import { isOwnOrigin } from "./origin-check.ts";
import type { Exchange } from "./router.ts";
import { PlatformError } from "./types.ts";

/** Marks the calls that the sandbox makes by itself for an action or a button. */
export const OWN_CALL_HEADER = "x-sandbox-own-call";

/** Only programs on this machine: no other address, no web page but the sandbox's own, and not the sandbox itself. */
export function refuseStrangers({ incoming }: Pick<Exchange, "incoming">): void {
  const address = (incoming.socket.remoteAddress ?? "").replace(/^::ffff:/, "");
  const site = incoming.headers["sec-fetch-site"];
  const isNear = site === undefined || site === "none" || site === "same-origin";
  const isOwn = incoming.headers.origin === undefined || isOwnOrigin(incoming);
  if (!isLoopback(address) || !isNear || !isOwn)
    throw new PlatformError(403, "Inspection is for programs on this machine");
  if (incoming.headers[OWN_CALL_HEADER] !== undefined)
    throw new PlatformError(403, "Actions and buttons do not reach the inspection routes");
}
