import { randomBytes } from "node:crypto";
import { appendFileSync, closeSync, existsSync, fsyncSync, openSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isObject, type JsonObject, parseObject, readTextIfThere, writeWhole } from "../kit/files.ts";
import { userFolders } from "../kit/paths.ts";
import { jobOf, jobText } from "./job.ts";
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

/**
 * A migration under way: its plan and its journal, on disk before the first request that changes something and until
 * the last one. What is left after a crash tells the next run how far this one came.
 */
export interface RunLog {
  readonly id: string;
  readonly startedAt: string;
  readonly job: MigrationJob;
  readonly steps: readonly RunStep[];
  /** Notes a step; on disk when this returns. */
  add(step: RunStep): void;
  /** Everything is done: nothing remains. */
  finish(): void;
}

type Environment = Readonly<Record<string, string | undefined>>;
const PRIVATE = { file: 0o600, folder: 0o700 } as const;

function folderOf(env: Environment): string {
  return join(userFolders(env).state, "migrations");
}

/** Writes down a plan that is about to be applied. */
export function startRun(env: Environment, job: MigrationJob, nowMs: number): RunLog {
  const id = `${new Date(nowMs).toISOString().replace(/\D/g, "").slice(0, 14)}-${randomBytes(3).toString("hex")}`;
  const folder = join(folderOf(env), id);
  writeWhole(join(folder, "plan.json"), jobText(job), PRIVATE);
  writeWhole(join(folder, "owner.json"), JSON.stringify({ pid: process.pid, startedAt: job.createdAt }), PRIVATE);
  return openRun(folder, id, job, []);
}

function openRun(folder: string, id: string, job: MigrationJob, before: readonly RunStep[]): RunLog {
  const steps = [...before];
  return {
    id,
    startedAt: job.createdAt,
    job,
    steps,
    add(step) {
      steps.push(step);
      const file = openSync(join(folder, "journal.jsonl"), "a", PRIVATE.file);
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
      rmSync(join(folder, "plan.json"), { force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs of this target that ended in the middle, oldest first. A run whose process still lives is none of them. */
export function unfinishedRuns(env: Environment, api: string): RunLog[] {
  const root = folderOf(env);
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .sort()
    .flatMap((id) => reopen(join(root, id), id) ?? [])
    .filter(({ job }) => job.target.api === api);
}

function reopen(folder: string, id: string): RunLog | undefined {
  const plan = readTextIfThere(join(folder, "plan.json"));
  if (plan === undefined || isOwnerAlive(folder)) return undefined;
  try {
    const job = jobOf(parseObject(plan, id), id);
    const log = openRun(folder, id, job, stepsIn(readTextIfThere(join(folder, "journal.jsonl")) ?? ""));
    return log;
  } catch {
    return undefined;
  }
}

/** Makes this process the one that works on a run. */
export function takeOver(env: Environment, run: RunLog): void {
  const owner = JSON.stringify({ pid: process.pid, startedAt: run.startedAt });
  writeWhole(join(folderOf(env), run.id, "owner.json"), owner, PRIVATE);
}

function isOwnerAlive(folder: string): boolean {
  try {
    const owner = parseObject(readTextIfThere(join(folder, "owner.json")) ?? "{}", "owner.json");
    const pid = owner["pid"];
    if (typeof pid !== "number" || pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function stepsIn(text: string): RunStep[] {
  return text.split("\n").flatMap((line) => {
    const step = stepOf(line);
    return step === undefined ? [] : [step];
  });
}

function stepOf(line: string): RunStep | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) && isStep(value) ? (value as unknown as RunStep) : undefined;
  } catch {
    return undefined;
  }
}

function isStep(value: JsonObject): boolean {
  return typeof value["dashboard"] === "string";
}
