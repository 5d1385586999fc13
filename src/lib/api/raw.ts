import { InputError } from "../core/errors.ts";
import { queryString } from "../http/query-string.ts";
import type { HttpMethod } from "../http/transport.ts";
import { type CallOptions, type ClientOptions, HttpClient } from "./client.ts";
import type { Route } from "./route.ts";

/** A call by method and path instead of by name. */
export interface RawRequest extends CallOptions {
  /** `GET`, `POST`, `PUT` or `DELETE`. */
  readonly method: HttpMethod;
  /** Starts with `/`; sent as is, so encode its parts. */
  readonly path: string;
  /** Added to the path in the platform's form: `filter[name]=a`. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** Sent as JSON, unless it is a string, bytes or a form; not sent with GET. */
  readonly body?: unknown;
}

/** A response with status and headers. */
export interface RawReply {
  /** HTTP status, 200 to 299. */
  readonly status: number;
  /**
   * Returns a header of the response; undefined when missing.
   *
   * @param name in any case
   * @example
   * ```ts
   * const reply = await rawRequest({ token }, { method: "GET", path: "/device", query: { amount: 1 } });
   * console.log(reply.header("content-type"));
   * ```
   */
  header(name: string): string | undefined;
  /** The `result` of the platform's envelope; dates stay strings. */
  readonly result: unknown;
}

/**
 * Makes any call, with the retries and errors of the library. The result is not converted.
 *
 * @throws ApiError, RequestError, InputError or CancelledError
 * @example
 * ```ts
 * const { status, result } = await rawRequest({ token }, { method: "GET", path: "/profile/current" });
 * ```
 */
export async function rawRequest(params: ClientOptions, request: RawRequest): Promise<RawReply> {
  const { method, path, query, ...input } = request;
  if (!path.startsWith("/") || path.startsWith("//"))
    throw new InputError(`Invalid path "${path}": it must start with one "/"`, "path");
  if (/[\s#]/.test(path) || path.split(/[/?]/).some((part) => /^(\.|%2e){1,2}$/i.test(part))) {
    throw new InputError(`Invalid path "${path}": encode its parts, without "." and ".."`, "path");
  }
  const client = new HttpClient(params);
  const more = query === undefined ? "" : queryString(query);
  const joint = path.includes("?") ? "&" : "?";
  const whole = more === "" ? path : `${path}${joint}${more}`;
  const route: Route = { method, path: whole.replaceAll(":", "%3A"), anonymous: params.token === undefined };
  const { reply, result } = await client.exchange(route, input);
  return { status: reply.status, header: reply.header, result };
}
