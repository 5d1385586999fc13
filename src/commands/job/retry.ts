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
    const isFailed = state === "failed";
    // One that ended well is not ended again.
    if (isFailed || (state === "completed" && count > 0)) await job.retry(state);
    if (count > 0) ctx.say.info(`${countOf(count, "failed item")} put back.`);
    else ctx.say.info(isFailed ? "No failed items; the end of the job is repeated." : "No failed items.");
  },
);
