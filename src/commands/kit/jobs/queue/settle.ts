import type { CommandContext } from "../../context.ts";
import type { ItemResult } from "../job.ts";
import { type JobData, type QueuedJob, type Queues, withQueues } from "./connect.ts";
import { cancel, isEnded, resultsOf, rowOf, untrusted } from "./job-state.ts";
import { watchJob } from "./watch.ts";

const POLL_MS = 500;

/**
 * Waits until no worker is working on these jobs, and returns the results of their items. A job whose items were not all
 * queued yet is cancelled: the rest of its plan is lost.
 */
export function settledResults(
  ctx: CommandContext,
  url: string,
  isMeant: (job: JobData) => boolean,
): Promise<ItemResult[]> {
  return withQueues(ctx, url, async (queues) => {
    const results: ItemResult[] = [];
    for (const job of await queues.jobs.getJobs()) {
      if (!isMeant(job.data) || untrusted(queues, job) !== undefined) continue;
      await settle(ctx, queues, job);
      for await (const result of resultsOf(job)) results.push(result);
    }
    return results;
  });
}

async function settle(ctx: CommandContext, queues: Queues, job: QueuedJob): Promise<void> {
  const { id = "" } = job;
  const row = await rowOf(queues, job);
  if (row.state === "planning") await cancel(queues, job);
  else if (!isEnded(row)) {
    ctx.say.info(`Waiting for the job ${id} of the interrupted run.`);
    await watchJob(ctx, queues, id);
  }
  // Items of a cancelled job may still be running. Those of a dead worker stay active until another worker is there.
  while ((await queues.items(id).getActiveCount()) > 0 && (await queues.jobs.getWorkersCount()) > 0)
    await ctx.clock.sleep(POLL_MS);
}
