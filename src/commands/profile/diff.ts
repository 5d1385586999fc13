import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { rows } from "../kit/command/result.ts";
import { compareFolder, type ResourceDifference } from "../kit/profiles/differences.ts";
import { comparedKinds, comparisonOptions } from "../kit/profiles/select.ts";

const columns: readonly Column<ResourceDifference>[] = [
  { key: "kind" },
  { key: "name", rank: 1 },
  { key: "change", rank: 1 },
  { key: "path" },
  { key: "old", header: "platform", kind: "json" },
  { key: "new", header: "files", kind: "json" },
  { key: "id", kind: "id", hidden: true },
  { key: "file", hidden: true },
];

const diffProfile = defineCommand({
  path: ["diff"],
  result: rows(columns),
  effect: "reads",
  summary: "Compare a profile with an exported folder",
  details:
    "Exits with 11 if there are differences, else with 0. added: only in the files; an import would create it. " +
    "removed: only on the platform. changed: one row for each difference, with both values. Resources are matched by their stable key, " +
    "by id, else by name, so you can compare the files of one profile with another profile. Compares the kinds that iot profile apply " +
    "writes; --all-kinds adds secrets, portal users, core instances and the portal. Values of secrets and variables are not compared.",
  args: [{ name: "folder", file: "in", summary: "folder written by iot profile export", required: true }],
  options: comparisonOptions,
  examples: [
    "iot profile diff examples/profile --include dictionary",
    "iot profile export --out profile-shown --yes > /dev/null && iot profile diff profile-shown --json",
  ],
  exitCodes: [3, 11],
  related: ["iot profile export", "iot profile import", "iot dashboard diff"],
  async run(ctx, input) {
    const chosen = comparedKinds(input.options);
    const found = await compareFolder(ctx, ctx.path(input.args.folder), chosen);
    await ctx.out.list(found, { columns, empty: "No differences." });
    const count = new Set(found.map(({ kind, id }) => `${kind} ${id}`)).size;
    if (count > 0) ctx.say.info(`${countOf(found.length, "difference")} in ${countOf(count, "resource")}.`);
    return count === 0 ? 0 : 11;
  },
});

export const commands: readonly Command[] = [diffProfile];
