import { optionList } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import type { CommandContext } from "../kit/context.ts";
import {
  type BodyField,
  bodyOptions,
  changedTags,
  needChange,
  needMembers,
  readBody,
  tagOptions,
} from "../kit/resource/body.ts";
import { crud } from "../kit/resource/crud.ts";
import { dashboardFinder } from "./finder.ts";

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

const fields: readonly BodyField[] = [
  { flag: "label", summary: "label of the dashboard" },
  { flag: "description", summary: "description" },
  { flag: "type", summary: "kind", choices: ["dashboard", "blueprint"] },
  { flag: "visible", off: "hidden", kind: "switch", summary: "show it in the list of dashboards" },
];

const createOptions: readonly OptionSpec[] = [
  { name: "tag", value: "k=v", summary: "tag of the dashboard", repeat: true },
  { name: "tab", value: "title", summary: "tab with this title, in order", repeat: true },
];

export const dashboardCrud = crud<DashboardRow>({
  finder: dashboardFinder,
  route: "/dashboard",
  columns: dashboardColumns,
  fields: dashboardColumns.map(({ key }) => key),
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
      ...dashboardColumns.map(({ hidden: _, ...column }) => column),
      { key: "tabs", value: tabSummary, schema: { type: ["array", "null"] } },
      { key: "widgets", kind: "number", value: widgetCount },
    ],
  },
  create: {
    options: [...bodyOptions(fields), ...createOptions],
    details:
      "The new dashboard has no widgets: add them with iot widget create, or make the dashboard with iot dashboard import.",
    examples: [
      'iot dashboard create --label "Cold rooms" --tab Overview --tab Details --tag site=7',
      'iot dashboard create --label "Any silo, new" --type blueprint --hidden',
    ],
    async body(ctx, input) {
      const body = {
        ...(await readBody(ctx, input, fields)),
        ...newTabs(ctx, input),
        ...(await changedTags(input, noTags)),
      };
      needMembers(body, "dashboard", { label: '--label "Cold rooms"' });
      return body;
    },
    async send(client, body) {
      const made = await client.dashboards.create(body as Parameters<typeof client.dashboards.create>[0]);
      return made.dashboard;
    },
  },
  update: {
    options: [...bodyOptions(fields), ...tagOptions],
    details: "Members of --input, such as tabs and arrangement, are replaced whole.",
    examples: [
      'iot dashboard update "name:Plant, old widgets" --tag floor=2',
      'iot dashboard update "name:Plant, old widgets" --description "Until the new one is done"',
    ],
    async body(ctx, input, target) {
      const current = async () => (await (await ctx.client()).dashboards.info(target.id)).tags;
      const body = { ...(await readBody(ctx, input, fields)), ...(await changedTags(input, current)) };
      needChange(body, '--label "Cold rooms" or --tag site=7');
      return body;
    },
    send: (client, id, body) => client.dashboards.edit(id, body as Parameters<typeof client.dashboards.edit>[1]),
  },
  delete: {
    details: "Its widgets go with it. iot dashboard snapshot create or iot dashboard export keep a copy.",
    examples: [
      'iot dashboard delete "name:Silo, any of them" --dry-run',
      'iot dashboard delete "name:Silo, any of them" "name:Plant, old widgets" --dry-run',
    ],
    send: (client, id) => client.dashboards.delete(id),
  },
});

const noTags = async (): Promise<undefined> => undefined;

/** The platform tells tabs apart by a key; its own are the time at which they were made. */
function newTabs(ctx: CommandContext, input: CommandInput): { tabs?: object[] } {
  const titles = optionList(input, "tab");
  if (titles.length === 0) return {};
  const nowMs = ctx.clock.now();
  return { tabs: titles.map((value, i) => ({ key: String(nowMs + i), value, hidden: false })) };
}
