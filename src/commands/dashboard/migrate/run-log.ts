import { randomBytes } from "node:crypto";
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject, parseObject, readTextIfThere, writeWhole } from "../../kit/files/files.ts";
import { userFolders } from "../../kit/settings/paths.ts";
import { inUseError, lockOwner, takeLock } from "../../kit/state/lock.ts";
import { planIn, planText } from "../../kit/state/plan-file.ts";
import { migrationPlans } from "./job.ts";
import type { MigrationJob } from "./types.ts";

/** A step that is done, and must not be done again. */
export interface RunStep {
  readonly dashboard: string;
  /** The snapshot that was taken. */
  readonly snapshot?: string;
  /** The copy that was made. */
  readonly copy?: string;
  /** A widget that was written. */
  readonly widget?: string;
  /** Everything of the dashboard is done. */
  readonly done?: boolean;
}

/** What every kind of work that is written down says of itself. */
export interface StoredJob {
  readonly createdAt: string;
  readonly target: { readonly label: string; readonly api: string };
}

/**
 * Work on dashboards under way: its plan and its journal, on disk before the first request that changes something and
 * until the last one. What is left after a crash tells the next run how far this one came.
 */
export interface RunLog<Job extends StoredJob = MigrationJob, Step extends { readonly dashboard: string } = RunStep> {
  readonly id: string;
  readonly startedAt: string;
  readonly job: Job;
  readonly steps: readonly Step[];
  /** Notes a step; on disk when this returns. */
  add(step: Step): void;
  /** Everything is done: nothing remains. */
  finish(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;
const PRIVATE = { file: 0o600, folder: 0o700 } as const;
const PLAN = "plan.json";
const JOURNAL = "journal.jsonl";

/** The runs of one kind of work. */
export interface Runs<Job extends StoredJob, Step extends { readonly dashboard: string }> {
  /** Writes down a plan that is about to be applied. */
  start(env: Environment, job: Job, nowMs: number): RunLog<Job, Step>;
  /** Runs of this target that ended in the middle, oldest first. A run whose process still lives is none of them. */
  unfinished(env: Environment, api: string): RunLog<Job, Step>[];
  /** Makes this process the one that works on a run. */
  takeOver(env: Environment, run: RunLog<Job, Step>): void;
}

/** How a kind of work is kept. */
export interface RunKind<Job> {
  /** Name of its folder in the folder for state. */
  readonly folder: string;
  text(job: Job): string;
  /** The job in a parsed file; throws when it is none. */
  parse(value: JsonObject, shown: string): Job;
}

export function openRuns<Job extends StoredJob, Step extends { readonly dashboard: string }>(
  kind: RunKind<Job>,
): Runs<Job, Step> {
  const rootOf = (env: Environment): string => join(userFolders(env).state, kind.folder);
  function own(folder: string): void {
    const owner = takeLock(lockIn(folder));
    // A run this process has left in the middle is its own to finish.
    if (!("release" in owner) && owner.pid !== process.pid) throw inUseError(lockIn(folder), "run", owner);
  }

  function reopen(folder: string, id: string): RunLog<Job, Step> | undefined {
    const plan = readTextIfThere(join(folder, PLAN));
    if (plan === undefined || isOthers(folder)) return undefined;
    try {
      return openPlanned<Job, Step>(folder, id, kind.parse(parseObject(plan, id), id));
    } catch {
      return undefined;
    }
  }

  return {
    start(env, job, nowMs) {
      const stamp = new Date(nowMs).toISOString().replace(/\D/g, "").slice(0, 14);
      const id = `${stamp}-${randomBytes(3).toString("hex")}`;
      const folder = join(rootOf(env), id);
      writeWhole(join(folder, PLAN), kind.text(job), PRIVATE);
      own(folder);
      return openRun(folder, id, job, []);
    },
    unfinished(env, api) {
      const root = rootOf(env);
      if (!existsSync(root)) return [];
      return readdirSync(root)
        .sort()
        .flatMap((id) => reopen(join(root, id), id) ?? [])
        .filter(({ job }) => job.target.api === api);
    },
    takeOver: (env, run) => own(join(rootOf(env), run.id)),
  };
}

const migrations = openRuns<MigrationJob, RunStep>({
  folder: "migrations",
  text: (job) => planText(migrationPlans, job),
  parse: (value, shown) => planIn(value, shown, migrationPlans),
});
/** The runs of migrations. */
export const { start: startRun, unfinished: unfinishedRuns, takeOver } = migrations;

function openPlanned<Job extends StoredJob, Step extends { readonly dashboard: string }>(
  folder: string,
  id: string,
  job: Job,
): RunLog<Job, Step> {
  return openRun(folder, id, job, stepsIn<Step>(readTextIfThere(join(folder, JOURNAL)) ?? ""));
}

function openRun<Job extends StoredJob, Step extends { readonly dashboard: string }>(
  folder: string,
  id: string,
  job: Job,
  before: readonly Step[],
): RunLog<Job, Step> {
  const steps = [...before];
  return {
    id,
    startedAt: job.createdAt,
    job,
    steps,
    add(step) {
      steps.push(step);
      const file = openSync(join(folder, JOURNAL), "a", PRIVATE.file);
      try {
        // A line that a crash has cut off must not swallow this one.
        appendFileSync(file, `\n${JSON.stringify(step)}`);
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
    },
    finish() {
      // The plan goes first: without it there is no run, however little of the rest a crash leaves.
      rmSync(join(folder, PLAN), { force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const lockIn = (folder: string): string => join(folder, "owner.lock");

/** Whether another process works on the run. */
function isOthers(folder: string): boolean {
  const owner = lockOwner(lockIn(folder));
  return owner !== undefined && owner.pid !== process.pid;
}

function stepsIn<Step extends { readonly dashboard: string }>(text: string): Step[] {
  return text.split("\n").flatMap((line) => {
    const step = stepOf(line);
    return step === undefined ? [] : [step as unknown as Step];
  });
}

function stepOf(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && typeof value["dashboard"] === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
