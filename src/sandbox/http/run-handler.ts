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
import type { Limits } from "./limits.ts";
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
  readonly limits: Limits;
  /** Told what a handler answered. */
  readonly served: (options: RouteOptions, principal: Principal, result: unknown) => void;
}

/** A handler with the route it is bound to and the kinds of token let in there. */
export interface Binding {
  readonly route: Route;
  readonly kinds: readonly TokenKind[];
  readonly options: RouteOptions;
  /** Limits its requests may count for. */
  readonly rates: readonly Rate[];
  readonly handler: Handler;
}

type Request = Parameters<Serve>[0];

/** Origin a request came to, for links that lead back. */
export function originOf(incoming: IncomingMessage): string {
  return `${schemeOf(incoming)}://${incoming.headers.host ?? "127.0.0.1"}`;
}

function queryOf({ url = "/" }: IncomingMessage): QueryObject {
  return decodeQuery(splitTarget(url)[1]);
}

/** Makes what serves the routes that have a handler: token, limits, body, rules, transaction and envelope. */
export function createRunner(deps: RunnerDeps) {
  const { db, clock, tokens, policy, limits } = deps;

  /** Runs a handler, all or nothing. A refusal may leave something behind: a code that was sent. */
  const perform = (work: () => unknown): unknown => {
    try {
      return db.transaction(work);
    } catch (error) {
      if (error instanceof PlatformError && error.afterwards !== undefined) db.transaction(error.afterwards);
      throw error;
    }
  };

  const principalOf = (incoming: IncomingMessage, query: QueryObject, { route, kinds, options }: Binding) => {
    const token = tokenOf(incoming.headers, query);
    if (route.anonymous === true || (token === undefined && options.tokenOptional === true)) return anonymous;
    return authorize(tokens, token, { kinds, permission: options.permission ?? permissionFor(route.method) });
  };

  const read = async ({ read, maxBodyBytes }: RouteOptions, incoming: IncomingMessage): Promise<OwnBody> =>
    read === undefined ? { body: await readBody(incoming, maxBodyBytes ?? DEFAULT_BODY_BYTES) } : read(incoming);

  return async (
    request: Request,
    binding: Binding,
    onCaller: (principal: Principal) => void,
    assume: Assume,
  ): Promise<Reply> => {
    const { incoming, params, path } = request;
    const { route, options, handler, rates } = binding;
    const query = queryOf(incoming);
    const principal = principalOf(incoming, query, binding);
    const { profile } = principal;
    const isKnown = principal.kind !== "anonymous";
    if (isKnown) {
      onCaller(principal);
      limits.countRequest(rates, profile, query);
    }
    for (const gap of options.gaps ?? []) assume(gap);
    // Some programs put the parameters into both: published clients with such calls work on the platform.
    const hasIdleBody = route.method === "GET" && hasBody(incoming);
    if (hasIdleBody) assume(httpGaps.bodyOfGet);
    const { body, discard }: OwnBody = hasIdleBody ? { body: undefined } : await read(options, incoming);
    try {
      policy.check(principal, route, { params, query, body });
      let context: HandlerContext = {
        params,
        query,
        body: checkBody(options.body, body, assume),
        principal,
        profile,
        request: {
          method: route.method,
          path,
          contentType: incoming.headers["content-type"] ?? "",
          origin: originOf(incoming),
        },
        now: clock.now(),
        assume,
      };
      if (options.prepare !== undefined) {
        const prepared = options.prepare(context);
        const replaced: unknown = prepared instanceof Promise ? await prepared : prepared;
        if (replaced !== undefined) context = { ...context, body: replaced };
      }
      const result = perform(() => {
        if (isKnown && options.creates !== undefined) limits.checkRoom(options.creates, profile);
        return deps.caller.as(principal, () => policy.within(principal, route, () => handler(context)));
      });
      if (result instanceof Promise)
        throw new TypeError(`The handler of ${route.method} ${route.path} is not synchronous`);
      // What the handler wrote, or saw of others' writes, is on disk before anybody hears of it.
      await db.committed();
      deps.served(options, principal, result);
      return successReply(result);
    } catch (error) {
      discard?.();
      throw error;
    }
  };
}
