/** An address whose path a URL parser leaves as it is, unless it has `.` or `..` in it. */
const plain = /^(https?:\/\/[^/?#@\\]+)(\/[\w\-.~!$&()*+,;=:@%/?[\]]*)$/;
const dots = /\/\.|%2e/i;
/** Callers and redirects name addresses too, so there may be any number of origins. */
const maxOrigins = 100;
const origins = new Map<string, URL>();

/** Takes an address apart; `path` includes the query. Most requests go to the same origin, which is parsed once. */
export function targetOf(url: string): { readonly origin: URL; readonly path: string } {
  const [, start, path] = (dots.test(url) ? null : plain.exec(url)) ?? [];
  if (start === undefined || path === undefined) {
    const origin = new URL(url);
    return { origin, path: origin.pathname + origin.search };
  }
  let origin = origins.get(start);
  if (origin === undefined) {
    origin = new URL(start);
    if (origins.size === maxOrigins) origins.clear();
    origins.set(start, origin);
  }
  return { origin, path };
}
