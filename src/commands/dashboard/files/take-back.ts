import type { Resources } from "../../../index.ts";
import { batchClient, batchSender } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { holds } from "../../kit/dashboards/body.ts";
import type { DashboardState } from "../../kit/dashboards/read.ts";
import { readDashboard } from "../../kit/dashboards/read.ts";
import { exists, removeDashboard, removeLabelled, removeWidget } from "../../kit/dashboards/remove.ts";
import { restore } from "../../kit/dashboards/restore.ts";
import { undoEach } from "../../kit/dashboards/undo-each.ts";
import { idOf } from "../../kit/folders/documents.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import { openSnapshots } from "../../kit/state/snapshots.ts";
import { type DashboardWrite, idsOf, newId, settingsOf, type WriteRun, type WriteStep, workingLabel } from "./job.ts";

/**
 * Takes back what a run has done to one dashboard: a new one goes; of another one, all that the run has written becomes
 * what the snapshot holds. What somebody else wrote meanwhile stays.
 */
export async function takeBack(
  ctx: CommandContext,
  client: Resources,
  run: WriteRun,
  write: DashboardWrite,
): Promise<void> {
  const steps = run.steps.filter(({ dashboard }) => dashboard === write.key);
  if (write.id === undefined) {
    for (const { made } of steps) if (made !== undefined) await removeDashboard(client, made);
    return removeLabelled(client, workingLabel(run, write));
  }
  const snapshot = steps.find((step) => step.snapshot !== undefined)?.snapshot;
  if (snapshot === undefined) return;
  const kept = openSnapshots(ctx.env, () => ctx.clock.now()).need(snapshot);
  const now = await readDashboard(client, write.id);
  const dropped = new Set(steps.flatMap(newId).map(([, id]) => id));
  await restore({ client, send: await batchSender(ctx) }, kept, { ...touched(write, steps, now), dropped });
  for (const id of dropped) await removeWidget(client, write.id, id);
}

/** What the run has written. The last request before a kill is not in the journal, but what it wrote can be seen. */
function touched(
  write: DashboardWrite,
  steps: readonly WriteStep[],
  { dashboard, widgets }: DashboardState,
): { readonly only: ReadonlySet<string>; readonly hasSettings: boolean } {
  const ids = idsOf(write, steps);
  const present = new Map(widgets.map((widget) => [idOf(widget), widget]));
  const noted = new Set(steps.map(({ widget }) => widget));
  const changed = write.widgets.filter(({ action, ref, id = "", after }) => {
    const now = present.get(id);
    return action === "update" && (noted.has(ref) || (now !== undefined && holds(now, replaceIds(after, ids))));
  });
  const gone = write.removals.filter(({ id }) => !present.has(id));
  const settings = settingsOf(write, ids);
  const only = new Set([...changed, ...gone].map(({ id }) => id ?? ""));
  return { only, hasSettings: Object.keys(settings).length > 0 && holds(dashboard, settings) };
}

/** Takes back everything of a run, then forgets it. Answers how many dashboards were restored. */
export async function takeBackRun(ctx: CommandContext, run: WriteRun): Promise<number> {
  const client = await batchClient(ctx);
  const begun = new Set(run.steps.map(({ dashboard }) => dashboard));
  const writes = run.job.dashboards.filter(({ key }) => begun.has(key));
  const undone = await undoEach(ctx, writes, {
    label: ({ label }) => label,
    exists: async ({ id }) => id === undefined || (await exists(client, id)),
    undo: (write) => takeBack(ctx, client, run, write),
  });
  // One that was being made when the run broke off may not be in the journal.
  for (const write of run.job.dashboards) {
    if (write.id === undefined && !begun.has(write.key)) await removeLabelled(client, workingLabel(run, write));
  }
  run.finish();
  return undone.length;
}
