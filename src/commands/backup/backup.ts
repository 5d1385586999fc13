import { countOf } from "../../text/count.ts";
import { accountCredentials, credentialOptions } from "../kit/ask/account-credentials.ts";
import { defineCommand } from "../kit/command/define.ts";
import { deleted, deletedRows, one, rows } from "../kit/command/result.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { chosenProfile } from "../kit/finders/profile.ts";
import { runBatch } from "../kit/resource/batch.ts";
import { localPage } from "../kit/resource/local-list.ts";
import { listRequest, paged } from "../kit/resource/paging.ts";
import { profileOption } from "./options.ts";
import { backupColumns, backupsOf, findBackup, type ProfileBackup, request, waitFor } from "./platform.ts";

const DEFAULT_WAIT_MS = 10 * 60_000;

export const create = defineCommand({
  path: ["create"],
  result: one(backupColumns),
  effect: "changes",
  summary: "Create a backup of the profile",
  details:
    "The platform creates the backup in the background. --wait waits until it is complete, at most as long as --wait-for; the " +
    "backup continues when this program exits. See docs/backups.md.",
  options: [
    profileOption,
    { name: "wait", summary: "wait until the backup is complete" },
    { name: "wait-for", kind: "duration", summary: "maximum time to wait (10m)", needs: ["wait"] },
  ],
  examples: ["iot backup create --wait", "iot backup create --dry-run"],
  exitCodes: [1, 6],
  related: ["iot backup list", "iot backup download", "iot profile export"],
  async run(ctx, { options: { of, wait, waitFor: forMs = DEFAULT_WAIT_MS } }) {
    const profile = await chosenProfile(ctx, of);
    if (await ctx.dryRun({ method: "POST", path: `/profile/${profile.id}/backup` })) return;
    const before = new Set((await backupsOf(ctx, profile)).map(({ id }) => id));
    await request(ctx, profile, "POST");
    const made = (await backupsOf(ctx, profile)).find(({ id }) => !before.has(id));
    if (made === undefined) throw notListed();
    const backup = wait ? await waitFor(ctx, profile, made.id, forMs) : made;
    await ctx.out.item(backup, { columns: backupColumns });
    const { label } = await ctx.connection();
    ctx.say.info(`Backup ${backup.id} of profile "${await profile.name()}" in ${label} is ${backup.status}.`);
  },
});

function notListed(): Error {
  return new CommandError("The platform accepted the request but lists no new backup.", {
    code: "backup.not_listed",
    exit: 1,
    why: "The list of backups did not change.",
    next: 'Run "iot backup list" in a minute.',
  });
}

export const list = defineCommand({
  path: ["list"],
  aliases: ["ls"],
  result: rows(backupColumns),
  effect: "reads",
  summary: "List the backups of the profile, newest first",
  options: [profileOption],
  groups: ["list"],
  examples: ["iot backup list", "iot backup list --filter status=completed --json"],
  exitCodes: [6],
  related: ["iot backup create", "iot backup download"],
  async run(ctx, input) {
    const ask = listRequest(ctx, { what: "backups", columns: backupColumns });
    const profile = await chosenProfile(ctx, input.options.of);
    const all = await backupsOf(ctx, profile);
    const listing = paged(ctx, async (page, amount) => localPage(all, page, amount), ask);
    await ctx.out.list(listing.rows, {
      columns: backupColumns,
      empty: "The profile has no backups.",
      more: listing.more,
    });
  },
});

export const remove = defineCommand({
  path: ["delete"],
  aliases: ["rm"],
  result: deleted,
  effect: "deletes",
  summary: "Delete backups of the profile",
  args: [{ name: "ids", summary: "ids of backups", required: true, variadic: true }],
  options: [profileOption, ...credentialOptions],
  examples: ["iot backup delete last --dry-run", "iot backup delete last --dry-run --json"],
  exitCodes: [6, 8],
  related: ["iot backup list"],
  async run(ctx, input) {
    const profile = await chosenProfile(ctx, input.options.of);
    const found = new Map<string, ProfileBackup>();
    for (const text of input.args.ids) {
      const backup = await findBackup(ctx, profile, text);
      found.set(backup.id, backup);
    }
    const chosen = [...found.values()];
    const path = `/profile/${profile.id}/backup`;
    if (await ctx.dryRun(chosen.map(({ id }) => ({ method: "DELETE", path: `${path}/${id}` })))) return 0;
    const [first] = chosen;
    const name = chosen.length === 1 ? (first?.id ?? "") : await profile.name();
    const what = chosen.length === 1 ? `backup ${first?.id ?? ""}` : countOf(chosen.length, "backup");
    const items = chosen.map((backup) => `${backup.id} ${backup.created_at}`);
    await ctx.confirm({ level: chosen.length === 1 ? 1 : 2, action: `Delete ${what}`, name, items });
    const body = await accountCredentials(ctx, input);
    return runBatch(ctx, {
      items: chosen,
      title: ({ id }) => `backup ${id}`,
      done: "Deleted",
      unit: ["backup", "backups"],
      run: ({ id }) => request(ctx, profile, "DELETE", { path: `/${id}`, body }),
      print: (done) =>
        ctx.out.list(
          done.map(({ id, created_at: createdAt }) => ({ id, name: createdAt })),
          deletedRows,
        ),
    });
  },
});
