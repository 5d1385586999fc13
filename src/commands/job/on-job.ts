import type { Column } from "../kit/command/columns.ts";
import { type Command, defineCommand } from "../kit/command/define.ts";
import type { Input } from "../kit/command/options.ts";
import { one } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError } from "../kit/failures/command-error.ts";
import type { QueuedJob, Queues } from "../kit/jobs/queue/connect.ts";
import type { JobRow } from "../kit/jobs/queue/job-state.ts";
import { queueOption } from "../kit/jobs/run-job.ts";

export const columns: readonly Column<JobRow>[] = [
  { key: "id", kind: "id" },
  { key: "what", rank: 1 },
  { key: "state", rank: 1 },
  { key: "planned", kind: "number" },
  { key: "done", kind: "number" },
  { key: "failed", kind: "number" },
  { key: "created_at", kind: "time" },
  { key: "finished_at", kind: "time", rank: 3 },
  { key: "kind", rank: 3 },
  { key: "reason", rank: 3 },
];

export const options = [queueOption] as const;
export const args = [{ name: "id", summary: "id of the job", required: true }] as const;
export const exitCodes = [6, 10];
export const related = ["iot job list", "iot worker", "iot device data export"];

export type QueueTools = typeof import("../kit/jobs/queue/job-state.ts");

/** Does something with the queue that is named. */
export async function onQueue<T>(
  ctx: CommandContext,
  input: Input<[], typeof options>,
  work: (queues: Queues, tools: QueueTools) => Promise<T>,
): Promise<T> {
  const [{ queueUrl, withQueues }, tools] = await Promise.all([
    import("../kit/jobs/queue/connect.ts"),
    import("../kit/jobs/queue/job-state.ts"),
  ]);
  return withQueues(ctx, queueUrl(ctx, input), (queues) => work(queues, tools));
}

/** As `onQueue`, with the job that is named. */
export const onJob = <T>(
  ctx: CommandContext,
  input: Input<typeof args, typeof options>,
  work: (queues: Queues, job: QueuedJob, tools: QueueTools) => Promise<T>,
): Promise<T> =>
  onQueue(ctx, input, async (queues, tools) => work(queues, await tools.findJob(queues, input.args.id), tools));

export const print = (ctx: CommandContext, row: JobRow): Promise<void> => ctx.out.item(row, { columns });

/** A command that does something with one job and shows it afterwards. */
export function jobCommand(
  verb: string,
  summary: string,
  more: Pick<Command, "details" | "groups">,
  work: (ctx: CommandContext, queues: Queues, job: QueuedJob, tools: QueueTools) => Promise<void>,
): Command {
  return defineCommand({
    path: [verb],
    summary,
    ...more,
    args,
    options,
    effect: verb === "get" ? "reads" : "local",
    result: one(columns),
    examples: [
      `iot job ${verb} j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0`,
      `iot job ${verb} j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0 --json`,
    ],
    exitCodes: verb === "get" ? exitCodes : [...exitCodes, 7],
    related,
    run: (ctx, input) =>
      onJob(ctx, input, async (queues, job, tools) => {
        await work(ctx, queues, job, tools);
        await print(ctx, await tools.jobRow(queues, await tools.findJob(queues, job.id ?? "")));
      }),
  });
}

/** A job that has not ended; another one is an error. */
export async function unfinished(queues: Queues, job: QueuedJob, { jobRow, isEnded }: QueueTools): Promise<JobRow> {
  const row = await jobRow(queues, job);
  if (!isEnded(row)) return row;
  throw conflictError(`The job ${row.id} has ended (${row.state}).`, { code: "job.ended" });
}
