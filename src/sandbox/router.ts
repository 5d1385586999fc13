import type { HttpBindings } from "@hono/node-server";
import { Hono } from "hono";
import type { ServedRoute } from "./public.ts";

export type NodeEnv = { Bindings: HttpBindings };

/** One served route, as the contract tests see it. */
export type Serve = (
  request: HttpBindings & { readonly params: Readonly<Record<string, string>>; readonly path: string },
) => Promise<Response> | Response;

interface Entry extends ServedRoute {
  readonly segments: readonly string[];
  readonly serve: Serve;
}

/** Key under which two routes are the same: part names do not count, nor does a final slash. */
export function routeKey(method: string, path: string): string {
  return `${method} ${path.replaceAll(/:[A-Za-z_]+/g, ":").replace(/(.)\/$/, "$1")}`;
}

/** Fixed segments before parts, so that `/device/params` is not taken for a device id. */
function bySpecificity(a: Entry, b: Entry): number {
  const length = Math.max(a.segments.length, b.segments.length);
  for (let i = 0; i < length; i += 1) {
    const left = a.segments[i]?.startsWith(":") ? 1 : 0;
    const right = b.segments[i]?.startsWith(":") ? 1 : 0;
    if (left !== right) return left - right;
  }
  return 0;
}

/** Collects routes in any order and builds the Hono application from them. */
export interface Router {
  add(method: string, path: string, serve: Serve): void;
  has(method: string, path: string): boolean;
  readonly routes: readonly ServedRoute[];
  build(notFound: Serve): Hono<NodeEnv>;
}

export function createRouter(): Router {
  const entries = new Map<string, Entry>();
  return {
    add: (method, path, serve) => {
      const key = routeKey(method, path);
      if (entries.has(key)) throw new Error(`The route ${method} ${path} has a handler already`);
      entries.set(key, { method, path, serve, segments: path.split("/").filter((segment) => segment !== "") });
    },
    has: (method, path) => entries.has(routeKey(method, path)),
    get routes() {
      return [...entries.values()].map(({ method, path }) => ({ method, path }));
    },
    build: (notFound) => {
      const app = new Hono<NodeEnv>({ strict: false });
      for (const entry of [...entries.values()].sort(bySpecificity)) {
        const names = entry.segments.filter((segment) => segment.startsWith(":")).map((segment) => segment.slice(1));
        // Numbered names: routes that call the same part differently can then share Hono's fast router.
        let index = 0;
        const path = `/${entry.segments.map((segment) => (segment.startsWith(":") ? `:p${index++}` : segment)).join("/")}`;
        app.on(entry.method, path, (c) => {
          const params = Object.fromEntries(names.map((name, position) => [name, c.req.param(`p${position}`) ?? ""]));
          return entry.serve({ ...c.env, params, path: c.req.path });
        });
      }
      app.all("*", (c) => notFound({ ...c.env, params: {}, path: c.req.path }));
      return app;
    },
  };
}
