import { realpathSync } from "node:fs";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { readFolder } from "../kit/profiles/folder.ts";
import { createColumns, importEntries, previewOption } from "../kit/profiles/import.ts";
import { chosenKinds, kindOptions } from "../kit/profiles/select.ts";

const importProfile = defineCommand({
  path: ["import"],
  result: rows(createColumns),
  effect: { most: "changes", of: ({ options }) => (options.preview ? "reads" : "changes") },
  summary: "Create missing resources from an exported folder",
  details:
    "Creates resources in dependency order and replaces the old ids with the new ones. Resources that already exist, by id " +
    "or name, are skipped: nothing is updated or deleted. An interrupted import continues where it stopped when you run it " +
    "again. See docs/profiles.md.",
  args: [{ name: "folder", file: "in", summary: "folder written by iot profile export", required: true }],
  options: [previewOption, ...kindOptions],
  groups: ["confirm", "dryRun"],
  examples: [
    "iot profile import examples/profile",
    "iot profile import examples/profile --preview --exclude run-user",
    "iot profile export --out plant-two --yes > /dev/null && iot profile import plant-two --dry-run",
  ],
  exitCodes: [1, 3, 7, 8],
  related: ["iot profile export", "iot profile diff", "iot backup restore"],
  async run(ctx, input) {
    const folder = ctx.path(input.args.folder);
    const { entries, profile } = readFolder(folder, chosenKinds(input.options));
    await importEntries(ctx, {
      entries,
      source: realpathSync(folder),
      from: profile.id,
      isPreview: input.options.preview,
      // Nothing is lost by it.
      confirm: async () => undefined,
    });
  },
});

export const commands: readonly Command[] = [importProfile];
