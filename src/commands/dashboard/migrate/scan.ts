import type { PlannedWidget, PlanOptions } from "../../../index.ts";
import type { CommandContext } from "../../kit/context.ts";
import { READ_LANES, readDashboard } from "../../kit/dashboards/read.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { steadyIds } from "../../kit/widgets/outcome.ts";
import type { Scanned } from "./types.ts";

/** Reads dashboards and says what a migration would make of their widgets, as each is known. */
export async function scanDashboards(
  ctx: CommandContext,
  ids: readonly string[],
  onScanned: (scanned: Scanned) => void = () => undefined,
): Promise<readonly Scanned[]> {
  const client = await ctx.client();
  const { planDashboard } = await import("../../../lib/widgets/plan.ts");
  const options = await planOptions();
  const lanes = ctx.flags.concurrency ?? READ_LANES;
  return mapLanes(ids, Math.max(1, Math.ceil(lanes / 4)), async (id) => {
    const state = await readDashboard(client, id, Math.max(1, Math.ceil(lanes / 2)));
    const { label, widgets } = planDashboard(state.dashboard, state.widgets, options);
    const scanned: Scanned = { id, label, state, widgets };
    onScanned(scanned);
    return scanned;
  });
}

/** Ids that depend on the widget alone, and a look at the schema of every new widget. */
export async function planOptions(): Promise<Required<PlanOptions>> {
  const { checkWidget } = await import("../../../schema/widgets/check.ts");
  return {
    newIds: steadyIds,
    check: (widget) => (checkWidget(widget) ?? []).map(({ message }) => message),
  };
}

/** True when the migration has something to write for the widget. */
export function isConvertible({ verdict }: Pick<PlannedWidget, "verdict">): boolean {
  return verdict === "converts" || verdict === "notes";
}
