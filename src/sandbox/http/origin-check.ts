import type { IncomingMessage } from "node:http";
import { httpOrigin } from "../../lib/core/http-origin.ts";
import { PlatformError } from "../core/platform-error.ts";
import { namesThisMachine } from "./host-check.ts";
import { schemeOf } from "./listener.ts";

const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** `Sec-Fetch-Site` of requests that no page of another site has caused. */
const NEAR_SITES: ReadonlySet<string | undefined> = new Set([undefined, "none", "same-origin", "same-site"]);

function refusal(origin: string): PlatformError {
  const known = httpOrigin(origin);
  const message =
    known === undefined
      ? "Requests from pages of other sites are rejected"
      : `Requests from pages of ${known} are rejected. Start the sandbox with --allow-origin ${known} to allow them`;
  return new PlatformError(403, message);
}

/** True when the page of a request is one of the sandbox itself, under any loopback name. */
export function isOwnOrigin({ headers, socket }: IncomingMessage): boolean {
  const { host = "", origin = "" } = headers;
  const scheme = schemeOf({ socket });
  const authority = origin.startsWith(`${scheme}://`) ? origin.slice(scheme.length + 3) : "";
  if (!namesThisMachine(authority) || !namesThisMachine(host)) return false;
  // A tunnel or a container may map the sandbox to another port.
  return authority === host || Number(/:(\d+)$/.exec(authority)?.[1] ?? DEFAULT_PORTS[scheme]) === socket.localPort;
}

/** Returns the origin whose pages may read the response, if there is one. */
export type OriginCheck = (incoming: IncomingMessage) => string | undefined;

/**
 * Creates the check of the origin of requests. Web pages reach a sandbox only from its own origin and from those that
 * are allowed; programs outside a browser send no `Origin`.
 *
 * The check throws a PlatformError (403).
 *
 * @throws RangeError for an entry that is not an http or https origin
 */
export function createOriginCheck(allowOrigins: readonly string[]): OriginCheck {
  const allowed = new Set(
    allowOrigins.map((text) => {
      const origin = httpOrigin(text);
      if (origin !== undefined) return origin;
      throw new RangeError(`"${text}" in allowOrigins is not an origin. Use one such as "http://localhost:3000".`);
    }),
  );
  return (incoming) => {
    const { origin, "sec-fetch-site": site } = incoming.headers;
    if (origin === undefined) {
      if (NEAR_SITES.has(site)) return undefined;
      throw refusal("");
    }
    if (allowed.has(origin) || isOwnOrigin(incoming)) return origin;
    throw refusal(origin);
  };
}
