import { hostname } from "node:os";
import { defined } from "../../lib/core/defined.ts";
import { ApiError } from "../../lib/core/errors.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext, Target } from "../kit/context.ts";
import { CommandError, usageError } from "../kit/failures/command-error.ts";
import { rememberSecret } from "../kit/say/redact.ts";
import { addCredential, type Credential, changeCredentials } from "../kit/settings/credentials.ts";
import {
  callAnonymous,
  createToken,
  describeToken,
  formBody,
  type LoginCredentials,
  listProfiles,
  type ProfileChoice,
  secondFactorOf,
} from "../kit/settings/exchange.ts";
import { systemKeychain } from "../kit/settings/keychain.ts";
import { newCredential, usesKeychain } from "../kit/settings/new-credential.ts";
import { profileOf } from "../kit/settings/where.ts";
import { columns, environmentRow } from "./columns.ts";

/** A token is stored under the name of an environment, so there must be one. */
function storableTarget(target: Target): Target {
  if (target.envName !== "") return target;
  throw usageError(`${target.label} is not a named environment, so no token can be stored for it.`, {
    code: "auth.no_environment",
    why: "The API URL comes from an environment variable.",
    next: `Run "iot env add local --api-url ${target.api}", then "iot auth login --env local".`,
  });
}

/** One line of stdin: the secret, without the line break a shell adds. */
async function secretFromStdin(ctx: CommandContext, flag: string): Promise<string> {
  const secret = (await ctx.readInput("-", flag)).replace(/\r?\n$/, "");
  if (secret === "")
    throw usageError(`Nothing was read from stdin for ${flag}.`, { next: "Pipe the secret to stdin." });
  rememberSecret(secret);
  return secret;
}

const options = [
  { name: "email", value: "address", summary: "email address of the account" },
  { name: "password-stdin", summary: "read the password from stdin" },
  { name: "otp-type", value: "type", summary: "two-factor method", choices: ["authenticator", "sms", "email"] },
  { name: "otp", value: "code", summary: "one-time code" },
  {
    name: "with-token",
    summary: "store an existing token, read from stdin",
    conflicts: { flags: ["password-stdin"], why: "Both read stdin." },
  },
  { name: "expire", kind: "expiry", summary: "when the new token expires: 90d, a date or never", default: "90d" },
] as const satisfies Options;

type Given = Input<[], typeof options>;

async function askCredentials(ctx: CommandContext, input: Given): Promise<LoginCredentials> {
  const email = input.options.email ?? (await (await ctx.prompts("--email")).text("E-mail"));
  const password = input.options.passwordStdin
    ? await secretFromStdin(ctx, "--password-stdin")
    : await (await ctx.prompts("--password-stdin")).secret("Password");
  rememberSecret(password);
  const otp = input.options.otp;
  const otpType = input.options.otpType;
  return defined({ email: email.trim(), password, otp, otpType });
}

/** Logs in; when the platform requests two-factor authentication, asks for the code and logs in again. */
async function enter(
  ctx: CommandContext,
  target: Target,
  given: LoginCredentials,
): Promise<{ readonly credentials: LoginCredentials; readonly profiles: readonly ProfileChoice[] }> {
  try {
    return { credentials: given, profiles: await listProfiles(ctx, target, given) };
  } catch (error) {
    const factor = secondFactorOf(error);
    if (factor === undefined || given.otp !== undefined) throw refusedLogin(error, target);
    const otpType = given.otpType ?? (factor.sentBy || "authenticator");
    const prompts = await ctx.prompts("--otp");
    if (otpType !== "authenticator" && otpType !== factor.sentBy) {
      await callAnonymous(ctx, target, "/account/login/otp", formBody({ ...given, otpType }));
    }
    const otp = (await prompts.text(`One-time code (${otpType})`)).trim();
    const credentials = { ...given, otp, otpType };
    const profiles = await listProfiles(ctx, target, credentials).catch((second: unknown) => {
      throw refusedLogin(second, target);
    });
    return { credentials, profiles };
  }
}

/** An error response to the login is about the input, not about a token. */
function refusedLogin(error: unknown, target: Target): unknown {
  if (!(error instanceof ApiError) || error.status !== 401) return error;
  return new CommandError(`Login to ${target.label} failed.`, {
    code: "auth.refused",
    exit: 4,
    why: `POST /account/login returned 401: ${quote(error.message)}.`,
    next: 'Check the email address, password and one-time code, and the API URL with "iot env current".',
    cause: error,
  });
}

async function chooseProfile(ctx: CommandContext, profiles: readonly ProfileChoice[]): Promise<ProfileChoice> {
  const asked = ctx.flags.profile;
  if (asked !== undefined) {
    const found = profiles.find((profile) => profile.id === asked || profile.name === asked);
    if (found !== undefined) return found;
    throw usageError(`Profile ${quote(asked)} not found in the account.`, {
      code: "profile.not_found",
      why: `Its profiles: ${profiles.map((profile) => `${profile.name} (${profile.id})`).join(", ") || "none"}.`,
      next: "Pass the id or name of one of them to --profile.",
    });
  }
  const [only, ...others] = profiles;
  if (only !== undefined && others.length === 0) return only;
  if (only === undefined)
    throw usageError("The account has no profile.", { next: "Create one on the platform first." });
  if (!ctx.canPrompt) {
    throw usageError("--profile is required: the account has several profiles.", {
      code: "usage.no_terminal",
      why: `Its profiles: ${profiles.map((profile) => `${profile.name} (${profile.id})`).join(", ")}.`,
      next: "Pass the id or name of one of them to --profile.",
    });
  }
  const prompts = await ctx.prompts("--profile");
  const choices = profiles.map((profile) => ({ label: profile.name, value: profile, hint: profile.id }));
  return prompts.select("Profile", choices);
}

async function withPassword(ctx: CommandContext, input: Given, target: Target): Promise<Credential> {
  const { expire } = input.options;
  const { credentials, profiles } = await enter(ctx, target, await askCredentials(ctx, input));
  const profile = await chooseProfile(ctx, profiles);
  const name = `iot on ${hostname()}`;
  const { token, expires } = await createToken(ctx, target, credentials, { profile: profile.id, name, expire });
  return newCredential(ctx, target, { token, name, expires, profile });
}

async function withToken(ctx: CommandContext, target: Target): Promise<Credential> {
  const token = (await secretFromStdin(ctx, "--with-token")).trim();
  const facts = await describeToken(ctx, target, token);
  const profile = await profileOf(ctx, target, token);
  return newCredential(ctx, target, {
    token,
    ...(facts.name === "" ? {} : { name: facts.name }),
    ...(facts.expires === "" ? {} : { expires: facts.expires }),
    ...defined({ profile }),
  });
}

/** Stores the credential. A new token that cannot be stored is revoked. */
async function keep(ctx: CommandContext, target: Target, added: Credential, isNew: boolean): Promise<void> {
  try {
    changeCredentials(ctx, (list) => addCredential(list, added));
  } catch (error) {
    if (isNew)
      await revoke(ctx, target, added.token).catch(() => ctx.say.warning("The new token could not be revoked."));
    throw error;
  }
}

/** Deletes a token at the platform, with itself. */
export async function revoke(
  ctx: CommandContext,
  target: Pick<Target, "api" | "events">,
  token: string,
): Promise<void> {
  const { Resources } = await import("../../lib/resources/resources.ts");
  const region = { api: target.api, sse: target.events };
  await new Resources({ ...ctx.clientOptions(), token, region }).profiles.tokenDelete("current", token);
}

/** What only the platform knows of a token is asked for by `auth status`. */
const loginColumns = columns.filter(({ key }) => key !== "state" && key !== "permission");

export const login = defineCommand({
  path: ["login"],
  asks: "anonymous",
  result: one(loginColumns),
  effect: "local",
  summary: "Log in and store a token for an environment",
  details:
    "Asks for email address, password and, with two-factor authentication, a one-time code. Creates a token that expires and stores only the token, unencrypted, in a file that only you can read. With credential-store=keychain it is stored in the keychain of the operating system; if the keychain cannot be used, nothing is stored.",
  options,
  examples: [
    "iot auth login --email demo@example.test --profile 65a1000000000000000f0001 --password-stdin < password.txt",
    "iot auth login --env prod --with-token < token.txt",
  ],
  exitCodes: [4, 130],
  related: ["iot auth status", "iot auth logout", "iot help auth"],
  async run(ctx, input) {
    const target = storableTarget(await ctx.target());
    const isReady = input.options.withToken;
    // Before any prompt or request: a token that cannot be stored would be useless.
    if (usesKeychain(ctx)) systemKeychain().get("is it there");
    const added = isReady ? await withToken(ctx, target) : await withPassword(ctx, input, target);
    await keep(ctx, target, added, !isReady);
    await ctx.out.item(environmentRow(added), { columns: loginColumns, idKey: "environment" });
    ctx.say.info(
      `Logged in to ${target.label}${added.profile === undefined ? "" : `, profile ${added.profile.name}`}.`,
    );
    if (ctx.env["IOT_TOKEN"]) ctx.say.warning("IOT_TOKEN is set and overrides the stored token.");
  },
});
