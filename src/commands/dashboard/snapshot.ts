import { countOf } from "../../text/count.ts";
import { argument } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import type { JsonObject } from "../kit/files/files.ts";
import { resolveId } from "../kit/resource/resolve-id.ts";
import { openSnapshots, type Snapshot, type Snapshots } from "../kit/state/snapshots.ts";
import { dashboardFinder } from "./finder.ts";
import { readDashboard } from "./migrate/scan.ts";

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
const removedColumns = [{ key: "id", kind: "id" }] as const;

export const open = (ctx: CommandContext): Snapshots => openSnapshots(ctx.env, () => ctx.clock.now());
export const idArgument = {
  name: "snapshot",
  summary: 'snapshot id, the start of one, or "last"',
  required: true,
} as const;
export const related = ["iot dashboard snapshot list", "iot dashboard rollback", "iot dashboard migrate"] as const;

const list = defineCommand({
  path: ["snapshot", "list"],
  asks: "nothing",
  result: rows(listColumns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the snapshots on this machine",
  groups: ["limit"],
  examples: ["iot dashboard snapshot list", "iot dashboard snapshot list --json"],
  related,
  async run(ctx) {
    const { snapshots, broken } = open(ctx).list();
    for (const id of broken) ctx.say.warning(`Snapshot ${id} cannot be read.`);
    const isMachine = ctx.out.format === "json" || ctx.out.format === "ndjson" || ctx.out.format === "yaml";
    if (!isMachine) {
      await ctx.out.list(snapshots, { columns, empty: "No snapshots." });
      return;
    }
    const rows = snapshots.map(({ dashboard, widgets, ...about }) => ({
      ...about,
      dashboard: { id: dashboard["id"], label: dashboard["label"] },
      widgets: widgets.length,
    }));
    await ctx.out.list(rows, { columns: columns.map(({ key }) => ({ key })), empty: "No snapshots." });
  },
});

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
    const target = await resolveId(ctx, dashboardFinder, argument(input, "id") ?? "");
    const { dashboard, widgets } = await readDashboard(await ctx.client(), target.id);
    const snapshot = open(ctx).save({ reason: "dashboard snapshot create", dashboard, widgets }, await ctx.target());
    await ctx.out.item(snapshot, { columns });
    ctx.say.info(`Saved "${labelOf(dashboard)}" with ${countOf(widgets.length, "widget")} as snapshot ${snapshot.id}.`);
  },
});

const show = defineCommand({
  path: ["snapshot", "show"],
  asks: "nothing",
  result: one(columns),
  aliases: ["get"],
  effect: "reads",
  summary: "Show a snapshot",
  details: "-o json prints the dashboard and every widget.",
  args: [idArgument],
  examples: ["iot dashboard snapshot show last", "iot dashboard snapshot show last --json"],
  exitCodes: [3, 6],
  related,
  async run(ctx, input) {
    await ctx.out.item(open(ctx).need(argument(input, "snapshot") ?? ""), { columns });
  },
});

const remove = defineCommand({
  path: ["snapshot", "delete"],
  asks: "nothing",
  result: one(removedColumns),
  aliases: ["rm"],
  effect: "local",
  summary: "Delete a snapshot from this machine",
  args: [idArgument],
  groups: ["confirm"],
  examples: ["iot dashboard snapshot delete last --yes --json", "iot dashboard snapshot delete last --yes"],
  exitCodes: { only: [3, 6] },
  related,
  async run(ctx, input) {
    const snapshots = open(ctx);
    const { id, dashboard } = snapshots.need(argument(input, "snapshot") ?? "");
    const action = `Delete snapshot ${id} of "${labelOf(dashboard)}"`;
    await ctx.confirm({ level: 1, action, where: "on this machine", name: id });
    snapshots.remove(id);
    await ctx.out.item({ id }, { columns: removedColumns });
    ctx.say.info(`Deleted snapshot ${id}.`);
  },
});

export const snapshotCommands: readonly Command[] = [list, create, show, remove];
