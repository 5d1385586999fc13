import type { IncomingMessage } from "node:http";
import { regionsDefinition } from "../../lib/core/regions.ts";
import { PlatformError } from "../core/platform-error.ts";

const OCTET = "(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)";
/** `localhost` (a final dot is the same name), names below it, 127.0.0.0/8 and ::1, each with or without a port. */
const LOOPBACK_AUTHORITY = new RegExp(
  `^((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\\.)*localhost\\.?|127(?:\\.${OCTET}){3}|\\[::1\\])(?::(\\d{1,5}))?$`,
  "i",
);

/** True for addresses that only this machine can reach. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/** True when a Host header, or the authority of a target, can only be this machine. */
export function namesThisMachine(authority: string): boolean {
  const found = LOOPBACK_AUTHORITY.exec(authority);
  return found !== null && Number(found[2] ?? 0) <= 65_535;
}

/**
 * The platform's own host names: for programs with a fixed Host header, and names redirected here by a hosts file. Only
 * the platform controls their DNS, so a web page cannot rebind them.
 */
const PLATFORM_NAMES: ReadonlySet<string> = new Set([
  ...[regionsDefinition["us-e1"], regionsDefinition["eu-w1"]]
    .flatMap(({ api = "", sse = "" }) => [api, sse])
    .map((url) => new URL(url).hostname),
  "api.us-e1.tago.io",
  "sse.us-e1.tago.io",
]);

/** True for exactly a host name of the platform, with or without a port. */
function namesThePlatform(authority: string): boolean {
  const [, name = "", port] = /^([a-z0-9.-]{1,64}?)\.?(?::(\d{1,5}))?$/i.exec(authority) ?? [];
  return PLATFORM_NAMES.has(name.toLowerCase()) && Number(port ?? 0) <= 65_535;
}

const notServed = (): PlatformError => new PlatformError(403, "This host name is not served here");
const invalid = (what: string): PlatformError => new PlatformError(400, `Invalid request: ${what}`);

/** The authority and the rest of an absolute-form target (`GET http://name/path`). */
function splitAbsolute(target: string): { readonly authority: string; readonly path: string } | undefined {
  const found = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)(.*)$/is.exec(target);
  if (found === null) return undefined;
  const [, authority = "", rest = ""] = found;
  return { authority, path: rest.startsWith("/") ? rest : `/${rest}` };
}

/** Whether it can be parsed as a URL, so that no later code fails on it. */
function isReadable(authority: string): boolean {
  return /^[^\s/?#@\\]+$/.test(authority) && URL.canParse(`http://${authority}/`);
}

/**
 * Checks the host names of a request before anything else does. A web page whose name resolves to this machine (DNS
 * rebinding) must not reach a sandbox that listens on this machine only; the same applies to its inspection routes
 * wherever it listens. Converts the target to its plain form.
 *
 * @throws PlatformError 400 for invalid names, 403 for those of other machines than this one and the platform
 */
export function checkHost(incoming: IncomingMessage, loopbackOnly: boolean): void {
  const names = incoming.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase());
  const given = names.filter((name) => name === "host").length;
  if (given > 1) throw invalid("more than one Host header");
  if (given === 0 && incoming.httpVersion !== "1.0") throw invalid("no Host header");

  const absolute = splitAbsolute(incoming.url ?? "/");
  if (absolute !== undefined) incoming.url = absolute.path;
  const isInspection = isInspectionPath(incoming.url ?? "");
  // HTTP/1.0 programs send no name; a web browser always does.
  const authorities = [incoming.headers.host, absolute?.authority].filter((name) => name !== undefined);
  for (const authority of authorities) {
    const isServed = namesThisMachine(authority) || (!isInspection && namesThePlatform(authority));
    if ((loopbackOnly || isInspection) && !isServed) throw notServed();
    if (!isReadable(authority)) throw invalid("the Host header cannot be read");
  }
  if (!incoming.url?.startsWith("/")) throw invalid("the target is not a path");
  const last = (authorities.at(-1) ?? "localhost").toLowerCase();
  // Links made of it lead back here, and not to the platform.
  incoming.headers.host = loopbackOnly && namesThePlatform(last) ? `localhost:${incoming.socket.localPort}` : last;
}

/** True for a target under `/__sandbox/`, in any spelling. */
export function isInspectionPath(target: string): boolean {
  return /^\/*__sandbox(\/|\?|$)/i.test(decoded(target));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path.split("?", 1)[0] ?? "");
  } catch {
    return path;
  }
}
