import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { profileFinder } from "../kit/finders/profile.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { type Credential, changeCredentials, readCredentials, tokenIfThere } from "../kit/settings/credentials.ts";

const columns = [{ key: "id", kind: "id" }, { key: "name" }] as const;

/** A stored token is filed under its profile. */
function refile(ctx: CommandContext, token: string, profile: { readonly id: string; readonly name: string }): void {
  const isOurs = (one: Credential): boolean => tokenIfThere(one) === token;
  if (!readCredentials(ctx.env, ctx.say.warning).some(isOurs)) return;
  changeCredentials(ctx, (list) => list.map((one) => (isOurs(one) ? { ...one, profile } : one)));
}

const switchProfile = defineCommand({
  path: ["switch"],
  result: one(columns),
  effect: "changes",
  summary: "Move the current token to another profile",
  details:
    "From then on the token reaches the other profile, everywhere it is used. To work with two profiles at once, " +
    'log in once for each: "iot auth login --profile <id>", then choose with --profile.',
  args: [{ name: "id", summary: "Full id, or a unique name:…" }],
  examples: ['iot profile switch "name:Empty" --dry-run', 'iot profile switch "name:Demo Plant"'],
  related: ["iot profile list", "iot auth status", "iot auth login"],
  async run(ctx, input) {
    const target = await resolveOrPick(ctx, profileFinder, input.args.id);
    if (await ctx.dryRun({ method: "PUT", path: `/profile/switch/${target.id}` })) return;
    const name = await target.name();
    const { profiles } = await ctx.client();
    const { token, tokenSource, label } = await ctx.connection();
    await lookUp(ctx, profileFinder, target.id, () => profiles.transferTokenToAnotherProfile(target.id));
    refile(ctx, token, { id: target.id, name });
    await ctx.out.item({ id: target.id, name }, { columns });
    ctx.say.info(`The token from ${tokenSource} now reaches profile "${name}" in ${label}.`);
  },
});

export const commands: readonly Command[] = [switchProfile];
