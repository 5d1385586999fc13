import { countOf } from "../../text/count.ts";
import { jobCommand } from "./on-job.ts";

export const retryJob = jobCommand(
  "retry",
  "Do the failed items of a job again",
  { details: "Also counts and finishes a job again that failed as a whole." },
  async (ctx, queues, job) => {
    const { retryFailed } = await import("../kit/jobs/queue/submit.ts");
    const count = await retryFailed(queues, job);
    const state = await job.getState();
    if (state === "completed" || state === "failed") await job.retry(state);
    ctx.say.info(`${countOf(count, "failed item")} put back.`);
  },
);
