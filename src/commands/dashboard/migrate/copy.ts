import type { Resources } from "../../../index.ts";
import { arranged, readDashboard } from "../../kit/dashboards/read.ts";
import { exists, removeDashboard, removeLabelled } from "../../kit/dashboards/remove.ts";
import { conflictError } from "../../kit/failures/command-error.ts";
import type { RunLog } from "./run-log.ts";
import type { DashboardJob, WidgetJob, WritePlace } from "./types.ts";

/** Label of a copy until all of it is written; a crash in between leaves nothing that looks finished. */
function workingLabel(run: RunLog, job: DashboardJob): string {
  return `${job.label} (migrating ${run.id} ${job.id.slice(-6)})`;
}

/** Copies the dashboard at the server, or finds the copy that an interrupted run has made. */
export async function openCopy(
  client: Resources,
  run: RunLog,
  job: DashboardJob,
  known: string | undefined,
): Promise<WritePlace> {
  const isThere = known !== undefined && (await exists(client, known));
  const dashboard = isThere ? known : await makeCopy(client, run, job);
  const copy = await readDashboard(client, dashboard);
  const ids = pairs(job, arranged((await readDashboard(client, job.id)).dashboard), arranged(copy.dashboard));
  return {
    dashboard,
    idOf(widget: WidgetJob) {
      const id = ids.get(widget.id);
      if (id === undefined) throw conflictError("The widget is not in the copy.", { code: "widget.gone" });
      return id;
    },
  };
}

async function makeCopy(client: Resources, run: RunLog, job: DashboardJob): Promise<string> {
  await removeLeftovers(client, run, job);
  const { dashboard_id } = await client.dashboards.duplicate(job.id, { new_label: workingLabel(run, job) });
  run.add({ dashboard: job.id, copy: dashboard_id });
  return dashboard_id;
}

// The places of a copy stand in the order of the original's.
function pairs(job: DashboardJob, old: readonly string[], now: readonly string[]): ReadonlyMap<string, string> {
  if (old.length !== now.length) {
    throw conflictError(`The copy of "${job.label}" has ${now.length} widgets instead of ${old.length}.`, {
      code: "dashboard.changed",
      next: "Create the plan again.",
    });
  }
  return new Map(old.map((id, i) => [id, now[i] ?? id]));
}

/** Gives the finished copy its label. */
export async function finishCopy(client: Resources, run: RunLog, job: DashboardJob, copy: string): Promise<void> {
  await client.dashboards.edit(copy, { label: job.newLabel ?? job.label });
  await removeLeftovers(client, run, job);
}

/** Takes a copy away again, and others that an answer lost on the way has left. */
export async function removeCopies(client: Resources, run: RunLog, job: DashboardJob, copy: string): Promise<void> {
  await removeDashboard(client, copy);
  await removeLeftovers(client, run, job);
}

async function removeLeftovers(client: Resources, run: RunLog, job: DashboardJob): Promise<void> {
  await removeLabelled(client, workingLabel(run, job));
}
