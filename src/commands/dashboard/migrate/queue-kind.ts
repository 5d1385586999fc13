import { join } from "node:path";
import { conflictError, stoppedError } from "../../kit/failures/command-error.ts";
import { failureOf } from "../../kit/jobs/failure.ts";
import type { JobKind } from "../../kit/jobs/job.ts";
import { pathBelow } from "../../kit/jobs/path-below.ts";
import { redact } from "../../kit/say/redact.ts";
import { applyDashboard, RunEnded } from "./apply.ts";
import { openSharedRun } from "./run-log.ts";
import type { DashboardResult, FailureChoice, WidgetJob } from "./types.ts";

export type MigrateShared = {
  /** Folder of the plans below that of the job. */
  readonly folder: string;
};

/** A dashboard; the item has its id. */
export type MigrateArgs = {
  /** Digest of its plan, so that nobody who can write to the folder alone can give work to the workers. */
  readonly plan: string;
};

/** Migrates a dashboard by its plan. The plan and the journal are in the folder that all workers share. */
export const migrateKind: JobKind<MigrateShared, MigrateArgs, DashboardResult> = {
  name: "dashboard migrate",
  version: 1,
  columns: ["label", "outcome", "copy", "snapshot", "error", "widgets"],
  async run({ ctx, client, folder }, shared, item) {
    const own = pathBelow(folder, join(shared.folder, item.id));
    const run = openSharedRun(own, shared.folder, item.args.plan);
    const [job] = run?.job.dashboards ?? [];
    if (run === undefined || job === undefined) throw noPlan(`dashboard ${item.id}`, own);
    try {
      // What another attempt or another worker may do better goes back to the queue; the journal keeps what is done.
      const failed = async (_: WidgetJob, error: unknown): Promise<FailureChoice> =>
        failureOf(error) === "item" ? "skip" : "stop";
      return withoutSecrets(await applyDashboard(ctx, client, run, job, { failed }));
    } catch (error) {
      throw error instanceof RunEnded ? (error.cause ?? stoppedError()) : error;
    }
  },
};

export function noPlan(what: string, folder: string): Error {
  return conflictError(`The plan of ${what} is not in ${folder}, or was changed.`, {
    code: "migration.no_plan",
    why: "All workers must use the folder that the plan was written to; this one seems not to be shared.",
    next: "Mount the folder on every machine (iot worker --folder), then run iot job retry.",
  });
}

function withoutSecrets(result: DashboardResult): DashboardResult {
  const cleaned = <T extends { readonly error?: string }>(each: T): T =>
    each.error === undefined ? each : { ...each, error: redact(each.error) };
  return cleaned({ ...result, widgets: result.widgets.map(cleaned) });
}
