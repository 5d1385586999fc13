import { accountCredentials, credentialOptions } from "../kit/ask/account-credentials.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { deleted, deletedRows } from "../kit/command/result.ts";
import { profileFinder } from "../kit/finders/profile.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";

const deleteProfile = defineCommand({
  path: ["delete"],
  aliases: ["rm"],
  result: deleted,
  effect: "deletes",
  summary: "Delete a profile and everything in it",
  details:
    "Deletes its devices, data, dashboards, analyses, files, users and tokens. The platform asks for the account " +
    "password, and for a one-time code if the account has two-factor authentication.",
  args: [{ name: "id", summary: "Full id, or a unique name:…" }],
  options: credentialOptions,
  examples: [
    'iot profile delete "name:Empty" --dry-run',
    'iot profile delete "name:Empty" --confirm Empty --password-stdin --dry-run < password.txt',
  ],
  exitCodes: [3],
  related: ["iot profile list", "iot profile export", "iot backup create"],
  async run(ctx, input) {
    const target = await resolveOrPick(ctx, profileFinder, input.args.id);
    if (await ctx.dryRun({ method: "DELETE", path: `/profile/${target.id}` })) return;
    const name = await target.name();
    await ctx.confirm({ level: 2, action: `Delete profile "${name}" and everything in it`, name });
    const credentials = await accountCredentials(ctx, input);
    const { profiles } = await ctx.client();
    await lookUp(ctx, profileFinder, target.id, () => profiles.delete(target.id, credentials));
    await ctx.out.list([{ id: target.id, name }], deletedRows);
    await ctx.done(`Deleted profile "${name}"`);
  },
});

export const commands: readonly Command[] = [deleteProfile];
