import type { CommandContext } from "../../kit/context.ts";
import type { DashboardPlan } from "../../kit/dashboards/plan.ts";
import { isUpToDate, plannedWidgets } from "../../kit/dashboards/plan.ts";
import { removalSteps, type WriteStep } from "../../kit/dashboards/steps.ts";
import { resourceRoutes } from "../../kit/resource/routes.ts";

/** Prints every request of a plan, in order. Ids the platform has yet to assign are those of the files. */
export async function printRequests(ctx: CommandContext, plans: readonly DashboardPlan[]): Promise<void> {
  for (const plan of plans) {
    if (!isUpToDate(plan)) await printPlan(ctx, plan);
  }
  if (plans.every(isUpToDate)) ctx.say.info("No changes.");
}

async function printPlan(ctx: CommandContext, plan: DashboardPlan): Promise<void> {
  const { id, settings, arrangement, removals } = plan;
  const dashboard = id ?? "{new}";
  if (id === undefined) await ctx.dryRun({ method: "POST", path: resourceRoutes.dashboard, body: settings });
  for (const step of plannedWidgets(plan, dashboard)) await print(ctx, step);
  const body = { ...(id === undefined ? {} : settings), ...(arrangement === undefined ? {} : { arrangement }) };
  if (Object.keys(body).length > 0) await ctx.dryRun({ method: "PUT", path: `/dashboard/${dashboard}`, body });
  for (const step of removalSteps(
    dashboard,
    removals.map((widget) => widget.id),
  ))
    await print(ctx, step);
}

const print = (ctx: CommandContext, { method, path, body }: WriteStep): Promise<boolean> =>
  ctx.dryRun({ method, path, ...(body === undefined ? {} : { body }) });
