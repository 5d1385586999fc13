import type { CommandContext } from "../../context.ts";
import { createProgress } from "../../say/progress.ts";
import type { Queues } from "./connect.ts";
import { findJob, isEnded, type JobRow, rowOf } from "./job-state.ts";

const POLL_MS = 500;

/** Shows the progress of a job until it ends. Ctrl-C leaves it running. */
export async function watchJob(ctx: CommandContext, queues: Queues, id: string): Promise<JobRow> {
  const progress = createProgress(ctx, ["Working on", "items"]);
  let hasTold = false;
  try {
    for (;;) {
      const row = await rowOf(queues, await findJob(queues, id));
      if (isEnded(row)) return row;
      if (!hasTold && row.state !== "paused" && (await queues.jobs.getWorkersCount()) === 0)
        ctx.say.hint(`No worker is there yet. Start one or several: iot worker --queue ${queues.label}`);
      hasTold = true;
      progress.at(row.done + row.failed, row.planned);
      await ctx.clock.sleep(POLL_MS);
    }
  } catch (error) {
    if (ctx.signal.aborted) ctx.say.info(`The job continues without this command: iot job watch ${id}`);
    throw error;
  } finally {
    progress.end();
  }
}
