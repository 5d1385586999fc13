import type { Command } from "../kit/command/define.ts";
import { cancelJob } from "./cancel.ts";
import { getJob, listJobs } from "./job.ts";
import { pauseJob } from "./pause.ts";
import { reportJob } from "./report.ts";
import { resumeJob } from "./resume.ts";
import { retryJob } from "./retry.ts";
import { watchJobs } from "./watch.ts";

export const commands: readonly Command[] = [
  listJobs,
  getJob,
  watchJobs,
  pauseJob,
  resumeJob,
  cancelJob,
  retryJob,
  reportJob,
];
