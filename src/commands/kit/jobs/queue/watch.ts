import type { CommandContext } from "../../context.ts";
import { createProgress } from "../../say/progress.ts";
import type { Queues } from "./connect.ts";
import { findJob, isEnded, type JobRow, jobRow } from "./job-state.ts";

/** The longer a job has been watched, the less often it is read: each time after a twentieth of that time. */
const POLL = { leastMs: 50, mostMs: 500, part: 1 / 20 };

/** Says that a worker does not take the job: there may be no other. */
async function tellLeft(ctx: CommandContext, queues: Queues, id: string): Promise<boolean> {
  const { logs } = await queues.jobs.getJobLogs(id, 0, 0);
  for (const line of logs) ctx.say.warning(line);
  return logs.length > 0;
}

/** Shows the progress of a job until it ends. Ctrl-C leaves it running. */
export async function watchJob(ctx: CommandContext, queues: Queues, id: string): Promise<JobRow> {
  const progress = createProgress(ctx, ["Working on", "items"]);
  const startMs = ctx.clock.elapsed();
  let [hasTold, isLeft] = [false, false];
  try {
    for (;;) {
      const row = await jobRow(queues, await findJob(queues, id));
      if (isEnded(row)) return row;
      if (!hasTold && row.state !== "paused" && (await queues.jobs.getWorkersCount()) === 0)
        ctx.say.hint(`No worker is there yet. Start one or several: iot worker --queue ${queues.label}`);
      hasTold = true;
      if (!isLeft && row.done + row.failed === 0) isLeft = await tellLeft(ctx, queues, id);
      progress.at(row.done + row.failed, row.planned);
      const partMs = (ctx.clock.elapsed() - startMs) * POLL.part;
      await ctx.clock.sleep(Math.min(POLL.mostMs, Math.max(POLL.leastMs, partMs)));
    }
  } catch (error) {
    if (ctx.signal.aborted) ctx.say.info(`The job continues without this command: iot job watch ${id}`);
    throw error;
  } finally {
    progress.end();
  }
}
