import { countOf } from "../../../text/count.ts";
import type { CommandContext } from "../../kit/context.ts";
import { type DashboardPlan, isUpToDate } from "../../kit/dashboards/plan.ts";

/**
 * Asks before dashboards are written. New ones need no question; writing over one is level 1, deleting several widgets
 * level 2.
 */
export async function confirmWrites(to: CommandContext, plans: readonly DashboardPlan[]): Promise<void> {
  const concerned = plans.filter((plan) => !isUpToDate(plan));
  const { envName } = await to.target();
  const [one, ...others] = concerned;
  if (one === undefined || concerned.every(({ id }) => id === undefined)) return;
  const what = others.length === 0 ? `dashboard "${one.label}"` : countOf(concerned.length, "dashboard");
  const deleted = sum(concerned, ({ removals }) => removals.length);
  await to.confirm({
    level: deleted > 1 ? 2 : 1,
    action: `Write ${what} (${countsOf(concerned)})`,
    name: others.length === 0 ? one.label : envName || "dashboards",
    items: concerned.flatMap((plan) => [`${plan.label}: ${countsOf([plan])}`, ...deletions(plan)]),
  });
}

function deletions({ removals }: DashboardPlan): string[] {
  return removals.map(({ id, label, type }) => `  delete widget "${label}" ${type} ${id}`);
}

function countsOf(plans: readonly DashboardPlan[]): string {
  const counts = {
    created: sum(plans, ({ widgets }) => widgets.filter(({ action }) => action === "create").length),
    changed: sum(plans, ({ widgets }) => widgets.filter(({ action }) => action === "update").length),
    deleted: sum(plans, ({ removals }) => removals.length),
  };
  const named = Object.entries(counts).filter(([, count]) => count > 0);
  if (named.length === 0) return "settings and arrangement";
  return `widgets: ${named.map(([name, count]) => `${count} ${name}`).join(", ")}`;
}

function sum(plans: readonly DashboardPlan[], count: (plan: DashboardPlan) => number): number {
  return plans.reduce((all, plan) => all + count(plan), 0);
}
