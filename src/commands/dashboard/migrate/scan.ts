import type { PlannedWidget, PlanOptions, Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { JsonObject } from "../../kit/files/files.ts";
import { listOf } from "../../kit/folders/documents.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { isNotFound } from "../../kit/resource/not-found.ts";
import { steadyIds } from "../../widget/outcome.ts";
import type { DashboardState, Scanned } from "./types.ts";

/** Requests at a time when dashboards are read, unless `--concurrency` says otherwise. */
const READ_LANES = 16;

/** Reads a dashboard and all widgets of its arrangement. */
export async function readDashboard(client: Resources, id: string, lanes = READ_LANES): Promise<DashboardState> {
  const dashboard = plain(await client.dashboards.info(id));
  const places = listOf(dashboard["arrangement"]).map((place) => place["widget_id"]);
  const ids = [...new Set(places)].filter((id) => typeof id === "string");
  const found = await mapLanes(ids, lanes, (widget) => readWidget(client, id, widget));
  return {
    dashboard,
    widgets: found.filter((widget) => widget !== undefined),
    missing: ids.filter((_, i) => found[i] === undefined),
  };
}

/** One widget; undefined when the platform does not have it. */
export async function readWidget(
  client: Resources,
  dashboard: string,
  widget: string,
): Promise<JsonObject | undefined> {
  try {
    return plain(await client.dashboards.widgets.info(dashboard, widget));
  } catch (error) {
    if (isUnknownId(error)) return undefined;
    throw error;
  }
}

export function isUnknownId(error: unknown): boolean {
  return error instanceof ApiError && isNotFound(error);
}

// As it goes over the wire: dates as text, nothing undefined.
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}

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
