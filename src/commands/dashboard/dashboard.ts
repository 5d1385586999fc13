import type { Column } from "../kit/command/columns.ts";
import type { CommandContext } from "../kit/context.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import type { Body } from "../kit/resource/fields.ts";
import { resource, unhidden } from "../kit/resource/resource.ts";
import { resourceRoutes } from "../kit/resource/routes.ts";

/** A dashboard as lists and `get` show it. */
export interface DashboardRow {
  readonly id: string;
  readonly label?: string;
  readonly tabs?:
    | readonly { readonly key?: string; readonly value?: string; readonly hidden?: boolean | null }[]
    | null;
  readonly arrangement?: readonly { readonly widget_id: string; readonly tab?: string | null }[] | null;
}

export const dashboardColumns: readonly Column<DashboardRow>[] = [
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

export const dashboardCrud = resource<DashboardRow>({
  finder: dashboardFinder,
  route: resourceRoutes.dashboard,
  api: ({ dashboards }) => dashboards,
  createdKey: "dashboard",
  columns: dashboardColumns,
  fields: [
    { name: "label", kind: "content", needed: '--label "Cold rooms"', summary: "label of the dashboard" },
    { name: "description", kind: "content", summary: "description" },
    { name: "type", kind: "text", summary: "kind", choices: ["dashboard", "blueprint"] },
    { name: "visible", off: "hidden", summary: "show it in the dashboard list" },
    {
      name: "tab",
      member: "tabs",
      only: "create",
      late: true,
      repeat: true,
      value: "title",
      summary: "add a tab with this title, in order",
    },
  ],
  tags: true,
  list: {
    filterable: ["id", "label", "visible"],
    sortable: ["label", "active", "created_at", "updated_at"],
    examples: ["iot dashboard list", "iot dashboard list --sort updated_at:desc --json"],
  },
  get: {
    details: "Shows the tabs with the number of widgets on each; -o json prints the complete dashboard.",
    examples: ['iot dashboard get "name:Plant, old widgets"', 'iot dashboard get "name:Plant, old widgets" --json'],
    columns: [
      ...unhidden(dashboardColumns),
      { key: "tabs", value: tabSummary, schema: { type: ["array", "null"] } },
      { key: "widgets", kind: "number", value: widgetCount },
    ],
  },
  create: {
    details: "The new dashboard has no widgets: add them with iot widget create, or use iot dashboard import instead.",
    examples: [
      'iot dashboard create --label "Cold rooms" --tab Overview --tab Details --tag site=7',
      'iot dashboard create --label "Any silo, new" --type blueprint --hidden',
    ],
    complete: (ctx, _input, body) => withTabs(ctx, body),
  },
  update: {
    change: '--label "Cold rooms" or --tag site=7',
    details: "Properties in --input, such as tabs and arrangement, are replaced, not merged.",
    examples: [
      'iot dashboard update "name:Plant, old widgets" --tag floor=2',
      'iot dashboard update "name:Plant, old widgets" --description "Until the new one is done"',
    ],
  },
  delete: {
    details:
      "Its widgets are deleted too. Save a copy first with iot dashboard snapshot create or iot dashboard export.",
    examples: [
      'iot dashboard delete "name:Silo, any of them" --dry-run',
      'iot dashboard delete "name:Silo, any of them" "name:Plant, old widgets" --dry-run',
    ],
  },
});

/** The platform identifies tabs by a key; its own keys are creation times. */
function withTabs(ctx: CommandContext, body: Body): Body {
  if (!Array.isArray(body["tabs"])) return body;
  const nowMs = ctx.clock.now();
  const tabs = body["tabs"].map((tab: unknown, i) =>
    typeof tab === "string" ? { key: String(nowMs + i), value: tab, hidden: false } : tab,
  );
  return { ...body, tabs };
}
