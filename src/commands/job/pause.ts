import { jobCommand, unfinished } from "./on-job.ts";

export const pauseJob = jobCommand(
  "pause",
  "Pause a job",
  { details: "Items that are under way are finished." },
  async (ctx, queues, job, tools) => {
    await unfinished(queues, job, tools);
    await queues.items(job.id ?? "").pause();
    ctx.say.info(`Paused; "iot job resume ${job.id}" continues it.`);
  },
);
