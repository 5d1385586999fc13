import type { Resources } from "../../../index.ts";
import { batchClient, batchSender } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { exists } from "../../kit/dashboards/remove.ts";
import { restoreDashboard } from "../../kit/dashboards/restore.ts";
import { undoEach } from "../../kit/dashboards/undo-each.ts";
import { notesIn } from "../../kit/jobs/run-items.ts";
import { openSnapshots } from "../../kit/state/snapshots.ts";
import { removeCopies } from "./copy.ts";
import type { MigrationRun } from "./job.ts";
import type { DashboardJob } from "./types.ts";

/** Undoes what a run has done to one dashboard. */
async function undoDashboard(ctx: CommandContext, client: Resources, run: MigrationRun, job: DashboardJob) {
  const notes = notesIn(run.journal, job.id);
  if (job.newLabel !== undefined) return removeCopies(client, run, job, notes.of("copy"));
  const saved = openSnapshots(ctx.env, () => ctx.clock.now()).need(notes.of("snapshot") ?? "");
  const only = new Set(job.widgets.filter(({ action }) => action === "convert").map((each) => each.id));
  await restoreDashboard({ client, send: await batchSender(ctx) }, saved, { only });
}

/** Undoes everything a run has done, then forgets the run. Returns how many dashboards were restored. */
export async function undoRun(ctx: CommandContext, run: MigrationRun): Promise<number> {
  const client = await batchClient(ctx);
  // Nothing is written to a dashboard before its snapshot is noted.
  const begun = run.job.dashboards.filter(({ id }) => notesIn(run.journal, id).of("snapshot") !== undefined);
  const undone = await undoEach(ctx, begun, {
    label: ({ label }) => label,
    exists: ({ id }) => exists(client, id),
    undo: async (job) => {
      await undoDashboard(ctx, client, run, job);
    },
  });
  run.journal.finish();
  return undone.length;
}
