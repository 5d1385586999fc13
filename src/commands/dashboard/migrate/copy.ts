import type { Resources } from "../../../index.ts";
import { arranged, readDashboard } from "../../kit/dashboards/read.ts";
import { exists, removeDashboard, removeLabelled } from "../../kit/dashboards/remove.ts";
import { conflictError } from "../../kit/failures/command-error.ts";
import type { JobNotes } from "../../kit/jobs/job.ts";
import type { MigrationRun } from "./job.ts";
import type { DashboardJob, WidgetJob, WritePlace } from "./types.ts";

/** The note of a widget that was written. */
export const widgetNote = (id: string): string => `widget-${id}`;

/** Label of a copy until all of it is written; a crash in between leaves nothing that looks finished. */
function workingLabel(run: MigrationRun, job: DashboardJob): string {
  return `${job.label} (migrating ${run.id} ${job.id.slice(-6)})`;
}

/** Copies the dashboard at the server, or finds the copy that an interrupted run has made. */
export async function openCopy(
  client: Resources,
  run: MigrationRun,
  job: DashboardJob,
  notes: JobNotes,
): Promise<WritePlace> {
  const known = notes.of("copy");
  const isThere = known !== undefined && (await exists(client, known));
  const dashboard = isThere ? known : await makeCopy(client, run, job, notes);
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

async function makeCopy(client: Resources, run: MigrationRun, job: DashboardJob, notes: JobNotes): Promise<string> {
  await removeLeftovers(client, run, job);
  // What was written went to a copy that is gone.
  for (const note of job.widgets.map(({ id }) => widgetNote(id)))
    if (notes.of(note) !== undefined) await notes.forget(note);
  const { dashboard_id } = await client.dashboards.duplicate(job.id, { new_label: workingLabel(run, job) });
  await notes.add("copy", dashboard_id);
  return dashboard_id;
}

// The arrangement of a copy has the order of the original's.
function pairs(job: DashboardJob, old: readonly string[], now: readonly string[]): ReadonlyMap<string, string> {
  if (old.length !== now.length) {
    throw conflictError(`The copy of "${job.label}" has ${now.length} widgets instead of ${old.length}.`, {
      code: "dashboard.changed",
      next: "Create the plan again.",
    });
  }
  return new Map(old.map((id, i) => [id, now[i] ?? id]));
}

/** Sets the label of the finished copy. */
export async function finishCopy(client: Resources, run: MigrationRun, job: DashboardJob, copy: string): Promise<void> {
  await client.dashboards.edit(copy, { label: job.newLabel ?? job.label });
  await removeLeftovers(client, run, job);
}

/** Removes a copy, and others whose creation response was lost. */
export async function removeCopies(
  client: Resources,
  run: MigrationRun,
  job: DashboardJob,
  copy: string | undefined,
): Promise<void> {
  if (copy !== undefined) await removeDashboard(client, copy);
  await removeLeftovers(client, run, job);
}

async function removeLeftovers(client: Resources, run: MigrationRun, job: DashboardJob): Promise<void> {
  await removeLabelled(client, workingLabel(run, job));
}
