import { countOf } from "../../text/count.ts";
import { argument } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import { openProfileSnapshots, type ProfileSnapshot } from "./apply/store.ts";

export const snapshotArgument = {
  name: "snapshot",
  summary: 'snapshot id, the start of one, or "last"',
  required: true,
} as const;
export const related = ["iot profile snapshot list", "iot profile rollback", "iot profile apply"] as const;

const listColumns: readonly Column<ProfileSnapshot>[] = [
  { key: "id", kind: "id" },
  { key: "created_at", kind: "time" },
  { key: "profile", schema: { type: "string" }, value: ({ profile }) => profile.name },
  {
    key: "entries",
    header: "changed",
    kind: "number",
    schema: { type: "integer" },
    value: ({ entries }) => entries.length,
  },
  { key: "created", kind: "number", schema: { type: "integer" }, value: ({ created }) => created.length },
  { key: "state" },
  { key: "reason" },
  { key: "env", header: "from" },
];

/** Everything in a snapshot, which only JSON shows. */
const wholeColumns: readonly Column<ProfileSnapshot>[] = listColumns.map((column) => {
  if (column.key === "profile") return { ...column, schema: { type: "object" } };
  return column.key === "entries" || column.key === "created" ? { ...column, schema: { type: "array" } } : column;
});
const removedColumns = [{ key: "id", kind: "id" }] as const;

const list = defineCommand({
  path: ["snapshot", "list"],
  asks: "nothing",
  result: rows(listColumns),
  aliases: ["ls"],
  effect: "reads",
  summary: "List the profile snapshots on this machine",
  groups: ["limit"],
  examples: ["iot profile snapshot list", "iot profile snapshot list --json"],
  related,
  async run(ctx) {
    const { snapshots, broken } = openProfileSnapshots(ctx).list();
    for (const id of broken) ctx.say.warning(`Snapshot ${id} cannot be read.`);
    const isMachine = ctx.out.format === "json" || ctx.out.format === "ndjson" || ctx.out.format === "yaml";
    if (!isMachine) {
      await ctx.out.list(snapshots, { columns: listColumns, empty: "No snapshots." });
      return;
    }
    const rows = snapshots.map(({ entries, created, profile, source: _, ...about }) => ({
      ...about,
      profile: profile.name,
      entries: entries.length,
      created: created.length,
    }));
    await ctx.out.list(rows, { columns: listColumns.map(({ key }) => ({ key })), empty: "No snapshots." });
  },
});

const show = defineCommand({
  path: ["snapshot", "show"],
  asks: "nothing",
  result: one(wholeColumns),
  aliases: ["get"],
  effect: "reads",
  summary: "Show a profile snapshot",
  details:
    "-o json prints every resource as it was, and what the run created. Snapshots contain no tokens and secrets.",
  args: [snapshotArgument],
  examples: ["iot profile snapshot show last", "iot profile snapshot show last --json"],
  exitCodes: [3, 6],
  related,
  async run(ctx, input) {
    await ctx.out.item(openProfileSnapshots(ctx).need(argument(input, "snapshot") ?? ""), { columns: wholeColumns });
  },
});

const remove = defineCommand({
  path: ["snapshot", "delete"],
  asks: "nothing",
  result: one(removedColumns),
  aliases: ["rm"],
  effect: "local",
  summary: "Delete a profile snapshot from this machine",
  args: [snapshotArgument],
  groups: ["confirm"],
  examples: ["iot profile snapshot delete last --yes", "iot profile snapshot delete last --yes --json"],
  exitCodes: { only: [3, 6] },
  related,
  async run(ctx, input) {
    const snapshots = openProfileSnapshots(ctx);
    const { id, profile, entries } = snapshots.need(argument(input, "snapshot") ?? "");
    const action = `Delete snapshot ${id} of profile "${profile.name}" (${countOf(entries.length, "resource")})`;
    await ctx.confirm({ level: 1, action, where: "on this machine", name: id });
    snapshots.remove(id);
    await ctx.out.item({ id }, { columns: removedColumns });
    ctx.say.info(`Deleted snapshot ${id}.`);
  },
});

export const commands: readonly Command[] = [list, show, remove];
