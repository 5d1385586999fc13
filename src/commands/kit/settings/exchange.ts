import { defined } from "../../../lib/core/defined.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext, Target } from "../context.ts";
import { CommandError, usageError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";
import { rememberSecret } from "../say/redact.ts";

/** A profile the account can reach. */
export interface ProfileChoice {
  readonly id: string;
  readonly name: string;
}

/** A token as the platform describes it. */
export interface TokenFacts {
  readonly type: string;
  readonly name: string;
  readonly permission: string;
  /** ISO text, `never`, or empty when the platform does not say. */
  readonly expires: string;
  readonly profile: string;
  readonly account: string;
}

export interface LoginCredentials {
  readonly email: string;
  readonly password: string;
  readonly otpType?: string;
  readonly otp?: string;
}

/** Calls of the login. They carry no token, and take proxy and authority from the flags like every other call. */
export async function callAnonymous(ctx: CommandContext, target: Target, path: string, body: object): Promise<unknown> {
  const { rawRequest } = await import("../../../lib/api/raw.ts");
  const region = { api: target.api, sse: target.events };
  const reply = await rawRequest({ ...ctx.clientOptions(), region }, { method: "POST", path, body });
  return reply.result;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function unexpected(path: string): CommandError {
  return new CommandError("The login response is invalid.", {
    code: "platform.invalid_reply",
    exit: 1,
    why: `The response to POST ${path} is not in the platform's format.`,
    next: 'Check the API URL with "iot env current".',
  });
}

/** The platform requests two-factor authentication with JSON instead of a message. */
export function secondFactorOf(error: unknown): { readonly sentBy: string } | undefined {
  if (!(error instanceof ApiError)) return undefined;
  let told: unknown;
  try {
    told = JSON.parse(error.message);
  } catch {
    return undefined;
  }
  return isObject(told) && told["otp_enabled"] === true ? { sentBy: text(told["otp_autosend"]) } : undefined;
}

export function formBody({ email, password, otp, otpType }: LoginCredentials): Record<string, string> {
  return defined({ email, password, pin_code: otp, otp_type: otpType });
}

/** The profiles these credentials open. */
export async function listProfiles(
  ctx: CommandContext,
  target: Target,
  credentials: LoginCredentials,
): Promise<readonly ProfileChoice[]> {
  const result = await callAnonymous(ctx, target, "/account/login", formBody(credentials));
  const profiles = isObject(result) ? result["profiles"] : undefined;
  if (!Array.isArray(profiles)) throw unexpected("/account/login");
  return profiles.filter(isObject).map((profile) => ({ id: text(profile["id"]), name: text(profile["name"]) }));
}

export async function createToken(
  ctx: CommandContext,
  target: Target,
  credentials: LoginCredentials,
  wanted: { readonly profile: string; readonly name: string; readonly expire: string },
): Promise<{ readonly token: string; readonly expires: string }> {
  const result = await callAnonymous(ctx, target, "/account/profile/token", {
    ...formBody(credentials),
    profile_id: wanted.profile,
    name: wanted.name,
    expire_time: wanted.expire,
  });
  const token = isObject(result) ? text(result["token"]) : "";
  if (token === "") throw unexpected("/account/profile/token");
  rememberSecret(token);
  const expires = isObject(result) ? text(result["expire_time"]) || text(result["expire_date"]) : "";
  return { token, expires: expires || wanted.expire };
}

/** Asks the platform what a token is. */
export async function describeToken(ctx: CommandContext, target: Target, token: string): Promise<TokenFacts> {
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw usageError("The input is not a token.", {
      code: "auth.not_a_token",
      why: "It is empty, or contains spaces or other invalid characters.",
      next: "Pipe only the token to stdin, on one line.",
    });
  }
  rememberSecret(token);
  const { rawRequest } = await import("../../../lib/api/raw.ts");
  const region = { api: target.api, sse: target.events };
  const { result } = await rawRequest({ ...ctx.clientOptions(), region, token }, { method: "GET", path: "/info" });
  if (!isObject(result)) throw unexpected("/info");
  return {
    type: text(result["type"]),
    name: text(result["name"]),
    permission: text(result["permission"]),
    expires: text(result["expire_time"]),
    profile: text(result["profile"]) || (result["type"] === "profile" ? text(result["ref_id"]) : ""),
    account: text(result["account"]) || text(result["created_by"]),
  };
}
