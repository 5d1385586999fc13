import type { CommandContext } from "../../kit/context.ts";
import type { DashboardPlan } from "../../kit/dashboards/plan.ts";
import { isUpToDate } from "../../kit/dashboards/plan.ts";

/** Prints every request that a plan stands for, in their order. Ids the platform has yet to give are those of the files. */
export async function printRequests(ctx: CommandContext, plans: readonly DashboardPlan[]): Promise<void> {
  for (const plan of plans) {
    if (!isUpToDate(plan)) await printPlan(ctx, plan);
  }
  if (plans.every(isUpToDate)) ctx.say.info("No changes.");
}

async function printPlan(ctx: CommandContext, plan: DashboardPlan): Promise<void> {
  const { id, settings, arrangement, widgets, removals } = plan;
  const root = `/dashboard/${id ?? "{new}"}`;
  if (id === undefined) await ctx.dryRun({ method: "POST", path: "/dashboard", body: settings });
  for (const { action, after } of widgets) {
    if (action === "create") await ctx.dryRun({ method: "POST", path: `${root}/widget`, body: after });
  }
  for (const { action, id: widget, after } of widgets) {
    if (action === "update") await ctx.dryRun({ method: "PUT", path: `${root}/widget/${widget ?? ""}`, body: after });
  }
  const body = { ...(id === undefined ? {} : settings), ...(arrangement === undefined ? {} : { arrangement }) };
  if (Object.keys(body).length > 0) await ctx.dryRun({ method: "PUT", path: root, body });
  for (const { id: widget } of removals) await ctx.dryRun({ method: "DELETE", path: `${root}/widget/${widget}` });
}
