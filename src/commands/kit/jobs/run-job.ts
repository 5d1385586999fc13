import type { OptionSpec, Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, usageError } from "../failures/command-error.ts";
import type { JobInput, JobOutcome, JobPlan } from "./job.ts";
import { runLocally } from "./local.ts";
import { writeReport } from "./report.ts";

/** The flag of the commands about a queue. */
export const queueOption = {
  name: "queue",
  value: "url",
  summary: "queue to use: redis://host:6379/0 or rediss:// (IOT_QUEUE)",
  leadsAway: true,
} as const satisfies OptionSpec;

/** The flag that spreads the work of a command. */
const spreadOption = {
  name: "queue",
  value: "url",
  summary: "spread over iot worker processes through this Redis queue",
  leadsAway: true,
} as const satisfies OptionSpec;

const detachOption = {
  name: "detach",
  summary: "with a queue: print the id of the job and leave",
  leadsAway: true,
} as const satisfies OptionSpec;

/** The flags of a command whose rows may be spread; beside those of the journal. The flag alone names the queue. */
export const jobOptions = [
  {
    ...spreadOption,
    conflicts: { flags: ["resume"], next: "With a queue, the same command without --resume continues the job." },
  },
  { ...detachOption, needs: ["queue"] },
] as const satisfies Options;

/** Those of an export of a dataset, whose queue IOT_QUEUE may name. */
export const datasetOptions = [
  spreadOption,
  { ...detachOption, needs: ["dataset", "queue"] },
  {
    name: "report",
    file: "out",
    value: "file",
    summary: "dataset: what became of each item (.csv, .ndjson)",
    needs: ["dataset", "queue"],
  },
] as const satisfies Options;

/** Does a job: in this process, or by the workers of the queue that `--queue` or IOT_QUEUE names. */
export async function runJob(ctx: CommandContext, input: JobInput, plan: JobPlan): Promise<JobOutcome> {
  const url = input.options.queue ?? ctx.user.settings.get("queue")?.value;
  if (url !== undefined) return runInQueue(ctx, input, plan, url);
  if (input.options.detach) throw usageError("--detach needs a queue.", { next: "Add --queue redis://host:6379/0." });
  return runLocally(ctx, input, plan, input.options.report);
}

/** Does a job by the workers of a queue. */
export async function runInQueue(
  ctx: CommandContext,
  input: JobInput,
  plan: JobPlan,
  url: string,
): Promise<JobOutcome> {
  const [{ withQueues }, { submitJob }, { watchJob }, { findJob, resultsOf }] = await Promise.all([
    import("./queue/connect.ts"),
    import("./queue/submit.ts"),
    import("./queue/watch.ts"),
    import("./queue/job-state.ts"),
  ]);
  return withQueues(ctx, url, async (queues) => {
    const submitted = await submitJob(ctx, input, queues, plan);
    const { id = "" } = submitted.job;
    if (input.options.detach) {
      ctx.say.info(`The job ${id} is in the queue: iot job watch ${id}`);
      return { id, isEnded: false, done: 0, failed: 0 };
    }
    const { state, reason, done, failed } = await watchJob(ctx, queues, id);
    const job = await findJob(queues, id);
    if (plan.report !== undefined) await plan.report(resultsOf(job));
    else await writeReport(ctx, input.options.report, plan.kind, resultsOf(job));
    if (state === "failed" || state === "cancelled") throw endedBadly(id, state, reason);
    return { id, isEnded: true, isBefore: submitted.isBefore, done, failed, summary: job.returnvalue };
  });
}

/** The failure of a job that has no result as a whole. */
export function endedBadly(id: string, state: "failed" | "cancelled", reason?: string): CommandError {
  if (state === "cancelled")
    return new CommandError(`The job ${id} was cancelled.`, {
      code: "job.cancelled",
      exit: 1,
      next: "Add --again for a new one.",
    });
  return new CommandError(`The job ${id} failed.`, {
    code: "job.failed",
    exit: 1,
    ...(reason === undefined ? {} : { why: reason }),
    next: `Run "iot job retry ${id}", or --again for a new one.`,
  });
}

/** The failure of a job in which some items failed. */
export function partialJob({ id, done, failed }: JobOutcome): CommandError {
  const retry = id === undefined ? "run the same command with --resume" : `run "iot job retry ${id}"`;
  return new CommandError(`${failed} of ${done + failed} items failed.`, {
    code: "job.partial",
    exit: 8,
    why: "The report lists each with its reason.",
    next: `Add --report FILE to see them (iot job report in a queue); then ${retry}.`,
  });
}
