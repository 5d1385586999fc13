import { type ArgumentSpec, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { lookUp, resolveOrPick } from "../kit/resource/resolve-id.ts";
import { dashboardColumns } from "./dashboard.ts";

/** The dashboard a command is about. */
export const dashboardArgument = {
  name: "id",
  summary: "dashboard: full id, or a unique name:…, tag:key=value",
} as const satisfies ArgumentSpec;

export const duplicateDashboard = defineCommand({
  path: ["duplicate"],
  effect: "changes",
  summary: "Duplicate a dashboard within the profile",
  details: "The platform makes the copy. To replace devices or copy to another environment, use iot dashboard copy.",
  args: [dashboardArgument],
  options: [{ name: "label", value: "text", summary: 'label of the copy (default: the old one and "copy")' }],
  groups: ["dryRun"],
  examples: [
    'iot dashboard duplicate "name:Plant overview" --label "Plant overview, trial"',
    'iot dashboard duplicate "name:Plant overview" --dry-run',
  ],
  related: ["iot dashboard copy", "iot dashboard export"],
  result: one(dashboardColumns),
  async run(ctx, input) {
    const { id } = await resolveOrPick(ctx, dashboardFinder, input.args.id);
    const { label } = input.options;
    const body = label === undefined ? {} : { new_label: label };
    if (await ctx.dryRun({ method: "POST", path: `/dashboard/${id}/duplicate`, body })) return;
    const { dashboards } = await ctx.client();
    const { dashboard_id: copy } = await lookUp(ctx, dashboardFinder, id, () => dashboards.duplicate(id, body));
    const made = await dashboards.info(copy);
    await ctx.out.item(made, { columns: dashboardColumns });
    ctx.say.info(`Created dashboard "${made.label}" in ${(await ctx.connection()).label}.`);
  },
});
