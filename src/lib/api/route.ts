import { InputError } from "../core/errors.ts";
import type { HttpMethod } from "../http/transport.ts";
import type { ResultKind } from "./result-kind.ts";

/** Names of the `:parts` of a path: `PathParts<"/device/:deviceID/data">` is `"deviceID"`. */
export type PathParts<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer Tail}`
    ? Name | PathParts<`/${Tail}`>
    : Rest
  : never;

/** Defaults of a list query. */
export interface ListDefaults {
  /** Fields returned unless the query names others. */
  readonly fields?: readonly string[];
  /** Field and direction unless the query names others. */
  readonly orderBy?: readonly [field: string, direction: "asc" | "desc"];
}

/** What a route says besides method and path. */
export interface RouteTraits {
  /** Properties of the result, by dotted path, that hold a date. */
  readonly dates?: readonly string[];
  /** The route takes the list query with these defaults. */
  readonly list?: ListDefaults;
  /** Identical calls in flight share one request. Only for reads whose result no caller's own write can change. */
  readonly share?: boolean;
  /** Milliseconds a result may be reused; implies `share`. */
  readonly cacheMs?: number;
  /** The call carries no token. */
  readonly anonymous?: boolean;
}

/** One operation of the wire: the client calls it, the sandbox serves it, the tests walk it. */
export interface Route<Path extends string = string, Result extends ResultKind = ResultKind> extends RouteTraits {
  /** HTTP method. */
  readonly method: HttpMethod;
  /** Path with a `:name` for every part. */
  readonly path: Path;
  /** Kind of the result. By default a GET returns an object, or a list when it takes the list query. */
  readonly result?: Result;
}

/** Values of the path parts of a route. */
export type PathValues<Path extends string> = { readonly [Name in PathParts<Path>]: string };

interface Returning<Result extends ResultKind> extends RouteTraits {
  readonly result: Result;
}

export function get<const Path extends string, const Result extends ResultKind>(
  path: Path,
  traits: Returning<Result>,
): Route<Path, Result>;
export function get<const Path extends string>(
  path: Path,
  traits: RouteTraits & { readonly list: ListDefaults },
): Route<Path, "list">;
export function get<const Path extends string>(path: Path, traits?: RouteTraits): Route<Path, "object">;
export function get(path: string, traits: RouteTraits = {}): Route {
  return { result: traits.list === undefined ? "object" : "list", ...traits, method: "GET", path };
}

function write(method: HttpMethod) {
  function route<const Path extends string, const Result extends ResultKind>(
    path: Path,
    traits: Returning<Result>,
  ): Route<Path, Result>;
  function route<const Path extends string>(path: Path, traits?: RouteTraits): Route<Path, "any">;
  function route(path: string, traits: RouteTraits = {}): Route {
    return { result: "any", ...traits, method, path };
  }
  return route;
}

export const post = write("POST");
export const put = write("PUT");
export const del = write("DELETE");

/**
 * Encodes one part of a path. `.`, `..` and an empty string are rejected: they survive encoding, and would reach
 * another address than the one named.
 */
export function encodePart(value: unknown, name: string): string {
  const text = typeof value === "number" ? String(value) : value;
  if (typeof text !== "string" || text === "" || text === "." || text === "..") {
    throw new InputError(
      `Invalid ${name}: ${typeof text === "string" ? `"${text}"` : typeof value} cannot be part of an address`,
      name,
    );
  }
  try {
    return encodeURIComponent(text);
  } catch {
    throw new InputError(`Invalid ${name}: the string is not valid Unicode`, name);
  }
}

const compiled = new Map<string, readonly string[]>();

/** Fills the parts of a path: even pieces are fixed strings, odd ones names. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> | undefined): string {
  // Also keeps paths that callers write themselves out of the Map, which only routes may fill.
  if (!path.includes(":")) return path;
  let pieces = compiled.get(path);
  if (pieces === undefined) {
    pieces = path.split(/:([A-Za-z_]+)/);
    compiled.set(path, pieces);
  }
  let text = "";
  for (let i = 0; i < pieces.length; i += 1) {
    const piece = pieces[i] ?? "";
    text += i % 2 === 0 ? piece : encodePart(params?.[piece], piece);
  }
  return text;
}
