import type { Resources } from "../../../index.ts";
import type { CommandContext } from "../../kit/context.ts";
import { openSnapshots } from "../../kit/snapshots.ts";
import { steadyClient } from "../../kit/steady-client.ts";
import { removeDashboard, removeLabelled, removeWidget } from "../../migration/copy.ts";
import { restore } from "../../migration/undo.ts";
import { type DashboardWrite, type WriteRun, workingLabel } from "./job.ts";

/** Takes back what a run has done to one dashboard: a new one goes, another one becomes what its snapshot holds. */
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
  const created = new Set(steps.flatMap(({ widget, id }) => (widget === undefined || id === undefined ? [] : [id])));
  const kept = openSnapshots(ctx.env, () => ctx.clock.now()).need(snapshot);
  await restore(client, kept, undefined, created);
  for (const id of created) await removeWidget(client, write.id, id);
}

/** Takes back everything of a run, then forgets it. Answers how many dashboards were concerned. */
export async function takeBackRun(ctx: CommandContext, run: WriteRun): Promise<number> {
  const client = await steadyClient(ctx);
  const begun = new Set(run.steps.map(({ dashboard }) => dashboard));
  const writes = run.job.dashboards.filter(({ key }) => begun.has(key));
  for (const write of writes) await takeBack(ctx, client, run, write);
  // One that was being made when the run broke off may not be in the journal.
  for (const write of run.job.dashboards) {
    if (write.id === undefined && !begun.has(write.key)) await removeLabelled(client, workingLabel(run, write));
  }
  run.finish();
  return writes.length;
}
