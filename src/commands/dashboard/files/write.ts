import type { DashboardEditInfo, Resources } from "../../../index.ts";
import { RequestError } from "../../../lib/core/errors.ts";
import { batchClient, batchSender } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { createDashboard } from "../../kit/dashboards/create.ts";
import { isUpToDate, plannedWidgets } from "../../kit/dashboards/plan.ts";
import { readDashboard } from "../../kit/dashboards/read.ts";
import { removeDashboard, removeLabelled } from "../../kit/dashboards/remove.ts";
import { isToReplace } from "../../kit/dashboards/replace.ts";
import { removalSteps, sendSteps, type WriteStep } from "../../kit/dashboards/steps.ts";
import { CommandError, conflictError, isStop, stoppedError } from "../../kit/failures/command-error.ts";
import { documentText } from "../../kit/folders/documents.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import type { ItemResult, JobItem, JobNotes } from "../../kit/jobs/job.ts";
import { type RunEnd, runItems } from "../../kit/jobs/run-items.ts";
import { isUnknownId } from "../../kit/resource/not-found.ts";
import { fingerprintOf, openSnapshots } from "../../kit/state/snapshots.ts";
import {
  changedSettings,
  createdIn,
  type DashboardWrite,
  idsOf,
  removedNote,
  type WriteRun,
  workingLabel,
  writesIn,
  writtenNote,
} from "./job.ts";
import { takeBack } from "./take-back.ts";

/** What became of one dashboard. */
export interface WriteResult {
  readonly id?: string;
  readonly label: string;
  /** `conflict`: somebody changed it since the plan; `undone`: a failure, and everything was undone. */
  readonly outcome: "created" | "updated" | "unchanged" | "conflict" | "undone" | "skipped";
  readonly folder: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly snapshot?: string;
  /** Ids of the files and what they are on the platform. */
  readonly ids: readonly (readonly [file: string, platform: string])[];
  readonly failure?: unknown;
}

/** The platform rejected a part of a dashboard, and the other parts could not be undone. */
export class NotRestored extends Error {
  override readonly name = "NotRestored";
}

/** Everything the work on one dashboard needs. */
interface Work {
  readonly ctx: CommandContext;
  readonly client: Resources;
  readonly run: WriteRun;
  readonly write: DashboardWrite;
  readonly notes: JobNotes;
  readonly onStep: () => void;
}

/**
 * Carries out a run, or the rest of one. For each dashboard: a snapshot, new widgets, changed widgets, its settings and
 * arrangement, and last the widgets that go. Each step is in the journal before the next begins. When one fails, the
 * dashboard becomes what it was.
 */
export async function applyWrites(
  ctx: CommandContext,
  run: WriteRun,
  onStep: () => void,
): Promise<{ readonly results: readonly WriteResult[]; readonly stop?: RunEnd["stop"] }> {
  const client = await batchClient(ctx);
  const writes = writesIn(run);
  const { results, stop } = await runItems<DashboardWrite, WriteResult>(ctx, run.journal, {
    phases: () => phasesOf(run, writes),
    run: ({ args: write }, notes) => settle({ ctx, client, run, write, notes, onStep }),
    isFatal: (error) => endsRun(error) || error instanceof NotRestored,
  });
  return {
    results: writes.flatMap(({ id, args }) => shown(args, results.get(id)) ?? []),
    ...(stop === undefined ? {} : { stop }),
  };
}

/** Writes side by side, but for those about one dashboard: a later one meets what the one before it changed. */
function phasesOf(run: WriteRun, writes: readonly JobItem<DashboardWrite>[]): readonly JobItem<DashboardWrite>[][] {
  const dashboardOf = ({ args: write }: JobItem<DashboardWrite>): string => write.id ?? workingLabel(run, write);
  const phases: JobItem<DashboardWrite>[][] = [];
  for (const write of writes) {
    const free = phases.find((phase) => phase.every((other) => dashboardOf(other) !== dashboardOf(write)));
    if (free === undefined) phases.push([write]);
    else free.push(write);
  }
  return phases;
}

/** Stopped, or unreachable: nothing could be undone either. */
const endsRun = (error: unknown): boolean => isStop(error) || error instanceof RequestError;

function shown(write: DashboardWrite, result: ItemResult<WriteResult> | undefined): WriteResult | undefined {
  if (result === undefined || "row" in result) return result?.row;
  const { cause } = result;
  const isConflict = cause instanceof CommandError && cause.code === "dashboard.changed";
  return { ...about(write), outcome: isConflict ? "conflict" : "undone", failure: cause };
}

const about = ({ label, folder, id }: DashboardWrite) => ({
  label,
  folder,
  ...(id === undefined ? {} : { id }),
  ...{ created: 0, updated: 0, deleted: 0, ids: [] },
});

async function settle(work: Work): Promise<WriteResult> {
  const { ctx, client, run, write, notes } = work;
  try {
    if (isUpToDate(write)) return { ...about(write), outcome: "unchanged", ids: [...idsOf(write, notes)] };
    return write.id === undefined ? await makeDashboard(work) : await changeDashboard(work, write.id);
  } catch (failure) {
    if (endsRun(failure)) throw failure;
    try {
      await takeBack(ctx, client, run, write, notes);
    } catch (cause) {
      throw new NotRestored("The dashboard could not be restored.", { cause });
    }
    await forget(work);
    throw failure;
  }
}

/** Forgets an undone dashboard. The snapshot goes last, so that it can be restored until then. */
async function forget({ write, notes }: Work): Promise<void> {
  const parts = [
    ...write.widgets.map(({ ref }) => writtenNote(ref)),
    ...write.removals.map(({ id }) => removedNote(id)),
  ];
  for (const note of [...parts, "made", "snapshot"]) if (notes.of(note) !== undefined) await notes.forget(note);
}

async function note({ notes, onStep }: Work, name: string, text = ""): Promise<void> {
  await notes.add(name, text);
  onStep();
}

function throwIfStopped({ ctx }: Work): void {
  if (ctx.signal.aborted) throw stoppedError("Stopped while writing the dashboard.");
}

async function makeDashboard(work: Work): Promise<WriteResult> {
  const { client, run, write, notes } = work;
  const made = notes.of("made");
  if (made !== undefined && (await isFinished(client, made, write)))
    return resultOf(work, made, "created", new Map([[write.ref, made], ...createdIn(write, notes)]));
  // What an interrupted run created is created again: a lost response may hide a widget.
  if (made !== undefined) await removeDashboard(client, made);
  await removeLabelled(client, workingLabel(run, write));
  const dashboard = await createDashboard(client, { ...write.settings, label: workingLabel(run, write) });
  await note(work, "made", dashboard);
  const ids = new Map([[write.ref, dashboard]]);
  await sendAll(work, dashboard, plannedWidgets(write, dashboard), ids);
  const whole = { ...write.settings, arrangement: write.arrangement ?? [] };
  await client.dashboards.edit(dashboard, replaceIds(whole, ids) as unknown as DashboardEditInfo);
  return resultOf(work, dashboard, "created", ids);
}

async function isFinished(client: Resources, id: string, { label }: DashboardWrite): Promise<boolean> {
  try {
    return (await client.dashboards.info(id)).label === label;
  } catch (error) {
    if (isUnknownId(error)) return false;
    throw error;
  }
}

async function changeDashboard(work: Work, id: string): Promise<WriteResult> {
  const { write, notes } = work;
  const ids = idsOf(write, notes);
  if (notes.of("snapshot") === undefined) await saveSnapshot(work, id);
  await sendAll(work, id, plannedWidgets(write, id), ids);
  throwIfStopped(work);
  await writeSettings(work, id, ids);
  const removals = write.removals.map((widget) => widget.id);
  await sendAll(work, id, removalSteps(id, removals), ids);
  noteCreated(work);
  return resultOf(work, id, "updated", ids);
}

/** A rollback takes new widgets away again. */
function noteCreated({ ctx, write, notes }: Work): void {
  const created = createdIn(write, notes).map(([, id]) => id);
  if (created.length === 0) return;
  openSnapshots(ctx.env, () => ctx.clock.now()).noteAdded(notes.of("snapshot") ?? "", created);
}

async function saveSnapshot(work: Work, id: string): Promise<void> {
  const { ctx, client, run, write } = work;
  const { dashboard, widgets } = await readDashboard(client, id);
  if (fingerprintOf(dashboard, widgets) !== write.fingerprint) throw changedMeanwhile(write.label);
  const snapshots = openSnapshots(ctx.env, () => ctx.clock.now());
  const reason = `dashboard ${run.job.verb}`;
  await note(work, "snapshot", snapshots.save({ reason, dashboard, widgets }, run.job.target).id);
}

/** Sends steps; those that the journal has are left out, but for a new dashboard, which is made again as a whole. */
async function sendAll(
  work: Work,
  dashboard: string,
  steps: readonly WriteStep[],
  ids: Map<string, string>,
): Promise<void> {
  const { ctx, client, write, notes } = work;
  const noteOf = ({ makes, changes, removes }: WriteStep): string | undefined => {
    const written = makes ?? changes;
    return written === undefined ? removes && removedNote(removes) : writtenNote(written);
  };
  const isDone = (step: WriteStep): boolean => write.id !== undefined && notes.of(noteOf(step) ?? "") !== undefined;
  await sendSteps(await batchSender(ctx), steps, ids, {
    async before(step) {
      if (isDone(step)) return false;
      throwIfStopped(work);
      const changed = write.widgets.find(({ ref }) => ref === step.changes);
      if (changed === undefined) return true;
      const { id = "", before = {}, after } = changed;
      return isToReplace(client, { dashboard, id, before, after: replaceIds(after, ids) });
    },
    async after(step, id) {
      const name = noteOf(step);
      if (name !== undefined) await note(work, name, id);
    },
  });
}

async function writeSettings(work: Work, id: string, ids: ReadonlyMap<string, string>): Promise<void> {
  const body = changedSettings(work.write, ids);
  if (Object.keys(body).length === 0) return;
  // The properties are those of the files; only ids were replaced.
  await work.client.dashboards.edit(id, body as unknown as DashboardEditInfo);
}

function resultOf(
  { write, notes }: Work,
  id: string,
  outcome: "created" | "updated",
  ids: ReadonlyMap<string, string>,
): WriteResult {
  const { widgets, removals, label, settings, folder } = write;
  const snapshot = notes.of("snapshot");
  return {
    id,
    label: documentText(settings, "label") || label,
    outcome,
    folder,
    created: widgets.filter(({ action }) => action === "create").length,
    updated: widgets.filter(({ action }) => action === "update").length,
    deleted: removals.length,
    ids: [...ids],
    ...(snapshot === undefined ? {} : { snapshot }),
  };
}

/** The failure of a dashboard that somebody else changed. */
function changedMeanwhile(label: string): Error {
  return conflictError(`Dashboard "${label}" changed since the plan was made.`, {
    code: "dashboard.changed",
    why: "Its widgets or its arrangement differ from the plan.",
    next: "Check it with iot dashboard diff, then run the command again.",
  });
}
