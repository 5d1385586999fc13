import { ApiError, RequestError } from "../../lib/core/errors.ts";
import { optionFlag } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { either, one, rows, value } from "../kit/command/result.ts";
import type { CommandContext, Target } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { maskToken } from "../kit/say/redact.ts";
import { eventsBeside } from "../kit/settings/connect.ts";
import { type Credential, changeCredentials, readCredentials } from "../kit/settings/credentials.ts";
import { profileOf } from "../kit/settings/where.ts";
import { type CredentialRow, columns, rowOf } from "./columns.ts";
import { describeToken, type TokenFacts } from "./exchange.ts";
import { login, revoke } from "./login.ts";

/** The address a stored token belongs to, whatever the environment says today. */
function homeOf(credential: Credential): Target {
  const { origin, env } = credential;
  return { envName: env, label: `${env} (${origin})`, api: origin, events: eventsBeside(origin), isProtected: false };
}

function stateOf(error: unknown): string {
  if (error instanceof ApiError) return error.status === 401 || error.status === 403 ? "refused" : "unclear";
  if (error instanceof RequestError) return "no answer";
  if (error instanceof CommandError && error.exit === 4) return "not readable";
  throw error;
}

async function checked(ctx: CommandContext, credential: Credential): Promise<CredentialRow> {
  const row = rowOf(credential);
  try {
    const facts = await describeToken(ctx, homeOf(credential), credential.token);
    return { ...row, state: "valid", permission: facts.permission, expires: facts.expires || row.expires };
  } catch (error) {
    if (error instanceof CommandError) ctx.say.warning(`${error.message} ${error.why ?? ""} ${error.next ?? ""}`);
    return { ...row, state: stateOf(error) };
  }
}

const status = defineCommand({
  path: ["status"],
  result: either(one(columns), rows(columns)),
  effect: "reads",
  summary: "Test the credential in use: where it came from, when it expires",
  options: [{ name: "all", summary: "every stored credential" }],
  groups: ["limit"],
  examples: ["iot auth status", "iot auth status --all --json"],
  exitCodes: { only: [4, 8, 10] },
  related: ["iot auth login", "iot auth whoami"],
  async run(ctx, input) {
    if (optionFlag(input, "all")) {
      const stored = readCredentials(ctx.env, ctx.say.warning);
      const rows: CredentialRow[] = [];
      for (const credential of stored) rows.push(await checked(ctx, credential));
      await ctx.out.list(rows, { columns, empty: "No credential is stored.", idKey: "environment" });
      return rows.every((row) => row.state === "valid") ? 0 : 8;
    }
    const connection = await ctx.connection();
    const facts = await describeToken(ctx, connection, connection.token);
    const profile = await profileOf(ctx, connection, connection.token);
    const row: CredentialRow = {
      environment: connection.envName,
      origin: new URL(connection.api).origin,
      profile: profile?.name ?? "",
      profile_id: profile?.id ?? facts.profile,
      token: maskToken(connection.token),
      source: connection.tokenSource,
      expires: facts.expires,
      state: "valid",
      permission: facts.permission,
    };
    await ctx.out.item(row, { columns, idKey: "environment" });
    return 0;
  },
});

const whoamiColumns: readonly Column<TokenFacts & { readonly profile_name: string }>[] = [
  { key: "type" },
  { key: "name" },
  { key: "permission" },
  { key: "profile", kind: "id" },
  { key: "profile_name" },
  { key: "account", kind: "id" },
  { key: "expires", kind: "time" },
];

const whoami = defineCommand({
  path: ["whoami"],
  result: one(whoamiColumns),
  effect: "reads",
  summary: "Describe the token in use as the platform sees it",
  examples: ["iot auth whoami", "iot auth whoami --json"],
  exitCodes: { only: [4, 10] },
  related: ["iot auth status"],
  async run(ctx) {
    const connection = await ctx.connection();
    const facts = await describeToken(ctx, connection, connection.token);
    const profile = await profileOf(ctx, connection, connection.token);
    const row = { ...facts, profile: profile?.id ?? facts.profile, profile_name: profile?.name ?? "" };
    await ctx.out.item(row, { columns: whoamiColumns, idKey: "profile" });
  },
});

const token = defineCommand({
  path: ["token"],
  asks: "token",
  result: value({ type: "string" }),
  effect: "reads",
  summary: "Print the token in use",
  details: "The only command that shows a token as it is. Everybody who sees it can do what it allows.",
  examples: ["iot auth token", "IOT_TOKEN=$(iot auth token --env prod) node report.js"],
  related: ["iot auth status"],
  async run(ctx) {
    await ctx.out.value((await ctx.connection()).token);
  },
});

interface Forgotten {
  readonly environment: string;
  readonly token: string;
  /** `revoked`, `not accepted any more`, or `still valid`. */
  readonly state: string;
  readonly origin: string;
}

const forgottenColumns: readonly Column<Forgotten>[] = [
  { key: "environment", kind: "id" },
  { key: "token", kind: "id" },
  { key: "state" },
  { key: "origin", header: "address" },
];

const logout = defineCommand({
  path: ["logout"],
  asks: "nothing",
  result: rows(forgottenColumns),
  effect: "local",
  summary: "Forget stored tokens, and revoke them at the platform",
  options: [{ name: "all", summary: "of every environment" }],
  examples: ["iot auth logout", "iot auth logout --env prod"],
  exitCodes: [8],
  related: ["iot auth login", "iot auth status"],
  async run(ctx, input) {
    const stored = readCredentials(ctx.env, ctx.say.warning);
    const everything = optionFlag(input, "all");
    const { envName, label } = everything ? { envName: "", label: "any environment" } : await ctx.target();
    const profile = ctx.flags.profile;
    const isMeant = (one: Credential): boolean =>
      everything ||
      (one.env === envName && (profile === undefined || one.profile?.id === profile || one.profile?.name === profile));
    // The token is needed to revoke it, and is out of reach once it is forgotten.
    const leaving = stored.filter(isMeant).map(readable);
    if (leaving.length === 0) ctx.say.info(`No token is stored for ${label}.`);
    else changeCredentials(ctx, (list) => list.filter((one) => !leaving.some((left) => isSame(left, one))));
    const forgotten: Forgotten[] = [];
    for (const credential of leaving) {
      const { env, origin } = credential;
      const state = await takeBack(ctx, credential);
      forgotten.push({ environment: env, token: credential.token && maskToken(credential.token), state, origin });
    }
    await ctx.out.list(forgotten, { columns: forgottenColumns, empty: "Nothing was forgotten.", idKey: "environment" });
    for (const name of ["IOT_TOKEN", "T_ANALYSIS_TOKEN"]) {
      if (ctx.env[name]) ctx.say.warning(`${name} is set and still in use; unset it in your shell.`);
    }
    return forgotten.some(({ state }) => state === stillValid) ? 8 : 0;
  },
});

/** The very entry: one that was stored since by another login stays. */
const isSame = (one: Credential, other: Credential): boolean =>
  one.env === other.env && one.profile?.id === other.profile?.id && one.created === other.created;

/** With its token read; empty when another program has deleted it from the keychain. */
function readable(credential: Credential): Credential {
  try {
    return { ...credential };
  } catch (error) {
    if (!(error instanceof CommandError) || error.code !== "auth.missing") throw error;
    const { env, origin, created } = credential;
    return { env, origin, created, token: "" };
  }
}

const stillValid = "still valid";

/** Revokes the token at the platform; resolves to its state afterwards. */
async function takeBack(ctx: CommandContext, credential: Credential): Promise<string> {
  if (credential.token === "") {
    ctx.say.warning(
      `Forgot the token of ${credential.env}, which is not in the keychain any more, so it could not be revoked; delete it on the platform.`,
    );
    return stillValid;
  }
  const name = `token ${maskToken(credential.token)} of ${credential.env}`;
  try {
    await revoke(ctx, homeOf(credential), credential.token);
    ctx.say.info(`Forgot the ${name}, and revoked it at ${credential.origin}.`);
    return "revoked";
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) {
      ctx.say.info(`Forgot the ${name}; the platform does not accept it any more.`);
      return "not accepted any more";
    }
    if (!(error instanceof ApiError) && !(error instanceof RequestError)) throw error;
    const until = credential.expires === undefined ? "" : ` until ${credential.expires}`;
    ctx.say.warning(
      `Forgot the ${name}, but could not revoke it: ${error.message}. It stays valid${until}; delete it on the platform.`,
    );
    return stillValid;
  }
}

export const commands = [login, logout, status, token, whoami];
