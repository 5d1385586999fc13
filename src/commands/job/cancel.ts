import { jobCommand, unfinished } from "./on-job.ts";

export const cancelJob = jobCommand(
  "cancel",
  "End a job: what is done stays, the rest is not done",
  {
    details: "Items that are under way are finished. The results so far stay in the report.",
    groups: ["confirm"],
  },
  async (ctx, queues, job, tools) => {
    const { planned, done, failed } = await unfinished(queues, job, tools);
    const left = planned === undefined ? "" : `, ${planned - done - failed} of its ${planned} items left`;
    const action = `Cancel the job ${job.id} (${job.data.what}${left})`;
    await ctx.confirm({ level: 1, action, name: job.id ?? "", where: `in the queue ${queues.label}` });
    await job.updateData({ ...job.data, isCancelled: true });
    await queues.items(job.id ?? "").resume();
    await job.removeUnprocessedChildren();
  },
);
