import { countOf } from "../../text/count.ts";
import { batchSender } from "../kit/client/batch-client.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import { quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { readDashboard } from "../kit/dashboards/read.ts";
import { removeWidget } from "../kit/dashboards/remove.ts";
import { restoreDashboard } from "../kit/dashboards/restore.ts";
import { requireSameTarget, snapshotTarget } from "../kit/state/same-target.ts";
import { snapshotArgument } from "../kit/state/snapshot-commands.ts";
import { labelOf, open, related } from "./snapshot.ts";

const rollbackColumns = [
  { key: "id", kind: "id" },
  { key: "label" },
  { key: "changed", kind: "number" },
  { key: "recreated", kind: "number" },
  { key: "removed", kind: "number" },
  { key: "added", kind: "number" },
  { key: "kept", kind: "id" },
] as const;

export const rollbackDashboard = defineCommand({
  path: ["rollback"],
  result: one(rollbackColumns),
  effect: "changes",
  summary: "Restore a dashboard from a snapshot",
  details:
    "Widgets deleted since then are created again. Widgets added by the command that took the snapshot are deleted, " +
    "other added widgets stay. The current state is saved as a snapshot first, so you can undo " +
    "a rollback too.",
  args: [snapshotArgument],
  groups: ["confirm", "dryRun"],
  examples: ["iot dashboard rollback last --yes", "iot dashboard rollback last --dry-run"],
  exitCodes: { only: [3, 6, 7] },
  related,
  run: rollback,
});

async function rollback(ctx: CommandContext, { args }: Input<[typeof snapshotArgument], []>): Promise<void> {
  // Without a token nothing below can be done, however good the snapshot.
  await ctx.connection();
  const snapshots = open(ctx);
  const snapshot = snapshots.need(args.snapshot);
  const target = await ctx.target();
  requireSameTarget(snapshotTarget(snapshot.id), { ...snapshot, label: snapshot.env }, target);
  const id = String(snapshot.dashboard["id"]);
  const label = labelOf(snapshot.dashboard);
  if (await ctx.dryRun({ method: "PUT", path: `/dashboard/${id}`, body: snapshot.dashboard })) {
    for (const widget of snapshot.widgets) {
      const path = `/dashboard/${id}/widget/${String(widget["id"])}`;
      await ctx.dryRun({ method: "PUT", path, body: widget });
    }
    for (const widget of snapshot.added ?? []) {
      await ctx.dryRun({ method: "DELETE", path: `/dashboard/${id}/widget/${widget}` });
    }
    return;
  }
  const day = snapshot.created_at.slice(0, 16).replace("T", " ");
  await ctx.confirm({ level: 1, action: `Restore dashboard "${label}" to its state of ${day}`, name: label });
  const client = await ctx.client();
  const present = await readDashboard(client, id);
  const kept = snapshots.save(
    { reason: "dashboard rollback", dashboard: present.dashboard, widgets: present.widgets },
    target,
  );
  const made = new Set(snapshot.added);
  const { changed, recreated, added } = await restoreDashboard({ client, send: await batchSender(ctx) }, snapshot, {
    dropped: made,
  });
  for (const widget of made) await removeWidget(client, id, widget);
  const counts = { changed: changed.length, recreated: recreated.size, removed: made.size, added: added.length };
  const outcome = { id, label, ...counts, kept: kept.id };
  await ctx.out.item(outcome, { columns: rollbackColumns });
  ctx.say.info(
    `Restored "${label}": ${countOf(changed.length, "widget")} changed, ${recreated.size} created again, ` +
      `${made.size} deleted. Before: snapshot ${kept.id}.`,
  );
  const left = new Set(added);
  const names = present.widgets
    .filter(({ id: widget }) => left.has(String(widget)))
    .map(({ label: name }) => quote(String(name)));
  if (left.size > 0)
    ctx.say.warning(
      `Added since the snapshot and left on the dashboard: ${countOf(left.size, "widget")} (${names.join(", ")}).`,
    );
}
