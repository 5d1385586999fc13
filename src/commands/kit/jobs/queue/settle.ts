import type { CommandContext } from "../../context.ts";
import type { ItemResult } from "../job.ts";
import { type JobData, type QueuedJob, type Queues, withQueues } from "./connect.ts";
import { cancel, isEnded, resultsOf, rowOf, untrusted } from "./job-state.ts";
import { watchJob } from "./watch.ts";

const POLL_MS = 500;

/**
 * Waits until no worker works on some jobs any more, and gives what became of their items. Those that were not in the
 * queue as a whole are cancelled, because nobody knows what was to follow.
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
    ctx.say.info(`Waiting for the job ${id}, which an earlier run has begun.`);
    await watchJob(ctx, queues, id);
  }
  // Of a cancelled job, some may be under way. Those of a worker that died stay so until another one comes.
  while ((await queues.items(id).getActiveCount()) > 0 && (await queues.jobs.getWorkersCount()) > 0)
    await ctx.clock.sleep(POLL_MS);
}
