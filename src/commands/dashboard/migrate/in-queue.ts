import { join, resolve } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { countOf } from "../../../text/count.ts";
import { argumentList, option, optionFlag, optionList } from "../../kit/command/arguments.ts";
import type { CommandInput } from "../../kit/command/define.ts";
import type { CommandContext } from "../../kit/context.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import type { ItemResult, JobPlan } from "../../kit/jobs/job.ts";
import { placeOf } from "../../kit/jobs/queue/connect.ts";
import { runJob } from "../../kit/jobs/run-job.ts";
import { userFolders } from "../../kit/settings/paths.ts";
import { digest } from "../../kit/state/digest.ts";
import { openSnapshots } from "../../kit/state/snapshots.ts";
import { isWritten, skipped, takeSnapshot } from "./apply.ts";
import { type MigrateArgs, type MigrateShared, migrateKind } from "./queue-kind.ts";
import { unfinishedRuns } from "./run-log.ts";
import { SharedPlans } from "./shared-plans.ts";
import type { DashboardResult, DashboardState, MigrationJob } from "./types.ts";

/** Makes the plan of a migration when its job is new. */
export interface Planner {
  /** What was asked for, besides the dashboards. */
  readonly key: readonly unknown[];
  /** The plan, and the dashboards of it as they were read. */
  plan(): Promise<{ readonly job: MigrationJob; readonly states: ReadonlyMap<string, DashboardState> }>;
  ask(job: MigrationJob): Promise<void>;
}

/** A migration by workers. */
export interface QueuedMigration {
  readonly id: string;
  readonly results: readonly DashboardResult[];
  /** Undefined while it goes on elsewhere, and once its results have been given. */
  readonly job: MigrationJob | undefined;
}

/** Has a migration done by workers. Its plans stay in their folder until the results of all have been fetched. */
export async function migrateInQueue(
  ctx: CommandContext,
  input: CommandInput,
  planner: Planner,
): Promise<QueuedMigration> {
  await requirePlain(ctx, input);
  const folder = resolve(ctx.cwd, option(input, "folder") ?? join(userFolders(ctx.env).state, "queued-migrations"));
  const [ids, tags] = [argumentList(input, "id"), optionList(input, "tag")];
  const key = [folder, ids, optionFlag(input, "all"), tags, ...planner.key];
  const plans = new SharedPlans(folder, digest([await placeOf(ctx), key]));
  const results: ItemResult<DashboardResult>[] = [];
  const plan: JobPlan<MigrateShared, MigrateArgs, DashboardResult> = {
    kind: migrateKind,
    key,
    what: `migration of ${ids.length > 0 ? countOf(ids.length, "dashboard") : tags.join(", ") || "all dashboards"}`,
    folder,
    async begin() {
      makeFolder(folder, 0o700);
      if (optionFlag(input, "again")) await plans.clear(ctx);
      const known = plans.read();
      // The queue has lost the job: what workers have done of it is in their journals.
      if (known !== undefined) await planner.ask(known);
      else {
        const { job, states } = await planner.plan();
        await planner.ask(job);
        // Taken here, where the user is; a worker writes only to a dashboard that is still like it.
        plans.write(job, (each) => {
          const state = isWritten(each) ? states.get(each.id) : undefined;
          return state === undefined ? each : { ...each, snapshot: takeSnapshot(ctx, job, state) };
        });
      }
      return { folder: plans.name };
    },
    items: () => plans.items(),
    async report(all) {
      for await (const result of all) results.push(result);
    },
  };
  const { id = "", isEnded, failed } = await runJob(ctx, input, plan);
  const job = isEnded ? plans.read() : undefined;
  if (isEnded && job === undefined)
    ctx.say.info(`Its results were given before: iot job report ${id} --out report.csv`);
  if (job === undefined) return { id, results: [], job };
  const sorted = inOrder(job, results);
  noteCopies(ctx, sorted);
  if (failed === 0) plans.remove();
  return { id, results: sorted, job };
}

/** Refuses what only one process can do. */
async function requirePlain(ctx: CommandContext, input: CommandInput): Promise<void> {
  const other = ["apply", "resume", "undo"].find(
    (flag) => optionFlag(input, flag) || option(input, flag) !== undefined,
  );
  if (other !== undefined) {
    throw usageError(`--queue and --${other} cannot be used together.`, {
      next: "Leave out --queue. A job goes on when its command is run again; iot dashboard rollback takes it back.",
    });
  }
  const { api } = await ctx.target();
  if (unfinishedRuns(ctx.env, api).length === 0) return;
  throw usageError("A migration on this machine was interrupted.", {
    code: "migration.interrupted",
    next: 'Finish it first with "iot dashboard migrate --resume", or undo it with --undo.',
  });
}

/** In the order of the plan; the queue has none. An item that failed as a whole has a reason alone. */
function inOrder(job: MigrationJob, results: readonly ItemResult<DashboardResult>[]): DashboardResult[] {
  const planned = new Map(job.dashboards.map((each) => [each.id, each]));
  const places = new Map([...planned.keys()].map((id, index) => [id, index]));
  const at = ({ id }: DashboardResult): number => places.get(id) ?? places.size;
  const rows = results.map((result): DashboardResult => {
    if ("row" in result) return result.row;
    const { id, reason: error } = result;
    const each = planned.get(id);
    return { ...(each === undefined ? { id, label: id, widgets: [] } : skipped(each)), outcome: "failed", error };
  });
  return rows.sort((one, other) => at(one) - at(other));
}

/** So that `--update` finds them, whatever their names are. */
function noteCopies(ctx: CommandContext, results: readonly DashboardResult[]): void {
  const snapshots = openSnapshots(ctx.env, () => ctx.clock.now());
  // Another machine may have taken some of them, and the user may have deleted one.
  const here = new Set(snapshots.list().snapshots.map(({ id }) => id));
  for (const { copy, snapshot = "" } of results)
    if (copy !== undefined && here.has(snapshot)) snapshots.noteCopy(snapshot, copy);
}
