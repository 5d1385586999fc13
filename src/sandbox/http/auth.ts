import type { IncomingHttpHeaders } from "node:http";
import { denied, PlatformError } from "../core/platform-error.ts";
import type { Permission, Principal, TokenKind } from "../core/principal.ts";
import type { QueryObject } from "../core/query.ts";
import { textOf } from "../core/query.ts";
import type { StoredToken, Tokens } from "../store/tokens.ts";
import { httpGaps } from "./gaps.ts";

/** Headers a token may come in; the first one found wins (docs/internals/platform/server.md, Tokens). */
const TOKEN_HEADERS = [
  "token",
  "authorization",
  "authentication",
  "account-token",
  "profile-token",
  "device-token",
  "analysis-token",
  "network-token",
  "middleware-token",
  "public-token",
] as const;

const TOKEN_QUERY = ["token", "authorization", "account_token", "device_token", "public_token"] as const;

/** Longer texts are no token of ours. */
const MAX_TOKEN_CHARS = 200;

/** Header names for the CORS answer. */
export const tokenHeaderNames: readonly string[] = TOKEN_HEADERS;

/** Query names whose values must not be logged. */
export const tokenQueryNames: readonly string[] = TOKEN_QUERY;

const ALLOWED: Readonly<Record<Permission, readonly string[]>> = {
  full: ["read", "write", "full"],
  write: ["write"],
  read: ["read"],
  deny: [],
};

function cleaned(value: string | undefined): string | undefined {
  const text = value?.replace(/^Bearer\s+/i, "").trim();
  return text === undefined || text === "" || text === "null" ? undefined : text;
}

/** The token of a request: from the headers, else from the query. The text `null` counts as none. */
export function tokenOf(headers: IncomingHttpHeaders, query: QueryObject): string | undefined {
  for (const name of TOKEN_HEADERS) {
    const value = headers[name];
    const token = cleaned(Array.isArray(value) ? value[0] : value);
    if (token !== undefined) return token;
  }
  for (const name of TOKEN_QUERY) {
    const token = cleaned(textOf(query[name]));
    if (token !== undefined) return token;
  }
  return undefined;
}

/** Who an anonymous route is called by. */
export const anonymous: Principal = { kind: "anonymous", profile: "", refId: "", permission: "deny", key: "" };

/** What a route asks of a token. */
export interface Demand {
  readonly kinds: readonly TokenKind[];
  readonly permission: "read" | "write" | "full";
}

/** Answers who a token belongs to; refuses unknown, expired, weak and wrong-kind ones alike. */
export function authorize(tokens: Tokens, token: string | undefined, demand: Demand): Principal {
  if (token === undefined) throw denied().assumed(httpGaps.noToken);
  if (token.length > MAX_TOKEN_CHARS || token.includes("\0")) throw denied();
  const found = tokens.authorize(token);
  if (found === undefined || !demand.kinds.includes(found.kind)) throw denied();
  if (!ALLOWED[found.permission].includes(demand.permission)) throw denied();
  if (found.kind === "device" && !found.isDeviceActive) throw new PlatformError(400, "Device is deactivated");
  return {
    kind: found.kind,
    profile: found.profile,
    refId: found.refId,
    permission: found.permission,
    key: found.key,
  };
}

/** Kinds that reach all of a profile. */
const WHOLE_PROFILE: readonly Principal["kind"][] = ["profile", "analysis", "service"];

/** True when a permission opens nothing that the other one does not. */
function covers(own: Permission, other: Permission): boolean {
  return ALLOWED[other].every((each) => ALLOWED[own].includes(each));
}

/** Nobody makes a token that may do more than the own one. */
export function refuseMore(principal: Principal, permission: Permission = "full"): void {
  if (!covers(principal.permission, permission)) throw denied().assumed(httpGaps.lesserToken);
}

/** The text of a token, for those whose own token may do as much; for others its end. */
export function shownToken(principal: Principal, { kind, permission, token }: StoredToken): string {
  const reaches = !WHOLE_PROFILE.includes(kind) || WHOLE_PROFILE.includes(principal.kind);
  return reaches && covers(principal.permission, permission) ? token : `********${token.slice(-4)}`;
}

/** Least permission by method: GET reads, POST and PUT write, DELETE needs everything. */
export function permissionFor(method: string): Demand["permission"] {
  if (method === "GET") return "read";
  return method === "DELETE" ? "full" : "write";
}
