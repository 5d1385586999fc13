import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { readDashboard } from "../kit/dashboards/read.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { dashboardFinder } from "../kit/finders/dashboard.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { snapshotCommands as commandsOver } from "../kit/state/snapshot-commands.ts";
import { openSnapshots, type Snapshot, type Snapshots } from "../kit/state/snapshots.ts";

export const labelOf = (dashboard: JsonObject): string => String(dashboard["label"] ?? dashboard["id"] ?? "");

const columns: readonly Column<Snapshot>[] = [
  { key: "id", kind: "id" },
  { key: "created_at", kind: "time" },
  { key: "dashboard", schema: { type: "object" }, value: ({ dashboard }) => labelOf(dashboard) },
  { key: "widgets", kind: "number", schema: { type: "array" }, value: ({ widgets }) => widgets.length },
  { key: "reason" },
  { key: "env", header: "from" },
];

/** In lists the parts of the dashboard are summed up. */
const listColumns: readonly Column<Snapshot>[] = columns.map((column) =>
  column.key === "widgets" ? { ...column, schema: { type: "integer" } } : column,
);

export const open = (ctx: CommandContext): Snapshots => openSnapshots(ctx.env, () => ctx.clock.now());
export const related = ["iot dashboard snapshot list", "iot dashboard rollback", "iot dashboard migrate"] as const;

const create = defineCommand({
  path: ["snapshot", "create"],
  result: one(columns),
  effect: "local",
  summary: "Save a snapshot of a dashboard",
  args: [{ name: "id", summary: "dashboard: id, name:… or tag:key=value", required: true }],
  examples: [
    'iot dashboard snapshot create "name:Plant, old widgets"',
    'iot dashboard snapshot create "name:Plant, old widgets" -o id',
  ],
  exitCodes: { only: [6] },
  related,
  async run(ctx, input) {
    const target = await resolveId(ctx, dashboardFinder, input.args.id);
    const { dashboard, widgets } = await readDashboard(await ctx.client(), target.id);
    const snapshot = open(ctx).save({ reason: "dashboard snapshot create", dashboard, widgets }, await ctx.target());
    await ctx.out.item(snapshot, { columns });
    ctx.say.info(`Saved "${labelOf(dashboard)}" with ${countOf(widgets.length, "widget")} as snapshot ${snapshot.id}.`);
  },
});

const { list, show, remove } = commandsOver<Snapshot>({
  noun: "dashboard",
  name: "snapshot",
  open,
  columns,
  listColumns,
  rowOf: ({ dashboard, widgets, ...about }) => ({
    ...about,
    dashboard: { id: dashboard["id"], label: dashboard["label"] },
    widgets: widgets.length,
  }),
  subjectOf: ({ dashboard }) => `"${labelOf(dashboard)}"`,
  details: "-o json prints the dashboard and every widget.",
  related,
});

export const snapshotCommands: readonly Command[] = [list, create, show, remove];
