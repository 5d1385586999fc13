import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Route } from "../../lib/api/route.ts";
import { defined } from "../../lib/core/defined.ts";
import { ratesOf } from "../../lib/core/rates.ts";
import type { Policy } from "../access/policy.ts";
import type { Clock } from "../core/clock.ts";
import type { FaultRule } from "../core/fault-rules.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import type { ServedRoute } from "../core/served-route.ts";
import { DamagedDatabaseError } from "../store/database.ts";
import { type Assume, createAssume, GAP_HEADER, gapsNamed, type Strictness } from "./assumptions.ts";
import { tokenHeaderNames } from "./auth.ts";
import { failureReply } from "./envelope.ts";
import type { FaultInjector } from "./faults.ts";
import { httpGaps } from "./gaps.ts";
import type { Handler, RouteOptions } from "./handler.ts";
import { checkHost, isLoopback } from "./host-check.ts";
import { type ConnectionLimits, createListener, type ServerCertificate } from "./listener.ts";
import { createOriginCheck, type OriginCheck } from "./origin-check.ts";
import { detailsOf } from "./request-details.ts";
import { type RequestLog, redactUrl } from "./request-log.ts";
import { type Reply, send, sendTruncated } from "./respond.ts";
import { type Exchange, Router, type Serve } from "./router.ts";
import { type Binding, HandlerRunner, type RunnerDeps } from "./run-handler.ts";

export interface ServerDeps extends RunnerDeps {
  readonly faults: FaultInjector;
  readonly strict: Strictness;
  readonly requestLog: RequestLog;
  /** Address to listen at. With a loopback address, requests whose Host is not a loopback name are rejected. */
  readonly host: string;
  /** Origins whose web pages may use the sandbox. */
  readonly allowOrigins?: readonly string[];
  /** Default: generous ones. */
  readonly connectionLimits?: ConnectionLimits;
  /** Serves HTTPS with it. */
  readonly certificate?: ServerCertificate | undefined;
  /** Called with defects of the sandbox itself. */
  readonly log: (message: string) => void;
}

/**
 * Handles a request without the router's envelope; `sent` when it has already written to the response. `onCaller` passes
 * the log the caller, `assume` records that the response rests on an assumption: before the headers are sent.
 */
export type RawHandler = (
  request: Parameters<Serve>[0],
  onCaller: (principal: Principal) => void,
  assume: Assume,
) => Promise<Reply | "sent"> | Reply | "sent";

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

const wait = (delayMs: number): Promise<void> =>
  new Promise((resolve) => {
    // The listening socket keeps the process alive, this wait must not.
    setTimeout(resolve, delayMs).unref();
  });

/** Errors already logged: every request to a damaged database causes the same one. */
const told = new WeakSet<Error>();

/** Converts any thrown value to an error response; only defects of the sandbox itself become 500. */
function toPlatformError(error: unknown, log: (message: string) => void): PlatformError {
  if (error instanceof DamagedDatabaseError && !told.has(error)) {
    told.add(error);
    log(error.message);
  }
  if (error instanceof PlatformError) return error;
  if (error instanceof RangeError && /call stack/i.test(error.message)) {
    return new PlatformError(400, "The request is nested too deeply");
  }
  log(`Defect in the sandbox: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return new PlatformError(500, "The sandbox failed on this request; its log says where");
}

/** Injects faults into a request before it is served. */
async function applyFaults(rules: readonly FaultRule[]): Promise<"drop" | undefined> {
  for (const rule of rules) {
    if (rule.kind === "latency") await wait(rule.delayMs ?? 0);
    if (rule.kind === "drop") return "drop";
    if (rule.kind !== "status") continue;
    const status = rule.status ?? 500;
    const message = rule.message ?? (status === 429 ? "Too many requests" : "Injected fault");
    throw new PlatformError(status, message, undefined, rule.retryAfterSeconds);
  }
  return undefined;
}

/** The error to send: in strict mode another one, if it rests on an assumption. */
function withGap(error: PlatformError, assume: Assume): PlatformError {
  if (error.gap === undefined) return error;
  try {
    assume(error.gap);
    return error;
  } catch (refusal) {
    return refusal instanceof PlatformError ? refusal : error;
  }
}

/** The HTTP side of the sandbox: routes, tokens, bodies, envelope, CORS, Host and Origin checks, faults, request log. */
export class HttpServer {
  readonly #deps: ServerDeps;
  readonly #clock: Clock;
  readonly #policy: Policy;
  readonly #faults: FaultInjector;
  readonly #requestLog: RequestLog;
  readonly #strict: Strictness;
  readonly #log: (message: string) => void;
  readonly #router = new Router();
  /** Every route bound with `on`. */
  readonly bindings: Binding[] = [];
  readonly #checksHost: boolean;
  readonly #checkOrigin: OriginCheck;
  #findFile: Parameters<HttpServer["serveFiles"]>[0] = () => undefined;
  readonly #runner: HandlerRunner;
  #isClosed = false;
  #server: Server | undefined;

  constructor(deps: ServerDeps) {
    this.#deps = deps;
    this.#clock = deps.clock;
    this.#policy = deps.policy;
    this.#faults = deps.faults;
    this.#requestLog = deps.requestLog;
    this.#strict = deps.strict;
    this.#log = deps.log;
    this.#checksHost = isLoopback(deps.host);
    this.#checkOrigin = createOriginCheck(deps.allowOrigins ?? []);
    this.#runner = new HandlerRunner(deps);
  }

  /** Binds a handler; a route whose rule does not cover all kinds of token is an error. */
  on(route: Route, options: RouteOptions, handler: Handler): void {
    const kinds = this.#policy.register(route, options.tokens, options.rule);
    const binding = { route, kinds, options, rates: ratesOf(route.method, route.path), handler };
    this.#router.add(route.method, route.path, (request) =>
      this.#withFaultsAndLog(request, (_, onCaller, assume) => this.#runner.run(request, binding, onCaller, assume)),
    );
    this.bindings.push(binding);
  }

  /**
   * A route outside `on`. With `faults` it is one of the platform, with injected faults and assumptions; without, one
   * of the sandbox itself.
   */
  serve(method: string, path: string, serve: RawHandler, options: { readonly faults: boolean }): void {
    this.#router.add(method, path, (request) => this.#withFaultsAndLog(request, serve, options.faults));
  }

  /** Serves files at paths without a route. Paths without a file get the same response as before. */
  serveFiles(find: (request: Exchange & { readonly path: string }) => RawHandler | undefined): void {
    this.#findFile = find;
  }

  get routes(): readonly ServedRoute[] {
    return this.#router.routes;
  }

  listen(port: number): Promise<number> {
    const serve = this.#router.build((request) => this.#notFound(request));
    const listener = async (exchange: Exchange): Promise<void> => {
      try {
        await serve(exchange);
      } catch (error) {
        const reply = failureReply(toPlatformError(error, this.#log));
        if (exchange.outgoing.headersSent) exchange.outgoing.destroy();
        else send(exchange, reply);
      }
    };
    const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
      if (this.#admit(incoming, outgoing)) void listener({ incoming, outgoing });
    };
    const made = createListener(onRequest, this.#deps.connectionLimits, this.#deps.certificate);
    made.on("checkExpectation", (incoming: IncomingMessage, outgoing: ServerResponse) => {
      if (!this.#admit(incoming, outgoing)) return;
      send({ incoming, outgoing }, failureReply(new PlatformError(417, "Invalid request: unknown Expect header")));
    });
    this.#server = made;
    return new Promise((resolve, reject) => {
      made.once("error", reject);
      made.listen(port, this.#deps.host, () => {
        made.off("error", reject);
        resolve((made.address() as AddressInfo).port);
      });
    });
  }

  async close(): Promise<void> {
    const open = this.#server;
    this.#server = undefined;
    this.#isClosed = true;
    if (open === undefined) return;
    await new Promise<void>((resolve) => {
      open.close(() => resolve());
      open.closeAllConnections();
    });
  }

  /** Faults, errors and the log around one request. */
  async #withFaultsAndLog(
    request: Parameters<Serve>[0],
    work: RawHandler,
    isPlatform = true,
    isConsole = false,
  ): Promise<void> {
    const { incoming, outgoing } = request;
    const startedAt = performance.now();
    let token = "anonymous";
    const injected = isPlatform ? this.#faults.inject(incoming.method ?? "GET", request.path) : [];
    const assume = isPlatform ? createAssume(outgoing, this.#strict) : () => {};
    const note = (status: number, text?: string): void =>
      this.#requestLog.add(
        {
          time: new Date(this.#clock.now()).toISOString(),
          method: incoming.method ?? "",
          url: redactUrl(incoming.url ?? ""),
          status,
          durationMs: Math.round((performance.now() - startedAt) * 1000) / 1000,
          token,
          ...defined({ gap: gapsNamed(outgoing) }),
          ...((isConsole || incoming.headers["sec-fetch-site"] === "same-origin") && { console: true }),
        },
        detailsOf(incoming, text),
      );
    let reply: Reply | "sent";
    try {
      if ((await applyFaults(injected)) === "drop") {
        note(0);
        incoming.socket.destroy();
        return;
      }
      const onCaller = (principal: Principal): void => {
        token = principal.kind;
      };
      reply = await work(request, onCaller, assume);
    } catch (error) {
      // No response is possible: the client disconnected, or the sandbox was closed during the request.
      if (this.#isClosed || incoming.errored !== null || (incoming.destroyed && !incoming.complete)) return;
      reply = failureReply(withGap(toPlatformError(error, this.#log), assume));
    }
    if (reply === "sent") note(outgoing.statusCode);
    else note(reply.status, reply.text);
    if (reply === "sent") return;
    if (injected.some((rule) => rule.kind === "truncate")) return sendTruncated(request, reply);
    return send(request, reply);
  }

  #notFound(
    request: Exchange & { readonly params: Readonly<Record<string, string>>; readonly path: string },
  ): Promise<void> | void {
    const { incoming } = request;
    const file = this.#findFile(request);
    if (file !== undefined) return this.#withFaultsAndLog(request, file, false, true);
    if (incoming.method === "OPTIONS") {
      request.outgoing.writeHead(204, { ...CORS_HEADERS }).end();
      return;
    }
    return this.#withFaultsAndLog(request, () => {
      throw new PlatformError(404, "Route not found").assumed(httpGaps.unknownRoute);
    });
  }

  /** Whether a request passes the checks of host and origin. If not, it has been responded to. */
  #admit(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    try {
      outgoing.setHeader("vary", "Origin");
      checkHost(incoming, this.#checksHost);
      const origin = this.#checkOrigin(incoming);
      if (origin !== undefined) {
        outgoing.setHeader("access-control-allow-origin", origin);
        outgoing.setHeader("access-control-expose-headers", GAP_HEADER);
      }
      return true;
    } catch (error) {
      send({ incoming, outgoing }, failureReply(toPlatformError(error, this.#log)));
      return false;
    }
  }
}
