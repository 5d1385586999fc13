import { ApiError, RequestError } from "../../lib/core/errors.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { maskToken } from "../kit/say/redact.ts";
import { type Credential, changeCredentials, readCredentials } from "../kit/settings/credentials.ts";
import { homeOf } from "./home.ts";
import { revoke } from "./login.ts";

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
  { key: "origin", header: "api" },
];

export const logout = defineCommand({
  path: ["logout"],
  asks: "nothing",
  result: rows(forgottenColumns),
  effect: "local",
  summary: "Remove stored tokens and revoke them on the platform",
  options: [{ name: "all", summary: "remove the tokens of every environment" }],
  examples: ["iot auth logout", "iot auth logout --env prod"],
  exitCodes: [8],
  related: ["iot auth login", "iot auth status"],
  async run(ctx, input) {
    const stored = readCredentials(ctx.env, ctx.say.warning);
    const everything = input.options.all;
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
    await ctx.out.list(forgotten, { columns: forgottenColumns, empty: "No tokens removed.", idKey: "environment" });
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
      `Removed the token of ${credential.env}, but it was no longer in the keychain and could not be revoked; delete it on the platform.`,
    );
    return stillValid;
  }
  const name = `token ${maskToken(credential.token)} of ${credential.env}`;
  try {
    await revoke(ctx, homeOf(credential), credential.token);
    ctx.say.info(`Removed the ${name} and revoked it at ${credential.origin}.`);
    return "revoked";
  } catch (error) {
    if (error instanceof ApiError && (error.status === 401 || error.status === 404)) {
      ctx.say.info(`Removed the ${name}; the platform no longer accepts it.`);
      return "not accepted any more";
    }
    if (!(error instanceof ApiError) && !(error instanceof RequestError)) throw error;
    const until = credential.expires === undefined ? "" : ` until ${credential.expires}`;
    ctx.say.warning(
      `Removed the ${name}, but could not revoke it: ${error.message}. It stays valid${until}; delete it on the platform.`,
    );
    return stillValid;
  }
}
