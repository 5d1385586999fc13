import type { WidgetContent, WidgetDataQuery } from "../../index.ts";
import { defined } from "../../lib/core/defined.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options } from "../kit/command/options.ts";
import { rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { type ChosenDevice, chooseOption, chosenDevices } from "../kit/dashboards/blueprint.ts";
import { isObject, type JsonObject } from "../kit/files/files.ts";
import { lookUp } from "../kit/resource/resolve-id.ts";
import { dashboardOption, widgetArgument, widgetOf } from "./place.ts";

const columns: readonly Column<JsonObject>[] = [
  { key: "entry", kind: "number" },
  { key: "time", kind: "time", exact: true },
  { key: "variable", rank: 1 },
  { key: "value", kind: "json", rank: 1 },
  { key: "unit" },
  { key: "device", kind: "id", rank: 3 },
  { key: "group", hidden: true },
  { key: "id", kind: "id", hidden: true },
  { key: "location", kind: "json", hidden: true },
  { key: "metadata", kind: "json", hidden: true },
];

const options = [
  dashboardOption,
  { name: "from", kind: "instant", summary: "start time: 2026-01-31, -24h" },
  { name: "to", kind: "instant", summary: "end time" },
  { name: "amount", kind: "integer", summary: "table rows per source (20)" },
  { name: "page", kind: "integer", summary: "table page, from 1" },
  chooseOption,
] as const satisfies Options;

type Given = Input<[], typeof options>;

export const widgetDataCommand = defineCommand({
  path: ["data"],
  summary: "Read the data that a widget shows",
  details:
    "entry is the number of the source in the widget, from 1. --from and --to replace the dates of sources that allow it. Widgets " +
    "of a blueprint dashboard have no data until --choose sets a device for each placeholder.",
  effect: "reads",
  args: [widgetArgument],
  options,
  examples: [
    'iot widget data "name:Freezer temperature" --dashboard "name:Plant overview"',
    'iot widget data "name:Freezer temperature" --dashboard "name:Plant overview" --from -6h --json',
    'iot widget data "name:Level of the chosen silo" --dashboard "name:Silo, any of them" --choose "silo=name:Silo north"',
  ],
  related: ["iot widget get", "iot device data list"],
  result: rows(columns),
  async run(ctx, input) {
    const { dashboard, finder, target } = await widgetOf(ctx, input);
    const query = await queryOf(ctx, input, dashboard.id);
    const { widgets } = (await ctx.client()).dashboards;
    const { content } = await lookUp(ctx, finder, target.id, () => widgets.getData(dashboard.id, target.id, query));
    const list = content.findIndex(({ resource }) => resource !== undefined);
    // Every column of a list returns the whole list.
    const found = content.flatMap((each, i) => (each.resource !== undefined && i > list ? [] : rowsOf(each, i)));
    const known = new Set(columns.map(({ key }) => key));
    // Lists of devices, users and entities have the fields their widget chose.
    const more = [...new Set(found.flatMap((row) => Object.keys(row)))].filter((key) => !known.has(key));
    const isRecords = found.every((row) => row["variable"] !== undefined);
    await ctx.out.list(found, {
      columns: isRecords ? columns : [{ key: "entry", kind: "number" }, ...more.map(chosenColumn), ...hidden],
      empty: "The widget has no data.",
    });
  },
});

const hidden = columns.filter(({ key }) => key !== "entry").map((column) => ({ ...column, hidden: true }));

// A name such as tags.site is one property here, not a path.
const chosenColumn = (key: string): Column<JsonObject> => ({ key, kind: "json", value: (row) => row[key] });

/** One row per record; what is no list of records is a row of its own. */
function rowsOf({ result }: WidgetContent, index: number): JsonObject[] {
  const entry = index + 1;
  const list: readonly unknown[] = Array.isArray(result) ? result : [result];
  return list.map((each) => (isObject(each) ? { entry, ...each } : { entry, value: each }));
}

async function queryOf(ctx: CommandContext, input: Given, dashboard: string): Promise<WidgetDataQuery> {
  const { amount, page, from, to } = input.options;
  const overwrite = defined({ start_date: from?.toISOString(), end_date: to?.toISOString() });
  const chosen = await chosenIn(ctx, input, dashboard);
  return {
    ...defined({ amount, page }),
    ...(Object.keys(overwrite).length === 0 ? {} : { overwrite }),
    ...(chosen.length === 0 ? {} : { blueprint_devices: chosen }),
  };
}

async function chosenIn(ctx: CommandContext, input: Given, dashboard: string): Promise<ChosenDevice[]> {
  const { choose } = input.options;
  if (choose.length === 0) return [];
  const { blueprint_devices: placeholders = [] } = await (await ctx.client()).dashboards.info(dashboard);
  return chosenDevices(ctx, choose, placeholders);
}
