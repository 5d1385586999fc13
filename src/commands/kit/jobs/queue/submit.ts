import { dirname } from "node:path";
import { countOf } from "../../../../text/count.ts";
import type { CommandContext } from "../../context.ts";
import { CommandError, conflictError } from "../../failures/command-error.ts";
import { isObject } from "../../files/files.ts";
import { createProgress } from "../../say/progress.ts";
import { digest } from "../../state/digest.ts";
import { pruneState, readNote, statePath, writeNote } from "../../state/notes.ts";
import type { JobItem, JobPlan } from "../job.ts";
import type { ItemData, QueuedJob, Queues } from "./connect.ts";
import { findJob, isEnded, itemParts, type JobRow, jobCounts, jobRow, sealJob, untrusted } from "./job-state.ts";
import { sealOf } from "./seal.ts";

/** Items that are put into the queue at once. */
const CHUNK = 500;
/** Characters that are put into the queue at once, about. */
const CHUNK_SIZE = 4_000_000;
/** A temporary failure is retried after 1, 2, 4 ... seconds: for a minute. */
const retries = { attempts: 7, backoff: { type: "exponential", delay: 1_000, jitter: 0.3 } } as const;

/** The same plan is the same job, wherever it is submitted from. */
const idOf = ({ place }: Queues, { kind, key }: JobPlan): string => `j${digest([place, kind.name, key]).slice(0, 15)}`;

interface Submitted {
  readonly job: QueuedJob;
  /** Whether it had ended before: nothing is done for this run. */
  readonly isBefore: boolean;
}

/** Puts a job into the queue, or goes on with what an earlier run has put there. */
export async function submitJob(
  ctx: CommandContext,
  { options: { again } }: { readonly options: { readonly again: boolean } },
  queues: Queues,
  plan: JobPlan,
): Promise<Submitted> {
  const id = idOf(queues, plan);
  const known = await queues.jobs.getJob(id);
  const found = known === undefined ? undefined : await jobRow(queues, known);
  const hasEnded = found !== undefined && isEnded(found);
  const isAgain = known !== undefined && ((plan.renews === true && hasEnded) || again);
  if (isAgain) await removeEnded(queues, known);
  const note = statePath(ctx.env, "queued", [queues.place, id]);
  const wasLost = known === undefined && !again && isObject(readNote(note));
  const job = known === undefined || isAgain ? await addJob(queues, plan, id, wasLost) : known;
  // Stays after the job has ended: without --again the same command never runs it a second time.
  writeNote(note, { queue: queues.label });
  pruneState(dirname(note));
  if (found !== undefined && !isAgain) checkSame(ctx, queues, plan, job, found);
  if (job.data.planned === undefined && job.data.isCancelled !== true) {
    await planItems(ctx, queues, plan, job);
    if (known !== undefined && !isAgain) await retryFailed(queues, job);
  }
  // A run before may have been killed between its count and this.
  if (job.data.planned !== undefined) await (await queues.plans.getJob(id))?.remove();
  return { job, isBefore: hasEnded && !isAgain };
}

/** Removes a job that has ended with all it left in the queue. */
async function removeEnded(queues: Queues, job: QueuedJob): Promise<void> {
  if (!isEnded(await jobRow(queues, job))) {
    throw conflictError(`The job ${job.id} is not finished.`, {
      code: "job.unfinished",
      next: `Cancel it first (iot job cancel ${job.id}), or leave out --again to continue it.`,
    });
  }
  await queues.items(job.id ?? "").obliterate({ force: true });
  await job.remove();
}

async function addJob(
  queues: Queues,
  { kind, what, folder, begin }: JobPlan,
  id: string,
  wasLost: boolean,
): Promise<QueuedJob> {
  const { name, version } = kind;
  const data = sealJob(queues, id, { kind: name, version, what, folder, shared: await begin(wasLost) });
  // Both at once: a job without a child would count as finished.
  await queues.flow.add({
    name,
    queueName: queues.jobs.name,
    data,
    opts: { jobId: id, stackTraceLimit: 0 },
    children: [{ name: "plan", queueName: queues.plans.name, data: {}, opts: { jobId: id } }],
  });
  return findJob(queues, id);
}

function checkSame(ctx: CommandContext, queues: Queues, { kind }: JobPlan, job: QueuedJob, found: JobRow): void {
  const reason = untrusted(queues, job);
  const isOther = job.data.version !== kind.version;
  if (reason === undefined && !isOther) {
    ctx.say.info(alreadyThere(found));
    return;
  }
  throw conflictError(`The job ${job.id} in the queue cannot be continued.`, {
    code: "job.foreign",
    why:
      reason ??
      `It was started by a version of iot with version ${job.data.version} of ${kind.name}; this one has version ${kind.version}.`,
    next: `Look at it with "iot job get ${job.id}"; "iot job cancel ${job.id}" and --again start a new one.`,
  });
}

function alreadyThere(found: JobRow): string {
  const { id, state, failed, finished_at: at } = found;
  if (!isEnded(found)) return `The job ${id} is in the queue already; --again starts a new one once it has ended.`;
  if (state === "partly")
    return `The job ${id} has ended, and ${countOf(failed, "item")} failed. Use "iot job retry ${id}" to do them again.`;
  if (state !== "done") return `The job ${id} has ended: ${state}. Use --again to start a new one.`;
  const finished = at === undefined ? "has finished" : `finished on ${at.toISOString().slice(0, 19)}Z`;
  return `The job ${id} ${finished}; nothing to do. Use --again to start a new one.`;
}

/** Items have ids of their own, so those that are in the queue already stay as they are. */
async function planItems(ctx: CommandContext, queues: Queues, plan: JobPlan, job: QueuedJob): Promise<void> {
  const progress = createProgress(ctx, ["Planning", "items"]);
  const items = queues.items(job.id ?? "");
  const parent = { id: job.id ?? "", queue: queues.jobs.qualifiedName };
  const queued = ({ id, args }: JobItem) => ({
    name: plan.kind.name,
    data: { args, seal: sealOf(queues.key, itemParts(job.data, id, args)) } satisfies ItemData,
    opts: { jobId: id, parent, ignoreDependencyOnFailure: true, stackTraceLimit: 0, ...retries },
  });
  let count = 0;
  try {
    for await (const chunk of inChunks(plan.items(job.data.shared))) {
      const { data } = await findJob(queues, parent.id);
      job.data = data;
      if (data.planned !== undefined || data.isCancelled === true) return;
      await items.addBulk(chunk.map(queued));
      count += chunk.length;
      progress.at(count);
    }
  } catch (error) {
    ctx.say.warning("Interrupted while planning; run the same command again to continue.");
    throw error;
  } finally {
    progress.end();
  }
  const { done, failed, left } = await jobCounts(job);
  // The plan itself is one of those that are left.
  const planned = done + failed + left - 1;
  if (planned < count) throw incomplete(job, count, planned);
  await job.updateData({ ...job.data, planned });
}

function incomplete({ id }: QueuedJob, planned: number, found: number): CommandError {
  return new CommandError(`${planned} items of the job ${id} were planned, but the queue holds ${found}.`, {
    code: "job.incomplete",
    exit: 1,
    why: "The plan named an item twice, or the queue lost some.",
    next: "Run the same command again.",
  });
}

async function* inChunks(items: AsyncIterable<JobItem>): AsyncGenerator<JobItem[]> {
  let chunk: JobItem[] = [];
  let size = 0;
  for await (const item of items) {
    chunk.push(item);
    size += JSON.stringify(item.args).length;
    if (chunk.length < CHUNK && size < CHUNK_SIZE) continue;
    yield chunk;
    chunk = [];
    size = 0;
  }
  if (chunk.length > 0) yield chunk;
}

/** Retries failed items and resets their attempts. */
export async function retryFailed(queues: Queues, job: QueuedJob): Promise<number> {
  const items = queues.items(job.id ?? "");
  let count = 0;
  for (;;) {
    const page = await items.getFailed(0, CHUNK - 1);
    if (page.length === 0) return count;
    await Promise.all(page.map((item) => item.retry("failed", { resetAttemptsMade: true })));
    count += page.length;
  }
}
