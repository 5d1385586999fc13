import { countOf } from "../../text/count.ts";
import { accountCredentials, credentialOptions } from "../kit/ask/account-credentials.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Arguments, Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { readInputFile } from "../kit/files/input-file.ts";
import { chosenProfile } from "../kit/finders/profile.ts";
import { createColumns, importEntries, previewOption } from "../kit/profiles/import.ts";
import { chosenKinds, kindOptions } from "../kit/profiles/select.ts";
import { backupContent } from "./content.ts";
import { profileOption } from "./options.ts";
import { findBackup } from "./platform.ts";

const isBackup = (text: string): boolean => text === "last" || /^[0-9a-f]{24}$/i.test(text);

const args = [
  {
    name: "source",
    file: (text: string) => (isBackup(text) ? undefined : text),
    summary: "backup id, last, or a file from iot backup download",
    required: true,
  },
] as const satisfies Arguments;

const options = [
  previewOption,
  { ...profileOption, summary: "profile the backup belongs to (the token's profile)" },
  ...kindOptions,
  ...credentialOptions,
] as const satisfies Options;

/** The archive of a backup, and what it is called: a file on this machine, or one of the platform. */
async function sourceOf(
  ctx: CommandContext,
  input: Input<typeof args, typeof options>,
): Promise<{ readonly archive: Buffer; readonly place: string }> {
  const text = input.args.source;
  if (!isBackup(text)) {
    const archive = await readInputFile(ctx.path(text), text, "the backup", ctx.signal);
    return { archive, place: text };
  }
  const profile = await chosenProfile(ctx, input.options.of);
  const backup = await findBackup(ctx, profile, text);
  const archive = await backupContent(ctx, profile, backup.id, await accountCredentials(ctx, input));
  return { archive, place: backup.id };
}

export const restore = defineCommand({
  path: ["restore"],
  result: rows(createColumns),
  effect: { most: "changes", of: ({ options: given }) => (given.preview ? "reads" : "changes") },
  summary: "Create missing resources from a backup",
  details:
    "Resources that already exist, by id or name, are skipped: nothing is updated or deleted. Confirm with the profile name. " +
    "Backups contain no entities and no values of secrets or analysis variables. See docs/backups.md.",
  args,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    "iot backup restore last --preview --password-stdin < password.txt",
    'iot backup restore last --include device,action --confirm "Demo Plant" --password-stdin < password.txt',
  ],
  exitCodes: [1, 3, 6, 7, 8],
  related: ["iot backup download", "iot profile import", "iot profile diff"],
  async run(ctx, input) {
    const chosen = chosenKinds(input.options);
    const { archive, place } = await sourceOf(ctx, input);
    const { entriesOf } = await import("./read.ts");
    await importEntries(ctx, {
      entries: entriesOf(archive, place, chosen),
      source: `backup ${place}`,
      isPreview: input.options.preview,
      async confirm(missing, name) {
        const action = `Create ${countOf(missing.length, "resource")} from a backup in profile "${name}"`;
        await ctx.confirm({ level: 2, action, name, items: missing });
      },
    });
  },
});
