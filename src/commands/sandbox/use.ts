import type { OptionSpec } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError } from "../kit/failures/command-error.ts";
import { isLoopback } from "../kit/settings/cleartext.ts";
import { changeUserConfig, type UserConfig } from "../kit/settings/config.ts";
import { addCredential, changeCredentials } from "../kit/settings/credentials.ts";
import { using, warnOfPrecedence, withEntry } from "../kit/settings/in-use.ts";
import { newCredential } from "../kit/settings/new-credential.ts";
import { profileOf } from "../kit/settings/where.ts";
import type { RunningSandbox } from "./state.ts";

/** The environment that `--use` creates, and points to the latest sandbox. */
export const sandboxEnv = "sandbox";

export const useOptions = [
  {
    name: "use",
    summary: `run in the background, and make it the current environment, called ${sandboxEnv}`,
    conflicts: { flags: ["tls", "host"], why: "An environment has no certificate, and is for this machine." },
  },
  { name: "reveal", summary: "with --use, print the tokens and variables too", needs: ["use"] },
] as const satisfies readonly OptionSpec[];

/** Whether the environment of that name may be another sandbox of this machine. */
function refuseForeign({ environments }: UserConfig): void {
  const { api, region } = (Object.hasOwn(environments, sandboxEnv) && environments[sandboxEnv]) || {};
  if (api === undefined && region === undefined) return;
  if (api !== undefined && URL.canParse(api) && isLoopback(new URL(api).hostname)) return;
  throw conflictError(`Environment "${sandboxEnv}" already exists.`, {
    code: "env.exists",
    why: `It points to ${api ?? region}, which is not on this machine.`,
    next: "Start without --use, or remove that environment.",
  });
}

/** Rejects `--use` before a sandbox is started that could not be used. */
export function checkUse(ctx: CommandContext): void {
  refuseForeign(ctx.user.config);
}

/** Makes a sandbox the current environment, with its token. */
export async function selectSandbox(ctx: CommandContext, { url, port, tokens }: RunningSandbox): Promise<void> {
  const target = { envName: sandboxEnv, api: url, events: `${url}/events` };
  const before = ctx.user.config.settings["env"];
  const profile = await profileOf(ctx, target, tokens.profile);
  const found = { token: tokens.profile, name: "sandbox", expires: "never", ...(profile && { profile }) };
  await changeUserConfig(ctx.env, (config) => {
    refuseForeign(config);
    return using(withEntry(config, sandboxEnv, { api: target.api, events: target.events }), sandboxEnv);
  });
  // Tokens of a sandbox that was here before are of no use to this one.
  changeCredentials(ctx, (list) =>
    addCredential(
      list.filter(({ env }) => env !== sandboxEnv),
      newCredential(ctx, target, found),
    ),
  );
  const name = profile === undefined ? sandboxEnv : `${sandboxEnv} (${profile.name})`;
  ctx.say.info(
    `${name} runs at ${url}, and is now the current environment. To stop it: iot sandbox stop --port ${port}`,
  );
  const back = before === undefined || before === sandboxEnv ? "" : `; to go back: iot env use ${before}`;
  ctx.say.hint(`Try: iot device list${back}`);
  warnOfPrecedence(ctx);
  if (ctx.env["IOT_TOKEN"]) ctx.say.warning("IOT_TOKEN is set and overrides the stored token.");
}
