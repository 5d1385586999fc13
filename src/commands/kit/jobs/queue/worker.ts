import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Job, Worker } from "bullmq";
import { ApiError } from "../../../../lib/core/errors.ts";
import { countOf } from "../../../../text/count.ts";
import { batchClient } from "../../client/batch-client.ts";
import { workerLimits } from "../../client/rate-limits.ts";
import type { CommandContext } from "../../context.ts";
import { CommandError } from "../../failures/command-error.ts";
import { networkCode } from "../../failures/network-reason.ts";
import { isAddress } from "../../files/address.ts";
import { isObject } from "../../files/files.ts";
import { failureOf, failureReason } from "../failure.ts";
import type { JobKind, JobKindLoader, JobNotes, JobWork } from "../job.ts";
import { type ItemData, isClosedConnection, type QueuedJob, type Queues } from "./connect.ts";
import { itemParts, jobCounts, resultsOf, untrusted } from "./job-state.ts";
import { brokenSeal } from "./seal.ts";

type ItemJob = Job<ItemData, object>;

/** How often a worker looks for new jobs. */
const LOOK_MS = 200;
/** When a job that is not for this worker is offered to the others again, once all its items are done. */
const OFFER_AGAIN_MS = 1_000;
const MINUTE_MS = 60_000;
/** A worker that died is missed after the first, and its items return to the queue at the second check of `stalledInterval`. */
const stalling = { lockDuration: 10_000, stalledInterval: 5_000, maxStalledCount: 10_000 };
/** Never reached: BullMQ looks at `rateLimit` of a queue only where its workers have a limit. */
const limiter = { max: 1_000_000, duration: 1_000 };

/** A worker that stops waits this long for Redis: its items are given to others then. */
const GONE_MS = stalling.lockDuration;

/** How often a worker that waits for a limit looks whether it still holds. */
const LIMIT_LOOK_MS = 5_000;

export interface WorkerSetup {
  readonly kinds: readonly JobKindLoader[];
  /** Items at a time. */
  readonly concurrency: number;
  readonly name?: string;
  /** Where the jobs' folder is on this machine, when not where the submitter has it. */
  readonly folder?: string;
  /** Leaves when nothing is left to do. */
  readonly isDrained: boolean;
}

/** Processes the items of all jobs of this API and profile until stopped. */
export async function runWorker(ctx: CommandContext, queues: Queues, setup: WorkerSetup): Promise<number> {
  return new ItemWorker(ctx, queues, setup).run();
}

class ItemWorker {
  readonly #ctx: CommandContext;
  readonly #queues: Queues;
  readonly #setup: WorkerSetup;
  /** One for each job that is under way. */
  readonly #workers = new Map<string, Worker<ItemData, object>>();
  readonly #jobs = new Map<string, Promise<QueuedJob | undefined>>();
  /** Seals of jobs that others have to do, by id. */
  readonly #left = new Map<string, string>();
  /** The context of the items: its clients have this worker's share of the limits. */
  #itemContext: CommandContext;
  #client: Promise<JobWork["client"]> | undefined;
  /** Workers of this API and profile, as last counted. */
  #parts = 0;
  #done = 0;
  /** Whether Redis was given up. */
  #isGone = false;
  /** Why this process cannot go on. */
  #failure: { readonly cause: unknown } | undefined;

  constructor(ctx: CommandContext, queues: Queues, setup: WorkerSetup) {
    this.#ctx = ctx;
    this.#itemContext = withShare(ctx, 1);
    this.#queues = queues;
    this.#setup = setup;
  }

  async run(): Promise<number> {
    const { jobs, label } = this.#queues;
    const parents = this.#open(jobs.name, 1, (job: QueuedJob, token) => this.#finishJob(job, token));
    await parents.waitUntilReady();
    this.#ctx.say.info(
      `Working for ${await this.#ctx.where()} on ${label}, ${countOf(this.#setup.concurrency, "item")} at a time.`,
    );
    const hasEnded = new AbortController();
    const work = this.#work(parents);
    const gone = this.#untilGone(hasEnded.signal);
    try {
      const isGone = await Promise.race([work.then(() => false), gone]);
      if (isGone) await work.catch(() => undefined);
    } finally {
      hasEnded.abort();
    }
    this.#ctx.say.info(`Did ${countOf(this.#done, "item")}.`);
    if (this.#failure !== undefined) throw this.#failure.cause;
    return 0;
  }

  async #work(parents: Worker): Promise<void> {
    try {
      while (!this.#isStopped()) {
        await this.#look();
        if (this.#setup.isDrained && (await this.#isIdle())) break;
        await this.#ctx.clock.sleep(LOOK_MS).catch(() => undefined);
      }
    } finally {
      if (this.#isStopped() && !this.#isGone) this.#ctx.say.info("Finishing the items that are under way.");
      this.#queues.takeNoWork();
      await Promise.allSettled([parents, ...this.#workers.values()].map((worker) => worker.close()));
    }
  }

  /** Leaves Redis when this worker is to stop and it does not respond: finished work can no longer be reported. */
  async #untilGone(hasEnded: AbortSignal): Promise<boolean> {
    const { redis, label, giveUp } = this.#queues;
    const wait = (ms: number, signal: AbortSignal): Promise<void> =>
      sleep(ms, undefined, { signal }).catch(() => undefined);
    while (!hasEnded.aborted) {
      await wait(LOOK_MS, hasEnded);
      if (!this.#isStopped()) continue;
      const heard = new AbortController();
      const answer = redis.ping().then(
        () => true,
        () => false,
      );
      const late = wait(GONE_MS, AbortSignal.any([hasEnded, heard.signal])).then(() => hasEnded.aborted);
      const isThere = await Promise.race([answer, late]);
      heard.abort();
      if (isThere) continue;
      this.#ctx.say.warning(
        `The queue ${label} is out of reach, so what was under way cannot be reported: workers do it once more when the queue is back.`,
      );
      this.#isGone = true;
      giveUp();
      return true;
    }
    return false;
  }

  #isStopped(): boolean {
    return this.#ctx.signal.aborted || this.#failure !== undefined;
  }

  #open<Data, Result extends object>(
    name: string,
    concurrency: number,
    work: (job: Job<Data, Result>, token: string) => Promise<Result>,
  ): Worker<Data, Result> {
    const { bull, redis } = this.#queues;
    const worker = new bull.Worker<Data, Result>(name, (job, token = "") => work(job, token), {
      connection: redis,
      concurrency,
      limiter,
      maximumRateLimitDelay: LIMIT_LOOK_MS,
      ...stalling,
      ...(this.#setup.name === undefined ? {} : { name: this.#setup.name }),
    });
    // Such as a result of an item that another worker has got meanwhile, or that Redis has lost. The connection reports its own errors.
    worker.on("error", (error) => {
      if (networkCode(error) === undefined && !isClosedConnection(error)) this.#ctx.say.detail(failureReason(error));
    });
    return worker;
  }

  /** Opens workers for new jobs, closes those of ended ones, and shares what this process may do among them. */
  async #look(): Promise<void> {
    const jobs = await this.#ownJobs();
    const ids = new Set(jobs.flatMap(({ id }) => (id === undefined ? [] : [id])));
    for (const [id, worker] of this.#workers) {
      if (ids.has(id)) continue;
      this.#workers.delete(id);
      this.#jobs.delete(id);
      void worker.close();
    }
    for (const id of ids) {
      if (this.#workers.has(id)) continue;
      const { name } = this.#queues.items(id);
      this.#workers.set(
        id,
        this.#open(name, 1, (item: ItemJob, token) => this.#doItem(id, item, token)),
      );
    }
    const share = Math.max(1, Math.floor(this.#setup.concurrency / Math.max(1, this.#workers.size)));
    for (const worker of this.#workers.values()) if (worker.concurrency !== share) worker.concurrency = share;
    await this.#shareLimits();
  }

  async #shareLimits(): Promise<void> {
    const parts = Math.max(1, await this.#queues.jobs.getWorkersCount());
    if (parts === this.#parts) return;
    this.#parts = parts;
    this.#ctx.say.detail(`The limits of the profile are shared by ${countOf(parts, "worker")}.`);
    this.#itemContext = withShare(this.#ctx, parts);
    this.#client = undefined;
  }

  async #isIdle(): Promise<boolean> {
    const waiting = await this.#ownJobs();
    const paused = await Promise.all(waiting.map(({ id = "" }) => this.#queues.items(id).isPaused()));
    const ending = await this.#queues.jobs.getJobs(["wait", "active", "delayed"]);
    return paused.every(Boolean) && ending.every((job) => untrusted(this.#queues, job) !== undefined);
  }

  /** The unfinished jobs whose signatures hold. The others are for workers with another key, or with none. */
  async #ownJobs(): Promise<QueuedJob[]> {
    const jobs = await this.#queues.jobs.getWaitingChildren();
    const own: QueuedJob[] = [];
    for (const job of jobs) if (!(await this.#isLeft(job))) own.push(job);
    return own;
  }

  async #isLeft(job: QueuedJob): Promise<boolean> {
    const { id = "", data } = job;
    if (this.#workers.has(id)) return false;
    if (this.#left.get(id) === data.seal) return true;
    const reason = untrusted(this.#queues, job);
    if (reason === undefined) return false;
    this.#left.set(id, data.seal);
    this.#ctx.say.warning(`The job ${id} is left to other workers: ${reason}.`);
    // For the command that waits: this may be the only worker.
    await this.#queues.jobs.addJobLog(id, `A worker left the job to others; its reason: ${reason}.`);
    return true;
  }

  /** The job of an item, looked up once. */
  async #jobOf(id: string): Promise<QueuedJob> {
    const found = this.#jobs.get(id) ?? this.#queues.jobs.getJob(id);
    this.#jobs.set(id, found);
    const job = await found;
    if (job === undefined) throw this.#unrecoverable(`The job ${id} is not in the queue.`);
    return this.#checked(job);
  }

  #checked(job: QueuedJob): QueuedJob {
    const reason = untrusted(this.#queues, job);
    if (reason === undefined) return job;
    throw this.#unrecoverable(`The job was not run: ${reason}.`);
  }

  async #kindOf({ data: { kind: name, version } }: QueuedJob): Promise<JobKind> {
    const kind = await this.#setup.kinds.find((loader) => loader.name === name)?.load();
    if (kind !== undefined && kind.version === version) return kind;
    const known = kind === undefined ? "does not know it" : `knows version ${kind.version}`;
    throw this.#unrecoverable(
      `The job was made as ${name} version ${version}, and this worker ${known}: install the same iot there and run iot job retry.`,
    );
  }

  async #workOf({ data }: QueuedJob): Promise<JobWork> {
    // An address is the same everywhere.
    const isHere = data.folder !== "" && !isAddress(data.folder);
    const folder = isHere ? (this.#setup.folder ?? data.folder) : data.folder;
    if (isHere && !existsSync(folder)) {
      throw new CommandError(`The folder ${folder} does not exist on this machine.`, {
        code: "worker.no_folder",
        exit: 4,
        why: "All workers of a job write to one folder, which they share.",
        next: "Mount it, or name the folder it is mounted at with --folder.",
      });
    }
    this.#client ??= batchClient(this.#itemContext);
    return { ctx: this.#itemContext, client: await this.#client, folder };
  }

  async #doItem(jobId: string, item: ItemJob, token: string): Promise<object> {
    try {
      const job = await this.#jobOf(jobId);
      const { id = "", data } = item;
      const reason = brokenSeal(this.#queues.key, itemParts(job.data, id, data.args), data.seal);
      if (reason !== undefined) throw this.#unrecoverable(`The item was not run: ${reason}.`);
      const kind = await this.#kindOf(job);
      const work = await this.#workOf(job);
      const row = await kind.run(work, job.data.shared, { id, args: data.args }, notesOf(item, token));
      this.#done += 1;
      return row;
    } catch (error) {
      throw await this.#failureOf(item, token, error);
    }
  }

  /** The error that BullMQ gets for a failure. */
  async #failureOf(item: Job<unknown, object>, token: string, error: unknown): Promise<Error> {
    const { bull } = this.#queues;
    if (error instanceof bull.UnrecoverableError) return error;
    const about = failureOf(error);
    if (about === "limit") return this.#waitForAll(error);
    if (about === "process") this.#failure ??= { cause: error };
    if (this.#isStopped()) {
      await item.moveToWait(token);
      return new bull.WaitingError();
    }
    // A new error: the texts of others may hold what does not belong into a queue.
    const reason = failureReason(error);
    this.#ctx.say.detail(`${item.id}: ${reason}`);
    return about === "passing" ? new Error(reason) : this.#unrecoverable(reason);
  }

  #unrecoverable(reason: string): Error {
    return new this.#queues.bull.UnrecoverableError(reason);
  }

  /** The platform counts per profile: all workers wait with this one, and no attempt is counted. */
  async #waitForAll(error: unknown): Promise<Error> {
    const asked = error instanceof ApiError ? error.retryAfterMs : undefined;
    const waitMs = Math.ceil(asked ?? MINUTE_MS - (this.#ctx.clock.now() % MINUTE_MS)) || 1;
    await Promise.all([...this.#workers.keys()].map((id) => this.#queues.items(id).rateLimit(waitMs)));
    return new this.#queues.bull.RateLimitError();
  }

  /** All items of a job have a result: checks their number against the plan and returns the job's result. */
  async #finishJob(job: QueuedJob, token: string): Promise<object> {
    // After a retry of items, the job waits for them once more.
    if (await job.moveToWaitingChildren(token)) throw new this.#queues.bull.WaitingChildrenError();
    if (await this.#isLeft(job)) {
      await job.moveToDelayed(Date.now() + OFFER_AGAIN_MS, token);
      throw new this.#queues.bull.DelayedError();
    }
    try {
      const { id = "", data } = this.#checked(job);
      if (data.isCancelled === true) return {};
      const { done, failed } = await jobCounts(job);
      if (data.planned !== done + failed)
        throw this.#unrecoverable(`${data.planned ?? "No"} items were planned, and ${done + failed} have a result.`);
      const kind = await this.#kindOf(job);
      const summary = (await kind.finish?.(await this.#workOf(job), data.shared, resultsOf(job))) ?? {};
      // The results stay with the job; the items are needed no more.
      if (failed === 0) await this.#queues.items(id).obliterate({ force: true });
      return summary;
    } catch (error) {
      throw await this.#failureOf(job, token, error);
    }
  }
}

/** The context of one of several workers for the same profile. */
const withShare = (ctx: CommandContext, parts: number): CommandContext => ({
  ...ctx,
  limits: workerLimits(ctx.clock, parts),
});

/** The notes of an item are what BullMQ calls its progress. */
function notesOf(item: ItemJob, token: string): JobNotes {
  const notes: Record<string, unknown> = { ...(isObject(item.progress) ? item.progress : {}) };
  return {
    of: (name) => (typeof notes[name] === "string" ? notes[name] : undefined),
    async add(name, note) {
      notes[name] = note;
      await item.updateProgress({ ...notes });
      // Redis rejects this if the worker was silent for so long that the item was given to another one.
      await item.extendLock(token, stalling.lockDuration);
    },
    async forget(name) {
      delete notes[name];
      await item.updateProgress({ ...notes });
    },
  };
}
