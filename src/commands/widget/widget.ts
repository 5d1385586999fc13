import type { DashboardInfo, Resources, WidgetCreateInfo, WidgetEditInfo } from "../../index.ts";
import { countOf } from "../../text/count.ts";
import { batchClient } from "../kit/client/batch-client.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { optionString, optionValue } from "../kit/command/dynamic.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { deleted, deletedRows, one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { dashboardBody as requestOf } from "../kit/dashboards/body.ts";
import { finders } from "../kit/dashboards/look-up.ts";
import { readDashboard } from "../kit/dashboards/read.ts";
import { removeWidget } from "../kit/dashboards/remove.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import { widgetFinder } from "../kit/finders/widget.ts";
import { runBatch } from "../kit/resource/batch.ts";
import { type BodyField, bodyOptions, needChange, needMembers, readBody } from "../kit/resource/body.ts";
import { localPage } from "../kit/resource/local-list.ts";
import { listRequest, paged } from "../kit/resource/paging.ts";
import { lookUp, resolveId, resolveSeveral } from "../kit/resource/resolve-id.ts";
import { arrangementOptions, withMoved, withoutWidgets, withWidget } from "./arrangement.ts";
import { widgetColumns, widgetRow } from "./columns.ts";
import { dashboardOf, dashboardOption, readOne, widgetArgument, widgetOf } from "./place.ts";
import { requireWidgetType } from "./types.ts";

const related = ["iot widget list", "iot widget data", "iot dashboard get"] as const;
const board = '--dashboard "name:Plant overview"';

const list = defineCommand({
  path: ["list"],
  aliases: ["ls"],
  effect: "reads",
  summary: "List the widgets of a dashboard, in arrangement order",
  options: [dashboardOption],
  groups: ["list"],
  examples: [`iot widget list ${board}`, `iot widget list ${board} --filter type=card --json`],
  exitCodes: [6],
  related: ["iot widget get", "iot dashboard get"],
  result: rows(widgetColumns),
  async run(ctx, input) {
    const ask = listRequest(ctx, { what: "widgets", columns: widgetColumns });
    const { id } = await dashboardOf(ctx, input);
    const state = await readDashboard(await ctx.client(), id, ctx.flags.concurrency);
    const all = state.widgets.map((widget) => widgetRow(widget, state.dashboard as Partial<DashboardInfo>));
    const listing = paged(ctx, async (page, amount) => localPage(all, page, amount), ask);
    await ctx.out.list(listing.rows, {
      columns: widgetColumns,
      empty: "The dashboard has no widgets.",
      more: listing.more,
    });
  },
});

const get = defineCommand({
  path: ["get"],
  aliases: ["info"],
  effect: "reads",
  summary: "Get a widget",
  details: "-o json prints the complete widget with its position on the dashboard.",
  args: [widgetArgument],
  options: [dashboardOption],
  examples: [`iot widget get "name:Wind" ${board}`, `iot widget get "name:Wind" ${board} --json`],
  related,
  result: one(widgetColumns),
  async run(ctx, input) {
    const place = await widgetOf(ctx, input);
    const widget = await readOne(ctx, place);
    await print(ctx, place.dashboard.id, widget);
  },
});

async function print(ctx: CommandContext, dashboard: string, widget: Readonly<Record<string, unknown>>): Promise<void> {
  const { dashboards } = await ctx.client();
  const row = widgetRow(widget, await dashboards.info(dashboard));
  await ctx.out.item(row, { columns: widgetColumns.map(({ hidden: _, ...column }) => column) });
}

const fields: readonly BodyField[] = [
  { name: "label", kind: "content", summary: "label of the widget" },
  { name: "type", kind: "content", summary: "type, such as card; see iot widget types" },
  { name: "display", kind: "json", summary: "settings for the type, as JSON or @file" },
  { name: "data", kind: "json", summary: "data sources (origin, variables, query), as JSON or @file" },
  { name: "realtime", off: "no-push", summary: "show new values in real time" },
];

const writeOptions = [
  dashboardOption,
  ...bodyOptions(fields),
  { name: "analysis", value: "id", summary: "analysis to run: id or name:…" },
  ...arrangementOptions,
] as const satisfies Options;

const updateOptions = [...writeOptions, { name: "detach", summary: "remove the analysis" }] as const satisfies Options;

async function bodyOf(ctx: CommandContext, input: Input<[], typeof writeOptions>): Promise<Record<string, unknown>> {
  // A file created from a widget may contain fields that the platform sets.
  const { id: _, dashboard: __, token: ___, ...body } = await readBody(ctx, input, fields);
  const type = optionString(input, "type");
  if (type !== undefined) await requireWidgetType(type);
  if (optionValue(input, "display") !== undefined && !isObject(body["display"])) {
    throw usageError("--display needs a JSON object.", {
      next: 'Use the fields of the type: --display \'{"value":"Keep shut"}\'.',
    });
  }
  const analysis = input.options.analysis;
  if (analysis !== undefined) body["analysis_run"] = (await resolveId(ctx, finders.analyses, analysis)).id;
  return body;
}

const create = defineCommand({
  path: ["create"],
  effect: "changes",
  summary: "Create a widget on a dashboard",
  details:
    "Without a position it is added below the others on the first tab. The body is the platform's widget object: iot widget schema <type> " +
    "prints its schema. If the dashboard rejects the position, the widget is deleted.",
  options: writeOptions,
  examples: [
    `iot widget create ${board} --label "Door" --type note --display '{"value":"Keep shut"}' --tab More`,
    `iot widget create ${board} --input examples/dashboards/cold-store/widgets/temperature-now.json --width 6`,
  ],
  exitCodes: [3, 6],
  related: ["iot widget types", "iot widget schema", "iot widget delete"],
  result: one(widgetColumns),
  async run(ctx, input) {
    const body = await bodyOf(ctx, input);
    needMembers(body, "widget", { label: '--label "Wind"', type: "--type card" });
    const widgetBody = { display: {}, ...body } as unknown as WidgetCreateInfo;
    const { id, name } = await dashboardOf(ctx, input);
    const client = await ctx.client();
    const present = await client.dashboards.info(id);
    const draft = withWidget(present, "{new}", input.options);
    const plan = [
      { method: "POST", path: `/dashboard/${id}/widget`, body: widgetBody },
      { method: "PUT", path: `/dashboard/${id}`, body: { arrangement: draft } },
    ];
    if (await ctx.dryRun(plan)) return;
    const steady = await batchClient(ctx);
    const { widget } = await steady.dashboards.widgets.create(id, widgetBody);
    try {
      await steady.dashboards.edit(id, { arrangement: withWidget(present, widget, input.options) });
    } catch (error) {
      await removeWidget(steady, id, widget);
      throw error;
    }
    await print(ctx, id, await readOne(ctx, await placeOf(ctx, id, widget)));
    await ctx.done(`Created widget "${String(body["label"])}" on "${await name()}"`);
  },
});

async function placeOf(ctx: CommandContext, dashboard: string, widget: string) {
  const finder = widgetFinder(dashboard);
  const target = await resolveId(ctx, finder, widget);
  return { dashboard: { id: dashboard, name: async () => dashboard }, finder, target };
}

const update = defineCommand({
  path: ["update"],
  aliases: ["edit"],
  effect: "changes",
  summary: "Update or move a widget",
  details:
    "Properties are replaced, not merged. The analysis stays unless you change it with --analysis or remove it with --detach.",
  args: [widgetArgument],
  options: updateOptions,
  examples: [
    `iot widget update "name:Humidity" ${board} --label "Humidity outside" --dry-run`,
    `iot widget update "name:Read me" ${board} --width 6 --height 3`,
  ],
  exitCodes: [3],
  related,
  result: one(widgetColumns),
  run: updateWidget,
});

async function updateWidget(
  ctx: CommandContext,
  input: Input<[typeof widgetArgument], typeof updateOptions>,
): Promise<void> {
  const place = await widgetOf(ctx, input);
  const { dashboard, target } = place;
  const before = await readOne(ctx, place);
  const changes = await bodyOf(ctx, input);
  const client = await ctx.client();
  const present = await client.dashboards.info(dashboard.id);
  const arrangement = withMoved(present, target.id, input.options);
  const isDetached = input.options.detach;
  needChange(
    { ...changes, ...(arrangement && { arrangement }), ...(isDetached && { detach: true }) },
    "--label Wind or --x 4",
  );
  // The platform takes the analysis away from a widget when a change does not name it.
  const kept = isDetached ? { analysis_run: null } : { analysis_run: before["analysis_run"] ?? null };
  const isChanged = Object.keys(changes).length > 0 || isDetached;
  const body = { ...kept, ...changes } as WidgetEditInfo;
  const path = `/dashboard/${dashboard.id}`;
  const plan = [
    ...(isChanged ? [{ method: "PUT", path: `${path}/widget/${target.id}`, body }] : []),
    ...(arrangement === undefined ? [] : [{ method: "PUT", path, body: { arrangement } }]),
  ];
  if (await ctx.dryRun(plan)) return;
  if (isChanged) await client.dashboards.widgets.edit(dashboard.id, target.id, body);
  try {
    if (arrangement !== undefined) await client.dashboards.edit(dashboard.id, { arrangement });
  } catch (error) {
    if (isChanged) await client.dashboards.widgets.edit(dashboard.id, target.id, whole(before, changes));
    throw error;
  }
  const after = await readOne(ctx, place);
  await print(ctx, dashboard.id, after);
  await ctx.done(`Updated widget "${String(after["label"])}" on "${await dashboard.name()}"`);
}

/** The widget as it was, without what a change has added. */
function whole(before: JsonObject, changes: Readonly<Record<string, unknown>>): WidgetEditInfo {
  const added = Object.keys(changes).filter((key) => before[key] === undefined);
  return { ...Object.fromEntries(added.map((key) => [key, null])), ...requestOf(before) };
}

const widgetsArgument = { ...widgetArgument, variadic: true } as const;

const remove = defineCommand({
  path: ["delete"],
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete widgets from a dashboard",
  args: [widgetsArgument],
  options: [dashboardOption],
  examples: [
    `iot widget delete "name:Read me" ${board} --dry-run`,
    `iot widget delete "name:Read me" "name:Pump" ${board} --dry-run`,
  ],
  exitCodes: [8],
  related,
  result: deleted,
  run: deleteWidgets,
});

async function deleteWidgets(
  ctx: CommandContext,
  input: Input<[typeof widgetsArgument], [typeof dashboardOption]>,
): Promise<number | undefined> {
  const dashboard = await dashboardOf(ctx, input);
  const finder = widgetFinder(dashboard.id);
  const targets = await resolveSeveral(ctx, finder, input.args.id);
  const chosen = await Promise.all(targets.map(async ({ id, name }) => ({ id, name: await name() })));
  const client = await batchClient(ctx);
  const present = await lookUp(ctx, finder, dashboard.id, () => client.dashboards.info(dashboard.id));
  const arrangement = withoutWidgets(present, new Set(chosen.map(({ id }) => id)));
  const path = `/dashboard/${dashboard.id}`;
  const isPlaced = arrangement.length < (present.arrangement ?? []).length;
  const plan = [
    ...(isPlaced ? [{ method: "PUT", path, body: { arrangement } }] : []),
    ...chosen.map(({ id }) => ({ method: "DELETE", path: `${path}/widget/${id}` })),
  ];
  if (await ctx.dryRun(plan)) return undefined;
  const [first] = chosen;
  const what = chosen.length === 1 ? `widget "${first?.name ?? ""}"` : countOf(chosen.length, "widget");
  await ctx.confirm({
    level: chosen.length === 1 ? 1 : 2,
    action: `Delete ${what} of dashboard "${present.label}"`,
    name: chosen.length === 1 ? (first?.name ?? "") : present.label,
    items: chosen.map(({ id, name }) => `${id} ${name}`),
  });
  if (isPlaced) await client.dashboards.edit(dashboard.id, { arrangement });
  return runBatch(ctx, {
    items: chosen,
    title: ({ name }) => `widget "${name}"`,
    done: "Deleted",
    unit: ["widget", "widgets"],
    async run({ id }) {
      try {
        await client.dashboards.widgets.delete(dashboard.id, id);
      } catch (error) {
        await putBack(client, dashboard.id, present, id);
        throw error;
      }
    },
    print: (done) => ctx.out.list(done, deletedRows),
  });
}

/** Puts a widget that could not be deleted back into the arrangement. */
async function putBack({ dashboards }: Resources, id: string, before: DashboardInfo, widget: string): Promise<void> {
  const places = (before.arrangement ?? []).filter(({ widget_id }) => widget_id === widget);
  const { arrangement = [] } = await dashboards.info(id);
  if (places.length > 0) await dashboards.edit(id, { arrangement: [...arrangement, ...places] });
}

export const widgetCrud: readonly Command[] = [list, get, create, update, remove];
