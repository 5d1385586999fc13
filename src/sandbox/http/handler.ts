import type { IncomingMessage } from "node:http";
import type { PathValues } from "../../lib/api/route.ts";
import type { RouteRule } from "../access/demands.ts";
import type { Gap } from "../core/gap.ts";
import type { Principal, TokenKind } from "../core/principal.ts";
import type { QueryObject } from "../core/query.ts";

export interface HandlerContext<Path extends string = string, Body = unknown> {
  readonly params: PathValues<Path>;
  readonly query: QueryObject;
  /** Parsed JSON checked by the schema of the route, a string for text/plain, `undefined` without a body. */
  readonly body: Body;
  readonly principal: Principal;
  /** Profile of the principal: every look-up is restricted to it. */
  readonly profile: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly contentType: string;
    /** Origin the client used, for links in responses. */
    readonly origin: string;
  };
  /** Time of the request in milliseconds. */
  readonly now: number;
  /** Records that the response rests on an assumption: named in a header, or rejected when the sandbox is strict. */
  readonly assume: (gap: Gap) => void;
}

/** A result with another status than 200. Created with `created()`. */
export interface Answer {
  readonly answer: true;
  readonly status: number;
  readonly result: unknown;
  /** The result as JSON text, instead of `result`. */
  readonly json?: string;
}

/** A result that is already JSON text, so that long lists are not built as objects first. */
export function jsonResult(json: string): Answer {
  return { answer: true, status: 200, result: undefined, json };
}

export function created(result: unknown): Answer {
  return { answer: true, status: 201, result };
}

/**
 * Handles a request: the return value becomes `result`. Runs synchronously in a transaction, so a throw undoes
 * everything it wrote.
 */
export type Handler<Path extends string = string, Body = unknown> = (context: HandlerContext<Path, Body>) => unknown;

/** A problem of a body. */
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
  /** Problems are returned as `message`, by field. Created by `messagesByField`. */
  readonly messagesByField?: boolean;
  /** The zod schema of the accepted body, if this only wraps one. */
  readonly schema?: object;
}

/** A body from a custom reader of a route. */
export interface OwnBody {
  readonly body: unknown;
  /** Undoes what the reader did. Called when the request is rejected afterwards. */
  readonly discard?: () => void;
}

/** Options of a route beside its method and path. */
export interface RouteOptions<Body = unknown> {
  /** Permission to call it for tokens other than profile tokens, and its demand on access rules. */
  readonly rule: RouteRule;
  /** Accepted kinds of token. Default: profile and analysis; only the profile's for `owner`, none for `anyone`. */
  readonly tokens?: readonly TokenKind[];
  /** Also accepts requests without a token; a token that is sent must be valid. */
  readonly tokenOptional?: boolean;
  /** Lowest permission. Default by method: GET read, POST and PUT write, DELETE full. */
  readonly permission?: "read" | "write" | "full";
  /** Check of the body. Without it the body is passed on as `unknown`. */
  readonly body?: BodySchema<Body>;
  /** Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /**
   * Runs before the handler, outside its transaction, and can return a promise. Its result replaces the body;
   * `undefined` leaves the body unchanged.
   */
  prepare?(context: HandlerContext): unknown;
  /** Reads the body instead of the server, after the token was checked: for content too large for memory. */
  readonly read?: (incoming: IncomingMessage) => Promise<OwnBody>;
  /** Kind of record it creates: rejected when a profile has as many as its plan allows. */
  readonly creates?: string;
  /** What the rows of its response count as. Default: nothing. */
  readonly counts?: "output" | "dashboard_output";
  /** Result type: an object with the id, or a string. Default: that of the route. */
  readonly result?: "id" | "text";
  /** Assumptions that all of its responses rest on. Those about some responses are recorded with `assume`. */
  readonly gaps?: readonly Gap[];
}
