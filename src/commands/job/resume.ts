import { jobCommand } from "./on-job.ts";

export const resumeJob = jobCommand("resume", "Hand out the items of a paused job again", {}, async (_, queues, job) =>
  queues.items(job.id ?? "").resume(),
);
