import type { IncomingHttpHeaders } from "node:http";
import { denied, PlatformError } from "../core/platform-error.ts";
import type { Permission, Principal, TokenKind } from "../core/principal.ts";
import type { QueryObject } from "../core/query.ts";
import { textOf } from "../core/query.ts";
import type { StoredToken, Tokens } from "../store/tokens.ts";
import { httpGaps } from "./gaps.ts";

/** Headers a token can be in; the first one found wins (docs/internals/platform/server.md, Tokens). */
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

/** Longer strings are not tokens. */
const MAX_TOKEN_CHARS = 200;

/** Header names for the CORS response. */
export const tokenHeaderNames: readonly string[] = TOKEN_HEADERS;

/** Query parameters whose values must not be logged. */
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

/** The token of a request: from the headers, else from the query. The string `null` counts as none. */
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

/** The caller of an anonymous route. */
export const anonymous: Principal = { kind: "anonymous", profile: "", refId: "", permission: "deny", key: "" };

/** What a route requires of a token. */
export interface Demand {
  readonly kinds: readonly TokenKind[];
  readonly permission: "read" | "write" | "full";
}

/** Returns the principal of a token; rejects unknown, expired, weak and wrong-kind ones alike. */
export function authorize(tokens: Tokens, token: string | undefined, demand: Demand): Principal {
  if (token === undefined) throw denied().assumed(httpGaps.noToken);
  if (token.length > MAX_TOKEN_CHARS || token.includes("\0")) throw denied();
  const found = tokens.authorize(token);
  if (found === undefined || !demand.kinds.includes(found.kind)) throw denied();
  if (!allows(found.permission, demand.permission)) throw denied();
  if (found.kind === "device" && !found.isDeviceActive) throw new PlatformError(400, "Device is deactivated");
  return {
    kind: found.kind,
    profile: found.profile,
    refId: found.refId,
    permission: found.permission,
    key: found.key,
  };
}

/** Whether a token may be used for this. */
export const allows = (own: Permission, wanted: Demand["permission"]): boolean => ALLOWED[own].includes(wanted);

/** Kinds with access to the whole profile. */
const WHOLE_PROFILE: readonly Principal["kind"][] = ["profile", "analysis", "service"];

/** True when a permission allows nothing that the other one does not. */
function covers(own: Permission, other: Permission): boolean {
  return ALLOWED[other].every((each) => ALLOWED[own].includes(each));
}

/** Rejects the creation of a token with more permission than the caller's own. */
export function refuseMore(principal: Principal, permission: Permission = "full"): void {
  if (!covers(principal.permission, permission)) throw denied().assumed(httpGaps.lesserToken);
}

/** The full token for callers with at least the same permission; for others its last characters. */
export function shownToken(principal: Principal, { kind, permission, token }: StoredToken): string {
  const reaches = !WHOLE_PROFILE.includes(kind) || WHOLE_PROFILE.includes(principal.kind);
  return reaches && covers(principal.permission, permission) ? token : `********${token.slice(-4)}`;
}

/** Lowest permission by method: GET reads, POST and PUT write, DELETE needs full. */
export function permissionFor(method: string): Demand["permission"] {
  if (method === "GET") return "read";
  return method === "DELETE" ? "full" : "write";
}
