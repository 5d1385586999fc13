import { argument, option } from "../kit/command/arguments.ts";
import type { Column } from "../kit/command/columns.ts";
import { type Command, type CommandInput, defineCommand, type OptionSpec } from "../kit/command/define.ts";
import { one, rows } from "../kit/command/result.ts";
import type { CommandContext } from "../kit/context.ts";
import { conflictError, usageError } from "../kit/failures/command-error.ts";
import type { QueuedJob, Queues } from "../kit/jobs/queue/connect.ts";
import type { JobRow } from "../kit/jobs/queue/job-state.ts";

const columns: readonly Column<JobRow>[] = [
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

const options: readonly OptionSpec[] = [
  { name: "queue", value: "url", summary: "queue to use: redis://host:6379/0 or rediss:// (IOT_QUEUE)" },
];
const args = [{ name: "id", summary: "id of the job", required: true }];
const exitCodes = [6, 10];
const related = ["iot job list", "iot worker", "iot device data export"];

type Tools = typeof import("../kit/jobs/queue/job-state.ts");

/** Does something with the queue that is named. */
async function onQueue<T>(
  ctx: CommandContext,
  input: CommandInput,
  work: (queues: Queues, tools: Tools) => Promise<T>,
): Promise<T> {
  const [{ queueUrl, withQueues }, tools] = await Promise.all([
    import("../kit/jobs/queue/connect.ts"),
    import("../kit/jobs/queue/job-state.ts"),
  ]);
  return withQueues(ctx, queueUrl(ctx, input), (queues) => work(queues, tools));
}

/** As `onQueue`, with the job that is named. */
const onJob = <T>(
  ctx: CommandContext,
  input: CommandInput,
  work: (queues: Queues, job: QueuedJob, tools: Tools) => Promise<T>,
): Promise<T> =>
  onQueue(ctx, input, async (queues, tools) =>
    work(queues, await tools.findJob(queues, argument(input, "id") ?? ""), tools),
  );

const print = (ctx: CommandContext, row: JobRow): Promise<void> => ctx.out.item(row, { columns });

/** A command that does something with one job and shows it afterwards. */
function jobCommand(
  verb: string,
  summary: string,
  more: Pick<Command, "details" | "groups">,
  work: (ctx: CommandContext, queues: Queues, job: QueuedJob, tools: Tools) => Promise<void>,
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
        await print(ctx, await tools.rowOf(queues, await tools.findJob(queues, job.id ?? "")));
      }),
  });
}

/** A job that has not ended; another one is refused. */
async function unfinished(queues: Queues, job: QueuedJob, { rowOf, isEnded }: Tools): Promise<JobRow> {
  const row = await rowOf(queues, job);
  if (!isEnded(row)) return row;
  throw conflictError(`The job ${row.id} has ended (${row.state}).`, { code: "job.ended" });
}

const listJobs = defineCommand({
  path: ["list"],
  aliases: ["ls"],
  summary: "List the jobs of the profile in a queue, the newest first",
  options,
  groups: ["limit"],
  effect: "reads",
  result: rows(columns),
  examples: [
    "iot job list --queue redis://127.0.0.1:6379/0",
    "iot job list --queue redis://127.0.0.1:6379/0 --json --jq '.[].id'",
  ],
  exitCodes: [10],
  related,
  run: (ctx, input) =>
    onQueue(ctx, input, async (queues, { rowOf }) => {
      const { limit = Number.POSITIVE_INFINITY } = ctx.flags;
      const last = Number.isFinite(limit) ? limit - 1 : -1;
      const jobs = limit === 0 ? [] : await queues.jobs.getJobs(undefined, 0, last);
      const found = await Promise.all(jobs.map((job) => rowOf(queues, job)));
      found.sort((one, other) => other.created_at.getTime() - one.created_at.getTime());
      await ctx.out.list(found.slice(0, limit), { columns, empty: `No jobs in ${queues.label}.` });
    }),
});

const watch = defineCommand({
  path: ["watch"],
  summary: "Show the progress of a job until it ends",
  details: "Ctrl-C leaves the job running. Exits with 8 when items of the job failed.",
  args,
  options,
  effect: "reads",
  result: one(columns),
  examples: [
    "iot job watch j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0",
    "iot job watch j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0 --json",
  ],
  exitCodes: [...exitCodes, 1, 8],
  related,
  run: (ctx, input) =>
    onJob(ctx, input, async (queues, { id = "" }) => {
      const [{ watchJob }, { endedBadly, partialJob }] = await Promise.all([
        import("../kit/jobs/queue/watch.ts"),
        import("../kit/jobs/run-job.ts"),
      ]);
      const row = await watchJob(ctx, queues, id);
      await print(ctx, row);
      if (row.state === "failed" || row.state === "cancelled") throw endedBadly(id, row.state, row.reason);
      if (row.state === "partly") throw partialJob({ ...row, isEnded: true });
    }),
});

const report = defineCommand({
  path: ["report"],
  summary: "Write what became of each item of a job to a file",
  args,
  options: [...options, { name: "out", value: "file", summary: "file to write: .csv, or .ndjson for JSON lines" }],
  effect: "local",
  result: one(columns),
  examples: [
    "iot job report j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0 --out report.csv",
    "iot job report j3f2a9c0d1e4b5a6 --queue redis://127.0.0.1:6379/0 --out report.ndjson",
  ],
  exitCodes,
  related,
  run: async (ctx, input, { jobKinds }) => {
    const out = option(input, "out");
    if (out === undefined) throw usageError("The report needs a file.", { next: "Add --out report.csv." });
    await onJob(ctx, input, async (queues, job, { resultsOf, rowOf }) => {
      const kind = await jobKinds.find(({ name }) => name === job.data.kind)?.load();
      const { writeReport } = await import("../kit/jobs/report.ts");
      await writeReport(ctx, out, kind ?? { columns: [] }, resultsOf(job));
      await print(ctx, await rowOf(queues, job));
    });
  },
});

export const commands: readonly Command[] = [
  listJobs,
  jobCommand("get", "Show one job", {}, async () => undefined),
  watch,
  jobCommand(
    "pause",
    "Stop handing out items of a job",
    { details: "Items that are under way are finished." },
    async (ctx, queues, job, tools) => {
      await unfinished(queues, job, tools);
      await queues.items(job.id ?? "").pause();
      ctx.say.info(`Paused; "iot job resume ${job.id}" goes on.`);
    },
  ),
  jobCommand("resume", "Hand out the items of a paused job again", {}, async (_, queues, job) =>
    queues.items(job.id ?? "").resume(),
  ),
  jobCommand(
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
  ),
  jobCommand(
    "retry",
    "Do the failed items of a job again",
    { details: "Also counts and finishes a job again that failed as a whole." },
    async (ctx, queues, job, tools) => {
      const { retryFailed } = await import("../kit/jobs/queue/submit.ts");
      const count = await retryFailed(queues, job);
      const state = await job.getState();
      if (state === "completed" || state === "failed") await job.retry(state);
      ctx.say.info(`${count} failed items are waiting again.`);
      void tools;
    },
  ),
  report,
];
