import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { CommandContext } from "../kit/context.ts";
import { parseObject, readTextIfThere } from "../kit/files/files.ts";
import { userFolders } from "../kit/settings/paths.ts";
import { type Interrupted, type InterruptedKind, noInterrupted } from "../kit/state/interrupted.ts";
import { aboutRun, type Journal, olderRun, unfinishedRuns, withRun } from "../kit/state/journal.ts";
import { lockOwner } from "../kit/state/lock.ts";
import type { PlanForm } from "../kit/state/plan-file.ts";

/** What every kind of work on dashboards says of itself. */
interface StoredJob {
  readonly createdAt: string;
  readonly target: { readonly label: string; readonly api: string };
}

/** Work on dashboards under way. Its journal has the plan, on the disk before the first request that changes something. */
export interface DashboardRun<Job extends StoredJob> {
  readonly id: string;
  readonly job: Job;
  readonly journal: Journal;
}

/** A run that ended in the middle. */
export interface InterruptedRun<Job extends StoredJob> extends Interrupted {
  readonly id: string;
  readonly job: Job;
}

type Work<Job extends StoredJob, Result> = (run: DashboardRun<Job>) => Promise<Result>;

/** The runs of one kind of work. */
interface Runs<Job extends StoredJob> {
  /** Does new work. */
  begin<Result>(ctx: CommandContext, job: Job, work: Work<Job, Result>): Promise<Result>;
  /** The oldest run on this target that ended in the middle. One whose process still lives is none. */
  interrupted(ctx: CommandContext): Promise<InterruptedRun<Job> | undefined>;
  /** Continues such a run, or undoes it. */
  resume<Result>(ctx: CommandContext, run: InterruptedRun<Job>, work: Work<Job, Result>): Promise<Result>;
}

/** How a kind of work is stored. */
interface RunKind {
  readonly what: InterruptedKind;
  readonly isWhole: PlanForm["isWhole"];
  /** Where earlier versions noted such runs, in the folder for state. */
  readonly oldFolder: string;
}

/** The journal's name for the plan. */
const JOB = aboutRun("job");

const FINISH_THERE = "Finish it with that version (--resume or --undo).";

export function openRuns<Job extends StoredJob>({ what, isWhole, oldFolder }: RunKind): Runs<Job> {
  const word = `dashboard ${what}`;

  function jobIn({ mark }: Pick<Journal, "mark">): Job | undefined {
    const text = mark(JOB);
    if (text === undefined) return undefined;
    const job = parseObject(text, word);
    if (!isWhole(job)) throw olderRun(what, FINISH_THERE);
    return job as unknown as Job;
  }

  return {
    async begin(ctx, job, work) {
      const stamp = new Date(ctx.clock.now()).toISOString().replace(/\D/g, "").slice(0, 14);
      const id = `${stamp}-${randomBytes(3).toString("hex")}`;
      return withRun(ctx, { key: [word, job.target.api, id], content: undefined, what }, false, async (journal) => {
        journal.add(JOB, JSON.stringify(job));
        return work({ id, job, journal });
      });
    },
    async interrupted(ctx) {
      const { api } = await ctx.target();
      if (!ctx.flags.dryRun) refuseOlder(ctx.env, api, what, oldFolder);
      const runs = unfinishedRuns(ctx.env, word).flatMap((run): InterruptedRun<Job>[] => {
        const [, of, id = ""] = run.key;
        const job = of === api ? jobIn(run) : undefined;
        return job === undefined ? [] : [{ id, job, startedAt: job.createdAt, steps: run.steps }];
      });
      return runs.sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1))[0];
    },
    resume(ctx, { id, job: { target } }, work) {
      const run = { key: [word, target.api, id], content: undefined, what, isResumed: true, isBegun: true };
      return withRun(ctx, run, false, async (journal) => {
        const job = jobIn(journal);
        if (job !== undefined) return work({ id, job, journal });
        // Another process has finished it meanwhile.
        journal.finish();
        throw noInterrupted(what);
      });
    },
  };
}

/** Throws if an earlier version left a run: it stored its progress in a separate folder. */
function refuseOlder(env: CommandContext["env"], api: string, what: string, oldFolder: string): void {
  const root = join(userFolders(env).state, oldFolder);
  for (const name of existsSync(root) ? readdirSync(root).sort() : []) {
    const folder = join(root, name);
    if (lockOwner(join(folder, "owner.lock")) !== undefined || !isAbout(folder, api)) continue;
    throw olderRun(what, `${FINISH_THERE} To give it up, delete ${folder}.`);
  }
}

const isAbout = (folder: string, api: string): boolean => {
  const plan = readTextIfThere(join(folder, "plan.json"));
  return plan?.includes(JSON.stringify(api)) === true;
};
