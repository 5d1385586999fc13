import type { Resources } from "../../../index.ts";
import { batchClient, batchSender } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { holds } from "../../kit/dashboards/body.ts";
import type { DashboardState } from "../../kit/dashboards/read.ts";
import { readDashboard } from "../../kit/dashboards/read.ts";
import { exists, removeDashboard, removeLabelled, removeWidget } from "../../kit/dashboards/remove.ts";
import { restoreDashboard } from "../../kit/dashboards/restore.ts";
import { undoEach } from "../../kit/dashboards/undo-each.ts";
import { idOf } from "../../kit/folders/documents.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import { notesIn } from "../../kit/jobs/run-items.ts";
import { openSnapshots } from "../../kit/state/snapshots.ts";
import {
  changedSettings,
  createdIn,
  type DashboardWrite,
  idsOf,
  type WriteNotes,
  type WriteRun,
  workingLabel,
  writesIn,
  writtenNote,
} from "./job.ts";

/**
 * Undoes what a run has done to one dashboard: a new one is deleted; in another one, everything the run has written is
 * restored from the snapshot. What somebody else wrote meanwhile stays.
 */
export async function takeBack(
  ctx: CommandContext,
  client: Resources,
  run: WriteRun,
  write: DashboardWrite,
  notes: WriteNotes,
): Promise<void> {
  if (write.id === undefined) {
    const made = notes.of("made");
    if (made !== undefined) await removeDashboard(client, made);
    return removeLabelled(client, workingLabel(run, write));
  }
  const snapshot = notes.of("snapshot");
  if (snapshot === undefined) return;
  const saved = openSnapshots(ctx.env, () => ctx.clock.now()).need(snapshot);
  const now = await readDashboard(client, write.id);
  const dropped = new Set(createdIn(write, notes).map(([, id]) => id));
  await restoreDashboard({ client, send: await batchSender(ctx) }, saved, { ...touched(write, notes, now), dropped });
  for (const id of dropped) await removeWidget(client, write.id, id);
}

/** What the run has written. The last request before a kill is not in the journal, but what it wrote can be seen. */
function touched(
  write: DashboardWrite,
  notes: WriteNotes,
  { dashboard, widgets }: DashboardState,
): { readonly only: ReadonlySet<string>; readonly hasSettings: boolean } {
  const ids = idsOf(write, notes);
  const present = new Map(widgets.map((widget) => [idOf(widget), widget]));
  const changed = write.widgets.filter(({ action, ref, id = "", after }) => {
    const now = present.get(id);
    const isWritten = notes.of(writtenNote(ref)) !== undefined;
    return action === "update" && (isWritten || (now !== undefined && holds(now, replaceIds(after, ids))));
  });
  const gone = write.removals.filter(({ id }) => !present.has(id));
  const settings = changedSettings(write, ids);
  const only = new Set([...changed, ...gone].map(({ id }) => id ?? ""));
  return { only, hasSettings: Object.keys(settings).length > 0 && holds(dashboard, settings) };
}

/** Undoes everything of a run, then forgets it. Returns how many dashboards were restored. */
export async function takeBackRun(ctx: CommandContext, run: WriteRun): Promise<number> {
  const client = await batchClient(ctx);
  const isBegun = (id: string): boolean => ["snapshot", "made"].some((note) => notesIn(run.journal, id).of(note));
  const undone = await undoEach(
    ctx,
    writesIn(run).filter(({ id }) => isBegun(id)),
    {
      label: ({ args }) => args.label,
      exists: async ({ args: { id } }) => id === undefined || (await exists(client, id)),
      undo: ({ id, args }) => takeBack(ctx, client, run, args, notesIn(run.journal, id)),
    },
  );
  // One that was being made when the run broke off may not be in the journal.
  for (const { id, args } of writesIn(run))
    if (args.id === undefined && !isBegun(id)) await removeLabelled(client, workingLabel(run, args));
  run.journal.finish();
  return undone.length;
}
