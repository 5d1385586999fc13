import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Route } from "../../lib/api/route.ts";
import type { Policy } from "../access/policy.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal, TokenKind } from "../core/principal.ts";
import { decodeQuery } from "../core/query.ts";
import type { Tokens } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { anonymous, authorize, permissionFor, tokenHeaderNames, tokenOf } from "./auth.ts";
import { readBody } from "./body.ts";
import { checkBody } from "./check-body.ts";
import type { FaultRule, Faults } from "./faults.ts";
import type { Answer, Handler, HandlerContext, HandlerOptions, OwnBody, ServedRoute } from "./handler.ts";
import { checkHost, isLoopback } from "./host-check.ts";
import type { Limits } from "./limits.ts";
import { type ConnectionLimits, createListener, type ServerCertificate, schemeOf } from "./listener.ts";
import { createOriginCheck } from "./origin-check.ts";
import { type RequestLog, redactUrl } from "./request-log.ts";
import { type Reply, send, sendTruncated } from "./respond.ts";
import { createRouter, type Exchange, type Serve } from "./router.ts";

const DEFAULT_KINDS: readonly TokenKind[] = ["profile", "analysis"];
const DEFAULT_BODY_BYTES = 1024 * 1024;
export interface ServerDeps {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly policy: Policy;
  /** Told what a handler answered. */
  readonly served: (route: Route, principal: Principal, result: unknown) => void;
  readonly faults: Faults;
  readonly limits: Limits;
  readonly requestLog: RequestLog;
  /** Address to listen at. Other than loopback names are refused in the Host header unless this is another address. */
  readonly host: string;
  /** Origins whose web pages may use the sandbox. */
  readonly allowOrigins?: readonly string[];
  /** Default: generous ones. */
  readonly connectionLimits?: ConnectionLimits;
  /** Answers https with it. */
  readonly certificate?: ServerCertificate | undefined;
  /** Told about defects of the sandbox itself. */
  readonly log: (message: string) => void;
}

/** Serves a request by itself; `sent` when it has written to the answer already. `seen` tells the log who asked. */
export type OwnServe = (
  request: Parameters<Serve>[0],
  seen: (principal: Principal) => void,
) => Promise<Reply | "sent"> | Reply | "sent";

/** A handler with the route it is bound to and the kinds of token let in there. */
interface Binding {
  readonly route: Route;
  readonly kinds: readonly TokenKind[];
  readonly options: HandlerOptions;
  readonly handler: Handler;
}

export interface HttpServer {
  handle(route: Route, options: HandlerOptions, handler: Handler): void;
  /** A route outside `handle`: the event stream, which struck by faults too, and the inspection routes, which are not. */
  serve(method: string, path: string, serve: OwnServe, options: { readonly faults: boolean }): void;
  readonly routes: readonly ServedRoute[];
  listen(port: number): Promise<number>;
  close(): Promise<void>;
}

const CORS_HEADERS: Readonly<Record<string, string>> = {
  "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
  "access-control-allow-headers": [
    "Content-Type",
    "Cache-Control",
    "Pragma",
    "X-Requested-With",
    ...tokenHeaderNames,
  ].join(", "),
  "access-control-max-age": "86400",
};

const JSON_HEADERS: Readonly<Record<string, string>> = {
  "content-type": "application/json; charset=utf-8",
};

function isAnswer(value: unknown): value is Answer {
  return typeof value === "object" && value !== null && "answer" in value && value.answer === true;
}

/** The envelope of a success. */
export function successReply(result: unknown): Reply {
  const answer = isAnswer(result) ? result : undefined;
  const value = answer === undefined ? result : answer.result;
  const json = answer?.json ?? JSON.stringify(value ?? null);
  return {
    status: answer?.status ?? 200,
    text: `{"status":true,"result":${json}}`,
    headers: JSON_HEADERS,
  };
}

/** The envelope of a refusal. */
export function failureReply(error: PlatformError): Reply {
  const { status, fieldErrors, retryAfterSeconds } = error;
  const message = error.messages ?? error.message;
  const body =
    fieldErrors === undefined ? { status: false, message } : { status: false, message, field_errors: fieldErrors };
  const headers =
    retryAfterSeconds === undefined ? JSON_HEADERS : { ...JSON_HEADERS, "retry-after": String(retryAfterSeconds) };
  return { status, text: JSON.stringify(body), headers };
}

const wait = (delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    // The listening socket keeps the process alive, this wait must not.
    setTimeout(resolve, delayMs).unref();
  });

/** Origin a request came to, for links that lead back. */
export function originOf(incoming: IncomingMessage): string {
  return `${schemeOf(incoming)}://${incoming.headers.host ?? "127.0.0.1"}`;
}

/** Turns whatever was thrown into a refusal; only defects of the sandbox itself become 500. */
function toPlatformError(error: unknown, log: (message: string) => void): PlatformError {
  if (error instanceof PlatformError) return error;
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return new PlatformError(400, "The request is nested too deeply");
  }
  log(`Defect in the sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new PlatformError(500, "The sandbox failed on this request; its log says where");
}

/** What the faults make of a request before it is served. */
async function applyFaults(rules: readonly FaultRule[]): Promise<"drop" | undefined> {
  for (const rule of rules) {
    if (rule.kind === "latency") await wait(rule.delayMs ?? 1_000);
    if (rule.kind === "drop") return "drop";
    if (rule.kind !== "status") continue;
    const status = rule.status ?? 500;
    const message = rule.message ?? (status === 429 ? "Too many requests" : "Injected fault");
    throw new PlatformError(status, message, undefined, rule.retryAfterSeconds);
  }
  return undefined;
}

/** The HTTP side of the sandbox: routes, tokens, bodies, envelope, CORS, Host and Origin checks, faults, request log. */
export function createServer(deps: ServerDeps): HttpServer {
  const { db, clock, tokens, policy, faults, limits, requestLog, log } = deps;
  const router = createRouter();
  const checksHost = isLoopback(deps.host);
  const checkOrigin = createOriginCheck(deps.allowOrigins ?? []);

  /** Runs a handler, all or nothing. A refusal may leave something behind: a code that was sent. */
  const perform = (work: () => unknown): unknown => {
    try {
      return db.transaction(work);
    } catch (error) {
      if (error instanceof PlatformError && error.afterwards !== undefined) db.transaction(error.afterwards);
      throw error;
    }
  };

  const runHandler = async (
    request: Parameters<Serve>[0],
    { route, kinds, options, handler }: Binding,
    seen: (principal: Principal) => void,
  ): Promise<Reply> => {
    const { incoming, params, path } = request;
    const url = incoming.url ?? "/";
    const cut = url.indexOf("?");
    const query = decodeQuery(cut < 0 ? "" : url.slice(cut + 1));
    let principal = anonymous;
    const token = tokenOf(incoming.headers, query);
    if (route.anonymous !== true && (token !== undefined || options.tokenOptional !== true)) {
      principal = authorize(tokens, token, {
        kinds,
        permission: options.permission ?? permissionFor(route.method),
      });
      seen(principal);
    }
    const limited = { method: route.method, path: route.path, profile: principal.profile };
    if (principal.kind !== "anonymous") limits.countRequest(limited, query);
    const read: OwnBody =
      options.read === undefined
        ? { body: await readBody(incoming, options.maxBodyBytes ?? DEFAULT_BODY_BYTES) }
        : await options.read(incoming);
    try {
      policy.check(principal, route, { params, query, body: read.body });
      let context: HandlerContext = {
        params,
        query,
        body: checkBody(options.body, read.body),
        principal,
        profile: principal.profile,
        request: {
          method: route.method,
          path,
          contentType: incoming.headers["content-type"] ?? "",
          origin: originOf(incoming),
        },
        now: clock.now(),
      };
      if (options.prepare !== undefined) {
        const prepared = options.prepare(context);
        const replaced: unknown = prepared instanceof Promise ? await prepared : prepared;
        if (replaced !== undefined) context = { ...context, body: replaced };
      }
      const result = perform(() => {
        if (principal.kind !== "anonymous") limits.checkRoom(limited);
        return policy.within(principal, route, () => handler(context));
      });
      if (result instanceof Promise)
        throw new TypeError(`The handler of ${route.method} ${route.path} is not synchronous`);
      // What the handler wrote, or saw of others' writes, is on disk before anybody hears of it.
      await db.committed();
      deps.served(route, principal, result);
      return successReply(result);
    } catch (error) {
      read.discard?.();
      throw error;
    }
  };

  /** Faults, errors and the log around one request. */
  const guarded = async (request: Parameters<Serve>[0], work: OwnServe, withFaults = true): Promise<void> => {
    const { incoming } = request;
    const startedAt = performance.now();
    let token = "anonymous";
    const struck = withFaults ? faults.strike(incoming.method ?? "GET", request.path) : [];
    const note = (status: number): void =>
      requestLog.add({
        time: new Date(clock.now()).toISOString(),
        method: incoming.method ?? "",
        url: redactUrl(incoming.url ?? ""),
        status,
        durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
        token,
      });
    let reply: Reply | "sent";
    try {
      if ((await applyFaults(struck)) === "drop") {
        note(0);
        incoming.socket.destroy();
        return;
      }
      reply = await work(request, (principal) => {
        token = principal.kind;
      });
    } catch (error) {
      // Nobody is left to hear an answer: the client went away, or the sandbox was closed under the request.
      if (isClosed || incoming.errored !== null || (incoming.destroyed && !incoming.complete)) return;
      reply = failureReply(toPlatformError(error, log));
    }
    note(reply === "sent" ? request.outgoing.statusCode : reply.status);
    if (reply === "sent") return;
    if (struck.some((rule) => rule.kind === "truncate")) return sendTruncated(request, reply);
    return send(request, reply);
  };

  const notFound: Serve = (request) => {
    const { incoming } = request;
    if (incoming.method === "OPTIONS") {
      request.outgoing.writeHead(204, { ...CORS_HEADERS }).end();
      return;
    }
    return guarded(request, () => {
      throw new PlatformError(404, "Route not found");
    });
  };

  let isClosed = false;
  let server: Server | undefined;

  /** Whether a request may go on: by the names it was sent to, and the page it comes from. If not, it has been answered. */
  const admit = (incoming: IncomingMessage, outgoing: ServerResponse): boolean => {
    try {
      outgoing.setHeader("vary", "Origin");
      checkHost(incoming, checksHost);
      const origin = checkOrigin(incoming);
      if (origin !== undefined) outgoing.setHeader("access-control-allow-origin", origin);
      return true;
    } catch (error) {
      send({ incoming, outgoing }, failureReply(toPlatformError(error, log)));
      return false;
    }
  };

  const listen = (port: number): Promise<number> => {
    const serve = router.build(notFound);
    const listener = async (exchange: Exchange): Promise<void> => {
      try {
        await serve(exchange);
      } catch (error) {
        const reply = failureReply(toPlatformError(error, log));
        if (exchange.outgoing.headersSent) exchange.outgoing.destroy();
        else send(exchange, reply);
      }
    };
    const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      if (admit(incoming, outgoing)) void listener({ incoming, outgoing });
    };
    const made = createListener(onRequest, deps.connectionLimits, deps.certificate);
    made.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      if (!admit(incoming, outgoing)) return;
      send({ incoming, outgoing }, failureReply(new PlatformError(417, "Invalid request: unknown Expect header")));
    });
    server = made;
    return new Promise((resolve, reject) => {
      made.once("error", reject);
      made.listen(port, deps.host, () => {
        made.off("error", reject);
        resolve((made.address() as AddressInfo).port);
      });
    });
  };

  return {
    handle: (route, options, handler) => {
      const tokens = route.anonymous === true ? [] : (options.tokens ?? DEFAULT_KINDS);
      const binding = { route, kinds: policy.register(route, tokens, options.rule), options, handler };
      router.add(route.method, route.path, (request) =>
        guarded(request, (_, seen) => runHandler(request, binding, seen)),
      );
    },
    serve: (method, path, serve, options) =>
      router.add(method, path, (request) => guarded(request, serve, options.faults)),
    get routes() {
      return router.routes;
    },
    listen,
    close: async () => {
      const open = server;
      server = undefined;
      isClosed = true;
      if (open === undefined) return;
      await new Promise<void>((resolve) => {
        open.close(() => resolve());
        open.closeAllConnections();
      });
    },
  };
}
