import type { Resources } from "../../../index.ts";
import { batchClient, batchSender } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { exists } from "../../kit/dashboards/remove.ts";
import { restore } from "../../kit/dashboards/restore.ts";
import { undoEach } from "../../kit/dashboards/undo-each.ts";
import { openSnapshots } from "../../kit/state/snapshots.ts";
import { removeCopies } from "./copy.ts";
import type { RunLog } from "./run-log.ts";

/** Takes back what a run has done to one dashboard. */
export async function undoDashboard(ctx: CommandContext, client: Resources, run: RunLog, id: string): Promise<void> {
  const steps = run.steps.filter(({ dashboard }) => dashboard === id);
  const job = run.job.dashboards.find((each) => each.id === id);
  if (job === undefined) return;
  if (job.newLabel !== undefined) {
    const copy = steps.findLast((step) => step.copy !== undefined)?.copy;
    await removeCopies(client, run, job, copy ?? "");
    return;
  }
  const snapshot = steps.find((step) => step.snapshot !== undefined)?.snapshot;
  if (snapshot === undefined) return;
  const kept = openSnapshots(ctx.env, () => ctx.clock.now()).need(snapshot);
  const only = new Set(job.widgets.filter(({ action }) => action === "convert").map((each) => each.id));
  await restore({ client, send: await batchSender(ctx) }, kept, { only });
}

/** Takes back everything a run has done, then forgets the run. Answers the ids of the dashboards concerned. */
export async function undoRun(ctx: CommandContext, run: RunLog): Promise<readonly string[]> {
  const client = await batchClient(ctx);
  const ids = [...new Set(run.steps.map(({ dashboard }) => dashboard))];
  const labels = new Map(run.job.dashboards.map(({ id, label }) => [id, label]));
  const undone = await undoEach(ctx, ids, {
    label: (id) => labels.get(id) ?? id,
    exists: (id) => exists(client, id),
    undo: (id) => undoDashboard(ctx, client, run, id),
  });
  run.finish();
  return undone;
}
