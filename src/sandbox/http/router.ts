import type { IncomingMessage, ServerResponse } from "node:http";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import { tryDecodeURI, tryDecodeURIComponent } from "hono/utils/url";
import { PlatformError } from "../core/platform-error.ts";
import { splitTarget } from "../core/query.ts";
import { routeKey } from "../core/route-key.ts";
import type { ServedRoute } from "../core/served-route.ts";

/** A request and its response, from Node. */
export interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

const unreadable = (): PlatformError => new PlatformError(400, "Invalid request: the target cannot be read");

/** Handles a request whose route was found. */
export type Serve = (
  request: Exchange & { readonly params: Readonly<Record<string, string>>; readonly path: string },
) => Promise<void> | void;

interface Entry extends ServedRoute {
  readonly segments: readonly string[];
  readonly serve: Serve;
}

/** Fixed segments before parameters, so that `/device/params` is not taken for a device id. */
function bySpecificity(a: Entry, b: Entry): number {
  const length = Math.max(a.segments.length, b.segments.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.segments[i]?.startsWith(":") ? 1 : 0;
    const right = b.segments[i]?.startsWith(":") ? 1 : 0;
    if (left !== right) return left - right;
  }
  return 0;
}

/** Request targets that need no decoding. */
const PLAIN_TARGET = /^\/[!$&-;=@-Z_a-z~%]*(?:\?|$)/;
/** Targets that are not URL paths, or that browsers interpret differently. */
const UNREADABLE_TARGET = /^(?!\/|https?:\/\/)|\\/i;
const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

function urlOf(target: string): URL {
  try {
    return new URL(target.startsWith("/") ? `http://localhost${target}` : target);
  } catch {
    throw unreadable();
  }
}

/**
 * The path of a request target, without dot segments and, where the meaning stays the same, without percent encoding.
 */
function pathOf(target: string): string {
  if (UNREADABLE_TARGET.test(target)) throw unreadable();
  const [start] = splitTarget(target);
  const isPlain = PLAIN_TARGET.test(target) && !DOT_SEGMENT.test(start);
  const path = isPlain ? start : urlOf(target).pathname;
  return path.includes("%") ? tryDecodeURI(path.replaceAll("%25", "%2525")) : path;
}

const withoutFinalSlash = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

/** Collects routes in any order; no more can be added after the first request. */
export class Router {
  readonly #entries = new Map<string, Entry>();

  add(method: string, path: string, serve: Serve): void {
    const key = routeKey(method, path);
    if (this.#entries.has(key)) throw new Error(`The route ${method} ${path} has a handler already`);
    this.#entries.set(key, { method, path, serve, segments: path.split("/").filter((segment) => segment !== "") });
  }

  has(method: string, path: string): boolean {
    return this.#entries.has(routeKey(method, path));
  }

  get routes(): readonly ServedRoute[] {
    return [...this.#entries.values()].map(({ method, path }) => ({ method, path }));
  }

  /**
   * Creates the dispatcher of all requests.
   *
   * The function throws a PlatformError (400) for an invalid target.
   */
  build(notFound: Serve): (exchange: Exchange) => Promise<void> | void {
    const router = new SmartRouter<Entry>({ routers: [new RegExpRouter(), new TrieRouter()] });
    for (const entry of [...this.#entries.values()].sort(bySpecificity)) {
      // Numbered names: routes with different names for the same parameter can then share the fast router.
      let index = 0;
      const path = `/${entry.segments.map((segment) => (segment.startsWith(":") ? `:p${index++}` : segment)).join("/")}`;
      router.add(entry.method, path, entry);
    }
    return (exchange) => {
      const path = pathOf(exchange.incoming.url ?? "/");
      const method = exchange.incoming.method === "HEAD" ? "GET" : (exchange.incoming.method ?? "GET");
      const [found, stash] = router.match(method, withoutFinalSlash(path));
      const [entry, values] = found[0] ?? [];
      if (entry === undefined || values === undefined) return notFound({ ...exchange, params: {}, path });
      const names = entry.segments.filter((segment) => segment.startsWith(":")).map((segment) => segment.slice(1));
      const params = Object.fromEntries(
        names.map((name, position) => {
          const value = values[`p${position}`];
          const text = typeof value === "number" ? stash?.[value] : value;
          return [name, tryDecodeURIComponent(text ?? "")];
        }),
      );
      return entry.serve({ ...exchange, params, path });
    };
  }
}
