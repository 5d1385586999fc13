import { accountCredentials, credentialOptions } from "../kit/ask/account-credentials.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { writeWhole } from "../kit/files/files.ts";
import { confirmOutFile } from "../kit/files/out-file.ts";
import { chosenProfile } from "../kit/finders/profile.ts";
import { backupContent } from "./content.ts";
import { profileOption } from "./options.ts";
import { findBackup } from "./platform.ts";

const downloadColumns = [{ key: "id", kind: "id" }, { key: "file" }, { key: "bytes", kind: "number" }] as const;

const backupArgument = {
  name: "id",
  summary: "backup id, or last (the newest complete one)",
  required: true,
} as const;

export const download = defineCommand({
  path: ["download"],
  result: one(downloadColumns),
  effect: "local",
  summary: "Download a backup to a file",
  details:
    "Writes a ZIP archive with resources/*.json, uploaded files and scripts; only you can read it (mode 600). The platform asks " +
    "for the account password, and for a one-time code if the account has two-factor authentication. Resumes after a lost connection.",
  args: [backupArgument],
  options: [
    {
      name: "out",
      file: "out",
      value: "file",
      summary: "file to write to (default: named after the backup); - is stdout",
    },
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
    const profile = await chosenProfile(ctx, input.options.of);
    const backup = await findBackup(ctx, profile, input.args.id);
    const { out: place = `backup-${backup.id}.zip` } = input.options;
    const path = ctx.path(place);
    if (place !== "-") await confirmOutFile(ctx, path);
    const content = await backupContent(ctx, profile, backup.id, await accountCredentials(ctx, input));
    if (place === "-") {
      await ctx.io.write(content);
      return;
    }
    writeWhole(path, content, { file: 0o600, folder: 0o755 });
    const row = { id: backup.id, file: place, bytes: Buffer.byteLength(content) };
    await ctx.out.item(row, { columns: downloadColumns });
    ctx.say.info(`Wrote backup ${backup.id} of ${(await ctx.connection()).label} to ${place}.`, place);
  },
});
