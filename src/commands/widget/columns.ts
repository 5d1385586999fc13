import type { DashboardInfo } from "../../index.ts";
import type { Column } from "../kit/command/columns.ts";
import type { JsonObject } from "../kit/files/files.ts";

/** A widget with its position, as lists and `get` show it. */
export interface WidgetRow extends JsonObject {
  readonly id: string;
}

export const widgetColumns: readonly Column<WidgetRow>[] = [
  { key: "id", kind: "id" },
  { key: "label" },
  { key: "type" },
  { key: "tab" },
  { key: "x", kind: "number" },
  { key: "y", kind: "number" },
  { key: "width", kind: "number" },
  { key: "height", kind: "number" },
  { key: "realtime", kind: "json", hidden: true },
  { key: "analysis_run", kind: "id", hidden: true },
  { key: "data", kind: "json", hidden: true },
  { key: "resource", kind: "json", hidden: true },
  { key: "display", kind: "json", hidden: true },
];

/** The widget with its position; the tab by its title. A token is not shown. */
export function widgetRow(
  { token: _, ...widget }: JsonObject,
  { arrangement = [], tabs = [] }: Pick<DashboardInfo, "arrangement" | "tabs">,
): WidgetRow {
  const id = String(widget["id"]);
  const place = arrangement.find(({ widget_id }) => widget_id === id);
  const tab = tabs.find(({ key }) => key === place?.tab)?.value ?? place?.tab ?? undefined;
  const { x, y, width, height } = place ?? {};
  return { ...widget, id, tab, x, y, width, height };
}
