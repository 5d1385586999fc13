import { ApiError, type RequestInfo } from "../core/errors.ts";
import { isRecord } from "../core/json.ts";

/** Kinds of results, and what a call may promise of each. */
interface Results {
  /** A list of objects. */
  readonly rows: readonly object[];
  /** Any list. */
  readonly list: readonly unknown[];
  /** An object without `[Symbol.iterator]`, which lists have. */
  readonly object: object & { readonly [Symbol.iterator]?: never };
  /** A string. */
  readonly text: string;
  /** A number. */
  readonly number: number;
  /** Null, or no result at all. */
  readonly nothing: null;
  /** How the platform confirms a write: a string as a rule, but never a number or a list. */
  readonly done: unknown;
}

/** Kind of a result. */
export type ResultKind = keyof Results;

/** One kind, or several of which any will do. */
export type ResultKinds = ResultKind | readonly ResultKind[];

/** What a call of a route may promise. */
export type ResultOf<Kinds extends ResultKinds> = Kinds extends readonly (infer Kind extends ResultKind)[]
  ? Results[Kind]
  : Kinds extends ResultKind
    ? Results[Kinds]
    : never;

const checks: Readonly<Record<ResultKind, (result: unknown) => boolean>> = {
  rows: (result) => Array.isArray(result) && result.every(isRecord),
  list: Array.isArray,
  object: isRecord,
  text: (result) => typeof result === "string",
  number: (result) => typeof result === "number",
  nothing: (result) => result === null || result === undefined,
  done: (result) => typeof result !== "number" && !Array.isArray(result),
};

const names: Readonly<Record<ResultKind, string>> = {
  rows: "a list",
  list: "a list",
  object: "an object",
  text: "a string",
  number: "a number",
  nothing: "nothing",
  done: "a confirmation",
};

/** True when the result is of one of the kinds. */
export function isOfKind(result: unknown, kinds: ResultKinds): boolean {
  return typeof kinds === "string" ? checks[kinds](result) : kinds.some((kind) => checks[kind](result));
}

function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The error for a success whose result is of none of the kinds; it names the operation. */
export function invalidResult(
  result: unknown,
  kinds: ResultKinds,
  reply: RequestInfo & { readonly status: number; readonly statusText: string },
): ApiError {
  const wanted = typeof kinds === "string" ? [kinds] : kinds;
  const isMixed = Array.isArray(result) && wanted.includes("rows");
  const found = isMixed
    ? `a list with ${kindOf(result.find((row) => !isRecord(row)))} where an object belongs`
    : `${kindOf(result)} where ${wanted.map((kind) => names[kind]).join(" or ")} belongs`;
  return new ApiError(`Invalid reply from ${reply.method} ${reply.url}: ${found}`, {
    ...reply,
    code: "INVALID_REPLY",
    data: result,
  });
}
