import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { chosenProfile, profileArgument, profileFinder } from "../kit/finders/profile.ts";
import { lookUp, type ResourceTarget } from "../kit/resource/resolve-id.ts";

const shown: readonly Column<Record<string, unknown>>[] = [
  { key: "tago_run", header: "portal" },
  ...["device", "dashboard", "analysis", "action", "am", "run_users", "dictionary", "connectors", "networks"].map(
    (name) => ({ key: `amount.${name}`, header: name === "am" ? "access" : name, kind: "number" as const }),
  ),
  { key: "limit", kind: "json", hidden: true },
  { key: "limit_used", kind: "json", hidden: true },
  { key: "addons", kind: "json", hidden: true },
];

export async function summaryOf(ctx: CommandContext, target: ResourceTarget) {
  const { profiles } = await ctx.client();
  return lookUp(ctx, profileFinder, target.id, () => profiles.summary(target.id));
}

export const summary = defineCommand({
  path: ["summary"],
  result: one(shown),
  effect: "reads",
  summary: "Count the resources of a profile by kind",
  details: "With -o json, the limits and usage are included as well.",
  args: [profileArgument],
  examples: ["iot profile summary", 'iot profile summary "name:Demo Plant" --json'],
  related: ["iot profile limits", "iot profile statistics"],
  async run(ctx, input) {
    const found = await summaryOf(ctx, await chosenProfile(ctx, input.args.id));
    await ctx.out.item({ ...found }, { columns: shown });
  },
});
