import { applyDashboards } from "./dashboard/apply.ts";
import { copyDashboards } from "./dashboard/copy.ts";
import { diffDashboards } from "./dashboard/diff.ts";
import { exportDashboards } from "./dashboard/export.ts";
import { dashboardFinder } from "./dashboard/finder.ts";
import { importDashboards } from "./dashboard/import.ts";
import { migrateDashboards } from "./dashboard/migrate.ts";
import { rollbackDashboard, snapshotCommands } from "./dashboard/snapshot.ts";
import type { Command } from "./kit/define.ts";
import type { Column } from "./kit/output.ts";
import { crud } from "./kit/resource.ts";

interface DashboardRow {
  readonly id: string;
  readonly label?: string;
  readonly tabs?:
    | readonly { readonly key?: string; readonly value?: string; readonly hidden?: boolean | null }[]
    | null;
  readonly arrangement?: readonly { readonly widget_id: string; readonly tab?: string | null }[] | null;
}

const columns: readonly Column<DashboardRow>[] = [
  { key: "id", kind: "id" },
  { key: "label" },
  { key: "type" },
  { key: "visible", kind: "flag" },
  { key: "updated_at", kind: "time" },
  { key: "tags", kind: "tags", hidden: true },
  { key: "last_access", kind: "time", hidden: true },
  { key: "created_at", kind: "time", hidden: true },
];

/** Each tab with the number of widgets on it; widgets without a tab follow. */
function tabSummary({ tabs, arrangement }: DashboardRow): string {
  const places = arrangement ?? [];
  const named = (tabs ?? []).map(({ key, value, hidden }) => {
    const count = places.filter(({ tab }) => tab === key).length;
    return `${value ?? key ?? "?"} (${count}${hidden ? ", hidden" : ""})`;
  });
  return named.join(", ");
}

function widgetCount({ arrangement }: DashboardRow): number {
  return new Set((arrangement ?? []).map(({ widget_id }) => widget_id)).size;
}

const plainCommands = crud<DashboardRow>({
  finder: dashboardFinder,
  route: "/dashboard",
  columns,
  fields: columns.map(({ key }) => key),
  nameOf: ({ id, label }) => label ?? id,
  info: (client, id) => client.dashboards.info(id),
  list: {
    examples: ["iot dashboard list", "iot dashboard list --sort updated_at:desc --json"],
    plan: (_ctx, _input, request) => ({
      request,
      read: (client, query) => client.dashboards.list(query as Parameters<typeof client.dashboards.list>[0]),
    }),
  },
  get: {
    details: "Shows the tabs with the number of widgets on each; -o json prints the whole dashboard.",
    examples: ['iot dashboard get "name:Plant, old widgets"', 'iot dashboard get "name:Plant, old widgets" --json'],
    columns: [
      ...columns.map(({ hidden: _, ...column }) => column),
      { key: "tabs", value: tabSummary },
      { key: "widgets", kind: "number", value: widgetCount },
    ],
  },
});

export const commands: readonly Command[] = [
  ...plainCommands,
  exportDashboards,
  importDashboards,
  applyDashboards,
  diffDashboards,
  copyDashboards,
  migrateDashboards,
  ...snapshotCommands,
  rollbackDashboard,
];
