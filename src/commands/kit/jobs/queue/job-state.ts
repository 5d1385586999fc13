import { inputError, notFoundError } from "../../failures/command-error.ts";
import { isObject } from "../../files/files.ts";
import type { ItemResult } from "../job.ts";
import type { JobData, QueuedJob, Queues } from "./connect.ts";
import { brokenSeal, sealOf } from "./seal.ts";

/** A job as people see it. */
export interface JobRow {
  readonly id: string;
  readonly kind: string;
  readonly what: string;
  readonly state: "planning" | "running" | "paused" | "finishing" | "done" | "partly" | "failed" | "cancelled";
  /** Absent while the items are still put into the queue. */
  readonly planned?: number;
  readonly done: number;
  readonly failed: number;
  readonly created_at: Date;
  readonly finished_at?: Date;
  /** Why the job as a whole failed. */
  readonly reason?: string;
}

const endedStates: readonly JobRow["state"][] = ["done", "partly", "failed", "cancelled"];
export const isEnded = ({ state }: JobRow): boolean => endedStates.includes(state);

/** A job by its id. */
export async function findJob(queues: Queues, id: string): Promise<QueuedJob> {
  const job = await queues.jobs.getJob(id);
  if (job !== undefined) return job;
  throw notFoundError(`There is no job ${id} in the queue ${queues.label}.`, {
    code: "job.not_found",
    why: "It was never there, belongs to another profile, or the queue lost its data: Redis may have been restarted without persistence.",
    next: "Run the command that started it again: what is done already is done again with the same result, and rows of an import that arrived are not sent again (docs/scale.md).",
  });
}

export async function jobRow(queues: Queues, given: QueuedJob): Promise<JobRow> {
  const state = await stateOf(queues, given);
  // One that has ended since it was read has a reason and a time by now.
  const isOld = endedStates.includes(state) && given.finishedOn === undefined;
  const job = (isOld ? await queues.jobs.getJob(given.id ?? "") : undefined) ?? given;
  const { data, timestamp, finishedOn, failedReason } = job;
  const counts = await jobCounts(job);
  return {
    id: job.id ?? "",
    kind: data.kind,
    what: data.what,
    state: state === "done" && counts.failed > 0 ? "partly" : state,
    ...(data.planned === undefined ? {} : { planned: data.planned }),
    done: counts.done,
    failed: counts.failed,
    created_at: new Date(timestamp),
    ...(finishedOn === undefined ? {} : { finished_at: new Date(finishedOn) }),
    ...(failedReason && state === "failed" ? { reason: failedReason } : {}),
  };
}

async function stateOf(queues: Queues, job: QueuedJob): Promise<JobRow["state"]> {
  const state = await job.getState();
  if (job.data.isCancelled === true) return "cancelled";
  if (state === "completed") return "done";
  if (state === "failed") return "failed";
  if (state !== "waiting-children") return "finishing";
  if (await queues.items(job.id ?? "").isPaused()) return "paused";
  return job.data.planned === undefined ? "planning" : "running";
}

/** Items with a result, and without one. */
export async function jobCounts(job: QueuedJob): Promise<{ done: number; failed: number; left: number }> {
  const {
    processed = 0,
    ignored = 0,
    unprocessed = 0,
  } = await job.getDependenciesCount({
    processed: true,
    ignored: true,
    unprocessed: true,
  });
  return { done: processed, failed: ignored, left: unprocessed };
}

/** Results read at a time. */
const PAGE = 1_000;

/** The outcome of each item, in no order, a page at a time. The queue may return one twice; it is yielded once. */
export async function* resultsOf(job: QueuedJob): AsyncGenerator<ItemResult> {
  const seen = new Set<string>();
  for (const type of ["processed", "ignored"] as const) {
    let cursor = 0;
    do {
      const page = await job.getDependencies({ [type]: { cursor, count: PAGE } }).catch((cause: unknown) => {
        throw cause instanceof SyntaxError ? badResult(`the job ${job.id}`, cause) : cause;
      });
      for (const [key, value] of Object.entries(page[type] ?? {})) {
        const id = key.slice(key.lastIndexOf(":") + 1);
        if (seen.has(id)) continue;
        seen.add(id);
        if (type === "ignored") yield { id, reason: String(value) };
        else if (isObject(value)) yield { id, row: value };
        else throw badResult(`the job ${job.id}`);
      }
      cursor = Number(type === "processed" ? page.nextProcessedCursor : page.nextIgnoredCursor) || 0;
    } while (cursor !== 0);
  }
}

/** Results are not signed: who can write to the queue can put anything there. */
export const badResult = (what: string, cause?: unknown): Error =>
  inputError(`The queue holds a result of ${what} that no worker has written.`, {
    code: "job.bad_result",
    why: "It was changed in Redis, or by another version of iot.",
    next: "Find out who can write to this Redis, then run the command again with --again.",
    cause,
  });

/** What the seal of a job is over. */
const jobParts = ({ place }: Queues, id: string, data: Omit<JobData, "seal">): unknown[] => {
  const { kind, version, what, folder, shared } = data;
  return ["iot-job", place, id, kind, version, what, folder, shared];
};

export const sealJob = (queues: Queues, id: string, data: Omit<JobData, "seal">): JobData => ({
  ...data,
  seal: sealOf(queues.key, jobParts(queues, id, data)),
});

/** Why a job must not be worked on. */
export function untrusted(queues: Queues, job: QueuedJob): string | undefined {
  return brokenSeal(queues.key, jobParts(queues, job.id ?? "", job.data), job.data.seal);
}

export const itemParts = (job: JobData, id: string, args: object): unknown[] => ["iot-item", job.seal, id, args];
