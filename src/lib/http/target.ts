/** An address whose path a URL parser leaves as it is, unless it has `.` or `..` in it. */
const plain = /^(https?:\/\/[^/?#@\\]+)(\/[\w\-.~!$&()*+,;=:@%/?[\]]*)$/;
const dots = /\/\.|%2e/i;
/** Callers and redirects name addresses too, so there may be any number of origins. */
const maxOrigins = 100;
const origins = new Map<string, Origin>();

/** An origin as requests name it. */
export interface Origin {
  readonly origin: string;
  readonly protocol: string;
  /** Without the brackets of an IPv6 address. */
  readonly hostname: string;
  readonly port: string;
  /** User and password of the address. */
  readonly auth: string | undefined;
}

function originOf({ origin, protocol, hostname, port, username, password }: URL): Origin {
  const auth = username === "" ? undefined : `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { origin, protocol, hostname: hostname.replace(/^\[|\]$/g, ""), port, auth };
}

/** Takes an address apart; `path` includes the query. Most requests go to the same origin, which is parsed once. */
export function targetOf(url: string): { readonly origin: Origin; readonly path: string } {
  const [, start, path] = (dots.test(url) ? null : plain.exec(url)) ?? [];
  if (start === undefined || path === undefined) {
    const parsed = new URL(url);
    return { origin: originOf(parsed), path: parsed.pathname + parsed.search };
  }
  let origin = origins.get(start);
  if (origin === undefined) {
    origin = originOf(new URL(start));
    if (origins.size === maxOrigins) origins.clear();
    origins.set(start, origin);
  }
  return { origin, path };
}
