import { resolve } from "node:path";
import { countOf } from "../../text/count.ts";
import { argument, argumentList, option, optionFlag } from "../kit/command/arguments.ts";
import { type Command, type CommandInput, defineCommand } from "../kit/command/define.ts";
import { deleted, one, rows } from "../kit/command/result.ts";
import { parseDuration } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError } from "../kit/failures/command-error.ts";
import { writeWhole } from "../kit/files/files.ts";
import { readInputFile } from "../kit/files/input-file.ts";
import { confirmOutFile } from "../kit/files/out-file.ts";
import { localPage } from "../kit/resource/local-list.ts";
import { listRequest, paged } from "../kit/resource/paging.ts";
import { createColumns } from "../profile/content/create.ts";
import { chosenKinds, kindOptions } from "../profile/content/select.ts";
import { type AccountCredentials, accountCredentials, credentialOptions } from "../profile/credentials.ts";
import { chosenProfile } from "../profile/finder.ts";
import { importEntries, planned, planOption } from "../profile/import.ts";
import { backupColumns, backupsOf, findBackup, type ProfileBackup, request, waitFor } from "./platform.ts";

const DEFAULT_WAIT = "10m";

const profileOption = {
  name: "of",
  value: "profile",
  summary: "profile: full id or a unique name:… (the one of the token)",
  leadsAway: true,
} as const;

const create = defineCommand({
  path: ["create"],
  result: one(backupColumns),
  effect: "changes",
  summary: "Have the platform make a backup of the profile",
  details:
    "The platform makes it in its own time. --wait waits until it is complete, for at most the time of --wait-for; the backup " +
    "goes on when this program ends. See docs/profiles.md.",
  options: [
    profileOption,
    { name: "wait", summary: "wait until it is complete" },
    { name: "wait-for", value: "duration", summary: `longest time to wait (${DEFAULT_WAIT})` },
  ],
  groups: ["dryRun"],
  examples: ["iot backup create --wait", "iot backup create --dry-run"],
  exitCodes: [1, 6],
  related: ["iot backup list", "iot backup download", "iot profile export"],
  async run(ctx, input) {
    const forMs = parseDuration(option(input, "wait-for") ?? DEFAULT_WAIT, "--wait-for");
    const profile = await chosenProfile(ctx, option(input, "of"));
    if (await ctx.dryRun({ method: "POST", path: `/profile/${profile.id}/backup` })) return;
    const before = new Set((await backupsOf(ctx, profile)).map(({ id }) => id));
    await request(ctx, profile, "POST");
    const made = (await backupsOf(ctx, profile)).find(({ id }) => !before.has(id));
    if (made === undefined) throw notListed();
    const backup = optionFlag(input, "wait") ? await waitFor(ctx, profile, made.id, forMs) : made;
    await ctx.out.item(backup, { columns: backupColumns });
    const { label } = await ctx.connection();
    ctx.say.info(`Backup ${backup.id} of profile "${await profile.name()}" in ${label} is ${backup.status}.`);
  },
});

function notListed(): Error {
  return new CommandError("The platform took the order and lists no new backup.", {
    code: "backup.not_listed",
    exit: 1,
    why: "The list of backups is the same as before.",
    next: 'Look again with "iot backup list" in a minute.',
  });
}

const list = defineCommand({
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
    const profile = await chosenProfile(ctx, option(input, "of"));
    const query = listRequest(ctx, [], backupColumns);
    const listing = paged<ProfileBackup>(ctx, async (page, amount) =>
      localPage(await backupsOf(ctx, profile), { ...query, page, amount }),
    );
    await ctx.out.list(listing.rows, {
      columns: backupColumns,
      empty: "The profile has no backups.",
      more: listing.more,
    });
  },
});

const downloadColumns = [{ key: "id", kind: "id" }, { key: "file" }, { key: "bytes", kind: "number" }] as const;

const backupArgument = {
  name: "id",
  summary: "id of a backup, or last (the newest that is complete)",
  required: true,
} as const;

/** The link to the content of a backup. It needs no token. */
async function linkOf(
  ctx: CommandContext,
  profile: Awaited<ReturnType<typeof chosenProfile>>,
  id: string,
  body: AccountCredentials,
): Promise<string> {
  const found = await request(ctx, profile, "POST", { path: `/${id}/download`, body });
  const url = typeof found === "object" && found !== null && "url" in found ? found.url : found;
  if (typeof url === "string" && /^https?:\/\//.test(url)) return url;
  throw new CommandError(`The platform gave no address for backup ${id}.`, {
    code: "platform.invalid_reply",
    exit: 1,
    why: `The answer to POST /profile/${profile.id}/backup/${id}/download names none.`,
    next: "Try again later.",
  });
}

const download = defineCommand({
  path: ["download"],
  result: one(downloadColumns),
  effect: "local",
  summary: "Write a backup to a file",
  details:
    "A ZIP archive with resources/*.json, the uploaded files and the scripts; only you can read it (mode 600). The platform asks " +
    "for the password of the account, and for a one-time code where the account has one. A lost connection is resumed.",
  args: [backupArgument],
  options: [
    { name: "out", value: "file", summary: "file to write to (named after the backup); - is stdout" },
    profileOption,
    ...credentialOptions,
  ],
  groups: ["confirm"],
  examples: [
    "iot backup download last --out plant-backup.zip --yes --password-stdin < password.txt",
    "iot backup download last --out - --password-stdin < password.txt > copy.zip",
  ],
  exitCodes: [1],
  related: ["iot backup list", "iot backup restore"],
  async run(ctx, input) {
    const profile = await chosenProfile(ctx, option(input, "of"));
    const backup = await findBackup(ctx, profile, argument(input, "id") ?? "");
    const place = option(input, "out") ?? `backup-${backup.id}.zip`;
    const path = resolve(ctx.cwd, place);
    if (place !== "-") await confirmOutFile(ctx, path);
    const content = await contentOf(ctx, profile, backup.id, await accountCredentials(ctx, input));
    if (place === "-") {
      await ctx.io.write(content);
      return;
    }
    writeWhole(path, content, { file: 0o600, folder: 0o755 });
    const row = { id: backup.id, file: place, bytes: Buffer.byteLength(content) };
    await ctx.out.item(row, { columns: downloadColumns });
    ctx.say.info(`Wrote backup ${backup.id} of ${(await ctx.connection()).label} to ${place}.`);
  },
});

/** The content of a backup, in memory. */
async function contentOf(
  ctx: CommandContext,
  profile: Awaited<ReturnType<typeof chosenProfile>>,
  id: string,
  credentials: AccountCredentials,
): Promise<Buffer> {
  const { fetchBytes } = await import("../kit/files/fetch-bytes.ts");
  let parts: Buffer[] = [];
  let size = 0;
  await fetchBytes(ctx, {
    address: () => linkOf(ctx, profile, id, credentials),
    sink: {
      get size() {
        return size;
      },
      async write(bytes) {
        parts.push(Buffer.from(bytes));
        size += bytes.length;
      },
      async restart() {
        parts = [];
        size = 0;
      },
    },
  });
  return Buffer.concat(parts);
}

/** The archive of a backup, and what it is called: a file on this machine, or one of the platform. */
async function sourceOf(
  ctx: CommandContext,
  input: CommandInput,
): Promise<{ readonly archive: Buffer; readonly place: string }> {
  const text = argument(input, "source") ?? "";
  const isBackup = text === "last" || /^[0-9a-f]{24}$/i.test(text);
  if (!isBackup) {
    const archive = await readInputFile(resolve(ctx.cwd, text), text, "the backup", ctx.signal);
    return { archive, place: text };
  }
  const profile = await chosenProfile(ctx, option(input, "of"));
  const backup = await findBackup(ctx, profile, text);
  const archive = await contentOf(ctx, profile, backup.id, await accountCredentials(ctx, input));
  return { archive, place: backup.id };
}

const restore = defineCommand({
  path: ["restore"],
  result: rows(createColumns),
  effect: { most: "changes", of: planned },
  summary: "Create what the profile lacks, from a backup",
  details:
    "What is there already, by its id or by its name, stays as it is: nothing is changed and nothing is deleted. The name of the " +
    "profile confirms it. Values of secrets and of analysis variables are in no backup, nor are entities. See docs/profiles.md.",
  args: [{ name: "source", summary: "id of a backup, last, or a file that iot backup download wrote", required: true }],
  options: [
    planOption,
    { ...profileOption, summary: "profile whose backup it is (the one of the token)" },
    ...kindOptions,
    ...credentialOptions,
  ],
  groups: ["confirm", "dryRun"],
  examples: [
    "iot backup restore last --plan --password-stdin < password.txt",
    'iot backup restore last --include device,action --confirm "Demo Plant" --password-stdin < password.txt',
  ],
  exitCodes: [1, 3, 6, 8],
  related: ["iot backup download", "iot profile import", "iot profile diff"],
  async run(ctx, input) {
    const chosen = chosenKinds(input);
    const { archive, place } = await sourceOf(ctx, input);
    const { entriesOf } = await import("./read.ts");
    await importEntries(ctx, input, {
      entries: entriesOf(archive, place, chosen),
      source: `backup ${place}`,
      async confirm(missing, name) {
        const action = `Create ${countOf(missing.length, "resource")} from a backup in profile "${name}"`;
        await ctx.confirm({ level: 2, action, name, items: missing });
      },
    });
  },
});

const remove = defineCommand({
  path: ["delete"],
  aliases: ["rm"],
  result: deleted,
  effect: "deletes",
  summary: "Delete backups of the profile",
  args: [{ name: "ids", summary: "ids of backups", required: true, variadic: true }],
  options: [profileOption, ...credentialOptions],
  groups: ["confirm", "dryRun"],
  examples: ["iot backup delete last --dry-run", "iot backup delete last --dry-run --json"],
  exitCodes: [6, 8],
  related: ["iot backup list"],
  async run(ctx, input) {
    const profile = await chosenProfile(ctx, option(input, "of"));
    const chosen: ProfileBackup[] = [];
    for (const text of argumentList(input, "ids")) chosen.push(await findBackup(ctx, profile, text));
    for (const { id } of ctx.flags.dryRun ? chosen : [])
      await ctx.dryRun({ method: "DELETE", path: `/profile/${profile.id}/backup/${id}` });
    if (ctx.flags.dryRun) return;
    const [first] = chosen;
    const name = chosen.length === 1 ? (first?.id ?? "") : await profile.name();
    const what = chosen.length === 1 ? `backup ${first?.id ?? ""}` : countOf(chosen.length, "backup");
    const items = chosen.map((backup) => `${backup.id} ${backup.created_at}`);
    await ctx.confirm({ level: chosen.length === 1 ? 1 : 2, action: `Delete ${what}`, name, items });
    const body = await accountCredentials(ctx, input);
    for (const { id } of chosen) await request(ctx, profile, "DELETE", { path: `/${id}`, body });
    await ctx.out.list(
      chosen.map(({ id, created_at: createdAt }) => ({ id, name: createdAt })),
      { columns: [{ key: "id", kind: "id" }, { key: "name" }], empty: "Nothing was deleted." },
    );
    ctx.say.info(`Deleted ${what} of profile "${await profile.name()}" in ${(await ctx.connection()).label}.`);
  },
});

export const commands: readonly Command[] = [create, list, download, restore, remove];
