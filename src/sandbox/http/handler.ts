import type { IncomingMessage } from "node:http";
import type { PathValues } from "../../lib/api/route.ts";
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
}

/** A body that was read by a route's own reader. */
export interface OwnBody {
  readonly body: unknown;
  /** Takes back what reading left behind. Called when the request is refused after all. */
  readonly discard?: () => void;
}

export interface HandlerOptions<Body = unknown> {
  /** Kinds of token let in. Default: profile and analysis; none for routes marked anonymous. */
  readonly tokens?: readonly TokenKind[];
  /**
   * What tokens other than a profile's may do where no demand of access rules covers them (src/sandbox/policy):
   * `own`: the handler touches only what belongs to the token; `free`: what every token of these kinds is made for.
   * A route that leaves it open is refused when it is registered.
   */
  readonly rule?: "own" | "free";
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
}

/** A route that has a handler. */
export interface ServedRoute {
  /** HTTP method. */
  readonly method: string;
  /** Path with a `:name` for every part. */
  readonly path: string;
}
