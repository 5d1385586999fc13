import type { Column } from "../command/columns.ts";
import { type Command, defineCommand } from "../command/define.ts";
import { one, rows } from "../command/result.ts";
import type { CommandContext } from "../context.ts";
import type { SnapshotFiles, StoredSnapshot } from "./snapshot-files.ts";

export const snapshotArgument = {
  name: "snapshot",
  summary: 'snapshot id, the start of one, or "last"',
  required: true,
} as const;

/** What the snapshots of a kind of thing are, for the commands over them. */
interface SnapshotKind<Snapshot extends StoredSnapshot> {
  readonly noun: "dashboard" | "profile";
  /** How help texts name one: `profile snapshot`. */
  readonly name: string;
  readonly open: (ctx: CommandContext) => Pick<SnapshotFiles<Snapshot>, "list" | "need" | "remove">;
  /** One as a whole. */
  readonly columns: readonly Column<Snapshot>[];
  /** The same columns where long parts are counts. */
  readonly listColumns: readonly Column<Snapshot>[];
  /** A row of a list, for programs. */
  readonly rowOf: (snapshot: Snapshot) => object;
  /** What it is of, in a question. */
  readonly subjectOf: (snapshot: Snapshot) => string;
  /** What -o json prints of one. */
  readonly details: string;
  readonly related: readonly string[];
}

const removedColumns = [{ key: "id", kind: "id" }] as const;

/** `snapshot list`, `show` and `delete`. */
export function snapshotCommands<Snapshot extends StoredSnapshot>(
  kind: SnapshotKind<Snapshot>,
): Readonly<Record<"list" | "show" | "remove", Command>> {
  return { list: listCommand(kind), show: showCommand(kind), remove: removeCommand(kind) };
}

function listCommand<Snapshot extends StoredSnapshot>(kind: SnapshotKind<Snapshot>): Command {
  const { noun, name, open, listColumns, related } = kind;
  return defineCommand({
    path: ["snapshot", "list"],
    asks: "nothing",
    result: rows(listColumns),
    aliases: ["ls"],
    effect: "reads",
    summary: `List the ${name}s on this machine`,
    groups: ["limit"],
    examples: [`iot ${noun} snapshot list`, `iot ${noun} snapshot list --json`],
    related,
    async run(ctx) {
      const { snapshots, broken } = open(ctx).list();
      for (const id of broken) ctx.say.warning(`Snapshot ${id} cannot be read.`);
      const empty = "No snapshots.";
      if (!["json", "ndjson", "yaml"].includes(ctx.out.format)) {
        await ctx.out.list(snapshots, { columns: listColumns, empty });
        return;
      }
      await ctx.out.list(snapshots.map(kind.rowOf), { columns: listColumns.map(({ key }) => ({ key })), empty });
    },
  });
}

function showCommand<Snapshot extends StoredSnapshot>(kind: SnapshotKind<Snapshot>): Command {
  const { noun, name, open, columns, related } = kind;
  return defineCommand({
    path: ["snapshot", "show"],
    asks: "nothing",
    result: one(columns),
    aliases: ["get"],
    effect: "reads",
    summary: `Show a ${name}`,
    details: kind.details,
    args: [snapshotArgument],
    examples: [`iot ${noun} snapshot show last`, `iot ${noun} snapshot show last --json`],
    exitCodes: [3, 6],
    related,
    async run(ctx, input) {
      await ctx.out.item(open(ctx).need(input.args.snapshot), { columns });
    },
  });
}

function removeCommand<Snapshot extends StoredSnapshot>(kind: SnapshotKind<Snapshot>): Command {
  const { noun, name, open, related } = kind;
  return defineCommand({
    path: ["snapshot", "delete"],
    asks: "nothing",
    result: one(removedColumns),
    aliases: ["rm"],
    effect: "local",
    summary: `Delete a ${name} from this machine`,
    args: [snapshotArgument],
    groups: ["confirm"],
    examples: [`iot ${noun} snapshot delete last --yes`, `iot ${noun} snapshot delete last --yes --json`],
    exitCodes: { only: [3, 6] },
    related,
    async run(ctx, input) {
      const snapshots = open(ctx);
      const snapshot = snapshots.need(input.args.snapshot);
      const { id } = snapshot;
      const action = `Delete snapshot ${id} of ${kind.subjectOf(snapshot)}`;
      await ctx.confirm({ level: 1, action, where: "on this machine", name: id });
      snapshots.remove(id);
      await ctx.out.item({ id }, { columns: removedColumns });
      ctx.say.info(`Deleted snapshot ${id}.`);
    },
  });
}
