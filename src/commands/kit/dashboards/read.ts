import type { Resources } from "../../../index.ts";
import type { JsonObject } from "../files/files.ts";
import { listOf } from "../folders/documents.ts";
import { mapLanes } from "../lanes.ts";
import { isUnknownId } from "../resource/not-found.ts";

/** A dashboard as the platform has it. */
export interface DashboardState {
  readonly dashboard: JsonObject;
  readonly widgets: readonly JsonObject[];
  /** Widgets of the arrangement that the platform does not have. */
  readonly missing: readonly string[];
}

/** Requests at a time when dashboards are read, unless `--concurrency` says otherwise. */
export const READ_LANES = 16;

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

/** Ids of the widgets of a dashboard, in the order of its arrangement. */
export function arranged(dashboard: JsonObject): string[] {
  return listOf(dashboard["arrangement"]).map(({ widget_id }) => String(widget_id));
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

// As it goes over the wire: dates as text, nothing undefined.
function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
