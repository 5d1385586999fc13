import { ApiError, type RequestInfo } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";

/** Kinds of results, and what a call may promise of each. */
interface Results {
  /** Anything. */
  readonly any: unknown;
  /** An object without `[Symbol.iterator]`, which lists have. */
  readonly object: object & { readonly [Symbol.iterator]?: never };
  /** A list of anything. */
  readonly list: readonly unknown[];
  /** What a data query returns: a list, or a number for `count`, `avg` and `sum`. */
  readonly data: readonly unknown[] | number;
}

/** Kind of a result. */
export type ResultKind = keyof Results;

/** What a call of a route may promise. */
export type ResultOf<Kind extends ResultKind> = Results[Kind];

const checks: Readonly<Record<ResultKind, (result: unknown) => boolean>> = {
  any: () => true,
  object: isRecord,
  list: Array.isArray,
  data: (result) => Array.isArray(result) || typeof result === "number",
};

const names: Readonly<Record<ResultKind, string>> = {
  any: "anything",
  object: "an object",
  list: "a list",
  data: "a list or a number",
};

/** True when the result is of the kind. */
export function isOfKind(result: unknown, kind: ResultKind): boolean {
  return checks[kind](result);
}

/** A success is a success, whatever it returns; only a value that should be a list and is not cannot be read. Strict callers read objects too. */
export function isAccepted(result: unknown, kind: ResultKind, strict = false): boolean {
  return (kind === "object" && !strict) || isOfKind(result, kind);
}

function found(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The error for a success whose result is of another kind; it names the operation. */
export function invalidResult(
  result: unknown,
  kind: ResultKind,
  reply: RequestInfo & { readonly status: number; readonly statusText: string },
): ApiError {
  const message = `Invalid reply from ${reply.method} ${reply.url}: expected ${names[kind]}, got ${found(result)}`;
  return new ApiError(message, { ...reply, code: "INVALID_REPLY", data: result });
}
