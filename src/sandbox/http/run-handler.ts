import type { IncomingMessage } from "node:http";
import type { Route } from "../../lib/api/route.ts";
import type { Rate } from "../../lib/core/rates.ts";
import type { Policy } from "../access/policy.ts";
import type { Caller } from "../core/caller.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import type { Principal, TokenKind } from "../core/principal.ts";
import { decodeQuery, type QueryObject, splitTarget } from "../core/query.ts";
import type { Tokens } from "../store/tokens.ts";
import type { SandboxDatabase } from "../store/types.ts";
import type { Assume } from "./assumptions.ts";
import { anonymous, authorize, permissionFor, tokenOf } from "./auth.ts";
import { hasBody, readBody } from "./body.ts";
import { checkBody } from "./check-body.ts";
import { successReply } from "./envelope.ts";
import { httpGaps } from "./gaps.ts";
import type { Handler, HandlerContext, OwnBody, RouteOptions } from "./handler.ts";
import type { PlanLimits } from "./limits.ts";
import { schemeOf } from "./listener.ts";
import type { Reply } from "./respond.ts";
import type { Serve } from "./router.ts";

const DEFAULT_BODY_BYTES = 1024 * 1024;

export interface RunnerDeps {
  readonly db: SandboxDatabase;
  readonly clock: Clock;
  readonly tokens: Tokens;
  readonly policy: Policy;
  readonly caller: Caller;
  readonly limits: PlanLimits;
  /** Called with the result of a handler. */
  readonly served: (options: RouteOptions, principal: Principal, result: unknown) => void;
}

/** A handler with its route and the kinds of token accepted there. */
export interface Binding {
  readonly route: Route;
  readonly kinds: readonly TokenKind[];
  readonly options: RouteOptions;
  /** Limits its requests may count for. */
  readonly rates: readonly Rate[];
  readonly handler: Handler;
}

type Request = Parameters<Serve>[0];

/** Origin of a request, for links back to the sandbox. */
export function originOf(incoming: IncomingMessage): string {
  return `${schemeOf(incoming)}://${incoming.headers.host ?? "127.0.0.1"}`;
}

function queryOf({ url = "/" }: IncomingMessage): QueryObject {
  return decodeQuery(splitTarget(url)[1]);
}

async function bodyOf({ read, maxBodyBytes }: RouteOptions, incoming: IncomingMessage): Promise<OwnBody> {
  return read === undefined ? { body: await readBody(incoming, maxBodyBytes ?? DEFAULT_BODY_BYTES) } : read(incoming);
}

/** Runs the routes that have a handler: token, limits, body, rules, transaction and envelope. */
export class HandlerRunner {
  readonly #deps: RunnerDeps;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
  }

  async run(
    request: Request,
    binding: Binding,
    onCaller: (principal: Principal) => void,
    assume: Assume,
  ): Promise<Reply> {
    const { db, limits, policy } = this.#deps;
    const { incoming, params } = request;
    const { route, options, rates } = binding;
    const query = queryOf(incoming);
    const principal = this.#principalOf(incoming, query, binding);
    if (principal.kind !== "anonymous") {
      onCaller(principal);
      limits.countRequest(rates, principal.profile, query);
    }
    for (const gap of options.gaps ?? []) assume(gap);
    // Some programs send the parameters in both: published clients with such calls work on the platform.
    const hasIdleBody = route.method === "GET" && hasBody(incoming);
    if (hasIdleBody) assume(httpGaps.bodyOfGet);
    const { body, discard }: OwnBody = hasIdleBody ? { body: undefined } : await bodyOf(options, incoming);
    try {
      policy.check(principal, route, { params, query, body });
      const checked = checkBody(options.body, body, assume);
      const context = this.#contextOf(request, route, { query, body: checked, principal, assume });
      const prepared: unknown = options.prepare?.(context);
      const replaced = prepared instanceof Promise ? ((await prepared) as unknown) : prepared;
      const result = this.#inTransaction(binding, replaced === undefined ? context : { ...context, body: replaced });
      // What the handler wrote, or read of others' writes, is on disk before the response is sent.
      await db.committed();
      this.#deps.served(options, principal, result);
      return successReply(result);
    } catch (error) {
      discard?.();
      throw error;
    }
  }

  #principalOf(incoming: IncomingMessage, query: QueryObject, { route, kinds, options }: Binding): Principal {
    const token = tokenOf(incoming.headers, query);
    if (route.anonymous === true || (token === undefined && options.tokenOptional === true)) return anonymous;
    const permission = options.permission ?? permissionFor(route.method);
    return authorize(this.#deps.tokens, token, { kinds, permission });
  }

  #contextOf(
    { incoming, params, path }: Request,
    { method }: Route,
    known: Pick<HandlerContext, "query" | "body" | "principal" | "assume">,
  ): HandlerContext {
    return {
      ...known,
      params,
      profile: known.principal.profile,
      request: {
        method,
        path,
        contentType: incoming.headers["content-type"] ?? "",
        origin: originOf(incoming),
      },
      now: this.#deps.clock.now(),
    };
  }

  /** Runs the handler, all or nothing. An error can still store something: a code that was sent. */
  #inTransaction({ route, options, handler }: Binding, context: HandlerContext): unknown {
    const { db, caller, limits, policy } = this.#deps;
    const { principal, profile } = context;
    const work = (): unknown => {
      if (principal.kind !== "anonymous" && options.creates !== undefined) limits.checkRoom(options.creates, profile);
      return caller.as(principal, () => policy.within(principal, route, () => handler(context)));
    };
    try {
      const result = db.transaction(work);
      if (!(result instanceof Promise)) return result;
    } catch (error) {
      if (error instanceof PlatformError && error.afterwards !== undefined) db.transaction(error.afterwards);
      throw error;
    }
    throw new TypeError(`The handler of ${route.method} ${route.path} is not synchronous`);
  }
}
