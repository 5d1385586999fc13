import type { IncomingMessage } from "node:http";
import type { PathValues } from "../../lib/api/route.ts";
import type { RouteRule } from "../access/demands.ts";
import type { Gap } from "../core/gap.ts";
import type { Principal, TokenKind } from "../core/principal.ts";
import type { QueryObject } from "../core/query.ts";

export interface HandlerContext<Path extends string = string, Body = unknown> {
  readonly params: PathValues<Path>;
  readonly query: QueryObject;
  /** Parsed JSON checked by the schema of the route, text for text/plain, `undefined` without a body. */
  readonly body: Body;
  readonly principal: Principal;
  /** Profile of the principal: every look-up is bound to it. */
  readonly profile: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly contentType: string;
    /** Origin the client reached the sandbox by, for links in answers. */
    readonly origin: string;
  };
  /** Time of the request in milliseconds. */
  readonly now: number;
  /** Tells that the answer rests on an assumption: named in a header, or refused when the sandbox is strict. */
  readonly assume: (gap: Gap) => void;
}

/** A result with another status than 200. Made with `created()`. */
export interface Answer {
  readonly answer: true;
  readonly status: number;
  readonly result: unknown;
  /** The result as JSON text, instead of `result`. */
  readonly json?: string;
}

/** A result that is JSON text already, so that long lists are not built as objects first. */
export function jsonResult(json: string): Answer {
  return { answer: true, status: 200, result: undefined, json };
}

export function created(result: unknown): Answer {
  return { answer: true, status: 201, result };
}

/**
 * Answers a request: the return value becomes `result`. Runs synchronously in a transaction of its own, so a throw
 * undoes everything it wrote.
 */
export type Handler<Path extends string = string, Body = unknown> = (context: HandlerContext<Path, Body>) => unknown;

/** What a body was refused for. */
export interface BodyIssue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Problems of each alternative of a union, with paths relative to this one. */
  readonly errors?: readonly (readonly BodyIssue[])[];
}

/** The part of a zod schema the server uses; schemas live in src/schema. */
export interface BodySchema<Body> {
  safeParse(
    value: unknown,
    options?: { error(issue: object): string | undefined },
  ):
    | { readonly success: true; readonly data: Body }
    | { readonly success: false; readonly error: { readonly issues: readonly BodyIssue[] } };
  /** Problems are answered as `message`, by field. Made by `messagesByField`. */
  readonly messagesByField?: boolean;
  /** The zod schema of what is accepted, where this only wraps one. */
  readonly schema?: object;
}

/** A body that was read by a route's own reader. */
export interface OwnBody {
  readonly body: unknown;
  /** Takes back what reading left behind. Called when the request is refused after all. */
  readonly discard?: () => void;
}

/** What is true of a route beside its method and path. */
export interface RouteOptions<Body = unknown> {
  /** Who besides profile tokens may call it, and what access rules are asked. */
  readonly rule: RouteRule;
  /** Kinds of token let in. Default: profile and analysis; only the profile's for `owner`, none for `anyone`. */
  readonly tokens?: readonly TokenKind[];
  /** Lets in requests without a token too; a token that is sent must be a good one. */
  readonly tokenOptional?: boolean;
  /** Least permission. Default by method: GET read, POST and PUT write, DELETE full. */
  readonly permission?: "read" | "write" | "full";
  /** Check of the body. Without it the body is handed over as `unknown`. */
  readonly body?: BodySchema<Body>;
  /** Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Runs before the handler, outside its transaction, and may answer a promise. What it answers takes the place of the
   * body; `undefined` leaves the body as it is.
   */
  prepare?(context: HandlerContext): unknown;
  /** Reads the body instead of the server, once the token is known to be good: for content too large for memory. */
  readonly read?: (incoming: IncomingMessage) => Promise<OwnBody>;
  /** Kind of record it creates: refused when a profile has as many as its plan allows. */
  readonly creates?: string;
  /** What the rows of its answer count as. Default: nothing. */
  readonly counts?: "output" | "dashboard_output";
  /** What it answers: an object with the id, or a text. Default: what the route says. */
  readonly result?: "id" | "text";
  /** Assumptions that all of its answers rest on. Those about a part of them are told with `assume`. */
  readonly gaps?: readonly Gap[];
}

/** A route that has a handler. */
export interface ServedRoute {
  /** HTTP method. */
  readonly method: string;
  /** Path with a `:name` for every part. */
  readonly path: string;
}
