import { relative } from "node:path";
import { safeRelativePath } from "../../text/clean.ts";
import { countOf } from "../../text/count.ts";
import { slugOf } from "../../text/slug.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { confirmFiles, writeFolderFiles } from "../kit/folders/write.ts";
import { planProfileFolder, requireOwnFolder } from "../kit/profiles/folder.ts";
import { readPlatform } from "../kit/profiles/read-platform.ts";
import { chosenKinds, kindOptions } from "../kit/profiles/select.ts";
import { expectTexts } from "../kit/resource/reply.ts";

interface KindRow {
  readonly kind: string;
  readonly resources: number;
  readonly written: number;
  readonly removed: number;
}

const columns: readonly Column<KindRow>[] = [
  { key: "kind", kind: "id" },
  { key: "resources", kind: "number" },
  { key: "written", kind: "number" },
  { key: "removed", kind: "number" },
];

const exportProfile = defineCommand({
  path: ["export"],
  result: rows(columns),
  effect: "local",
  summary: "Export all resources of the profile to a folder",
  details:
    "Writes one JSON file per resource, with sorted keys and without timestamps, counters, tokens and secrets: the same profile " +
    "always produces the same files, so you can keep them in version control. Values of secrets and analysis variables are " +
    "not written. Device data, entity rows and files are not included. Exporting to the same folder again updates changed " +
    "files and removes those of deleted resources. See docs/profiles.md.",
  options: [
    { name: "out", file: "out", value: "folder", summary: "folder to write to (default: named after the profile)" },
    ...kindOptions,
  ],
  groups: ["confirm"],
  examples: [
    "iot profile export --out profile-plant --yes",
    "iot profile export --out plant-code --include analysis,action --json --yes",
  ],
  exitCodes: [7],
  related: ["iot profile import", "iot profile diff", "iot backup create", "iot dashboard export"],
  async run(ctx, { options }) {
    const chosen = chosenKinds(options);
    const named = options.out;
    if (named !== undefined) requireOwnFolder(ctx, ctx.path(named));
    const client = await ctx.client();
    const { info } = await client.profiles.info("current");
    expectTexts([info], ["id", "name"], "with the profile");
    const out = ctx.path(named ?? safeRelativePath(slugOf(info.name, "profile")));
    const profile = { id: info.id, name: info.name };
    if (named === undefined) requireOwnFolder(ctx, out);
    const entries = await readPlatform(ctx, chosen);
    const plan = planProfileFolder(out, profile, chosen, entries);
    const shown = relative(ctx.cwd, out) || ".";
    await confirmFiles(ctx, shown, [plan]);
    writeFolderFiles(out, plan);
    const inFolder = (paths: Iterable<string>, kind: string): number =>
      [...paths].filter((path) => path.startsWith(`${kind}/`) || path.startsWith(`${kind}\\`)).length;
    const found = chosen.map(({ name }) => ({
      kind: name,
      resources: entries.filter(({ kind }) => kind === name).length,
      written: inFolder(plan.written.keys(), name),
      removed: inFolder(plan.removed, name),
    }));
    await ctx.out.list(found, { columns, empty: "The profile is empty.", idKey: "kind" });
    const { label } = await ctx.connection();
    ctx.say.info(
      `Exported ${countOf(entries.length, "resource")} of profile "${info.name}" from ${label} to ${shown}.`,
      shown,
    );
  },
});

export const commands: readonly Command[] = [exportProfile];
