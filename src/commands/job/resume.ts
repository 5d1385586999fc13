import { jobCommand } from "./on-job.ts";

export const resumeJob = jobCommand("resume", "Resume a job", {}, async (_, queues, job) =>
  queues.items(job.id ?? "").resume(),
);
