import type { DashboardCreateInfo, DashboardEditInfo, Resources } from "../../../index.ts";
import { RequestError } from "../../../lib/core/errors.ts";
import { batchClient, batchSender } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { isUpToDate, plannedWidgets } from "../../kit/dashboards/plan.ts";
import { readDashboard } from "../../kit/dashboards/read.ts";
import { removeDashboard, removeLabelled } from "../../kit/dashboards/remove.ts";
import { isToReplace } from "../../kit/dashboards/replace.ts";
import { removalSteps, type Step, sendSteps } from "../../kit/dashboards/steps.ts";
import { conflictError, stoppedError } from "../../kit/failures/command-error.ts";
import { textOf } from "../../kit/folders/documents.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import { isUnknownId } from "../../kit/resource/not-found.ts";
import { fingerprintOf, openSnapshots } from "../../kit/state/snapshots.ts";
import { type DashboardWrite, idsOf, newId, settingsOf, type WriteRun, type WriteStep, workingLabel } from "./job.ts";
import { takeBack } from "./take-back.ts";

/** What became of one dashboard. */
export interface WriteResult {
  readonly id?: string;
  readonly label: string;
  /** `conflict`: somebody changed it since the plan; `undone`: a failure, and everything was taken back. */
  readonly outcome: "created" | "updated" | "unchanged" | "conflict" | "undone" | "skipped";
  readonly folder: string;
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly snapshot?: string;
  /** Ids of the files and what they are on the platform. */
  readonly ids: ReadonlyMap<string, string>;
  readonly failure?: unknown;
}

/** Ends a run before its end; what is in its journal can be finished or taken back. */
export class WriteEnded extends Error {
  override readonly name = "WriteEnded";
}

/** Everything the work on one dashboard needs. */
interface Work {
  readonly ctx: CommandContext;
  readonly client: Resources;
  readonly run: WriteRun;
  readonly write: DashboardWrite;
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
  onStep: () => void = () => undefined,
): Promise<readonly WriteResult[]> {
  const client = await batchClient(ctx);
  const results: WriteResult[] = [];
  for (const write of run.job.dashboards) {
    if (ctx.signal.aborted) throw new WriteEnded("Stopped.", { cause: stoppedError("Stopped before completion.") });
    results.push(await settle({ ctx, client, run, write, onStep }));
  }
  return results;
}

const nothing = { created: 0, updated: 0, deleted: 0, ids: new Map<string, string>() } as const;

async function settle(work: Work): Promise<WriteResult> {
  const { ctx, client, run, write } = work;
  const about = { label: write.label, folder: write.folder, ...(write.id === undefined ? {} : { id: write.id }) };
  try {
    if (isUpToDate(write)) return { ...about, ...nothing, outcome: "unchanged", ids: idsOf(write, []) };
    return write.id === undefined ? await makeDashboard(work) : await changeDashboard(work, write.id);
  } catch (failure) {
    if (failure instanceof WriteEnded) throw failure;
    if (failure instanceof ChangedMeanwhile) return { ...about, ...nothing, outcome: "conflict", failure };
    // Out of reach, nothing could be taken back either.
    if (failure instanceof RequestError) throw new WriteEnded("The platform is unreachable.", { cause: failure });
    try {
      await takeBack(ctx, client, run, write);
    } catch (cause) {
      throw new WriteEnded("The dashboard could not be restored.", { cause });
    }
    return { ...about, ...nothing, outcome: "undone", failure };
  }
}

/** Somebody changed the dashboard before anything was written to it. */
class ChangedMeanwhile extends Error {
  override readonly name = "ChangedMeanwhile";
}

function stepsOf({ run, write }: Work): readonly WriteStep[] {
  return run.steps.filter(({ dashboard }) => dashboard === write.key);
}

function note({ run, write, onStep }: Work, step: Omit<WriteStep, "dashboard">): void {
  run.add({ dashboard: write.key, ...step });
  onStep();
}

function throwIfStopped({ ctx }: Work): void {
  if (!ctx.signal.aborted) return;
  throw new WriteEnded("Stopped.", { cause: stoppedError("Stopped while writing the dashboard.") });
}

async function makeDashboard(work: Work): Promise<WriteResult> {
  const { client, run, write } = work;
  const made = stepsOf(work).findLast((step) => step.made !== undefined)?.made;
  const ids = new Map<string, string>();
  if (made !== undefined && (await isFinished(client, made, write))) {
    return resultOf(work, made, "created", ids);
  }
  // What an interrupted run has made is made again: an answer that got lost on the way may stand for a widget.
  if (made !== undefined) await removeDashboard(client, made);
  await removeLabelled(client, workingLabel(run, write));
  const body = { ...write.settings, label: workingLabel(run, write), arrangement: [] };
  const { dashboard } = await client.dashboards.create(body as unknown as DashboardCreateInfo);
  note(work, { made: dashboard });
  ids.set(write.ref, dashboard);
  await sendAll(work, dashboard, plannedWidgets(write, dashboard), ids);
  const whole = { ...write.settings, arrangement: write.arrangement ?? [] };
  await client.dashboards.edit(dashboard, replaceIds(whole, ids) as unknown as DashboardEditInfo);
  note(work, { done: true });
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
  const { write } = work;
  const steps = stepsOf(work);
  const ids = new Map([...idsOf(write, steps)]);
  if (steps.some(({ done }) => done === true)) return resultOf(work, id, "updated", ids);
  if (!steps.some(({ snapshot }) => snapshot !== undefined)) await keepSnapshot(work, id);
  await sendAll(work, id, plannedWidgets(write, id), ids);
  throwIfStopped(work);
  await writeSettings(work, id, ids);
  await sendAll(
    work,
    id,
    removalSteps(
      id,
      write.removals.map((widget) => widget.id),
    ),
    ids,
  );
  noteCreated(work);
  note(work, { done: true });
  return resultOf(work, id, "updated", ids);
}

/** A rollback takes new widgets away again. */
function noteCreated(work: Work): void {
  const steps = stepsOf(work);
  const created = steps.flatMap(newId).map(([, id]) => id);
  const snapshot = steps.find((step) => step.snapshot !== undefined)?.snapshot;
  if (snapshot === undefined || created.length === 0) return;
  openSnapshots(work.ctx.env, () => work.ctx.clock.now()).noteAdded(snapshot, created);
}

async function keepSnapshot(work: Work, id: string): Promise<void> {
  const { ctx, client, run, write } = work;
  const { dashboard, widgets } = await readDashboard(client, id);
  if (fingerprintOf(dashboard, widgets) !== write.fingerprint) {
    throw new ChangedMeanwhile("It changed since the plan was made.");
  }
  const snapshots = openSnapshots(ctx.env, () => ctx.clock.now());
  const reason = `dashboard ${run.job.verb}`;
  note(work, { snapshot: snapshots.save({ reason, dashboard, widgets }, run.job.target).id });
}

/** Sends steps; those that the journal has are left out. */
async function sendAll(work: Work, dashboard: string, steps: readonly Step[], ids: Map<string, string>): Promise<void> {
  const { ctx, client, write } = work;
  // A new dashboard is made again as a whole.
  const noted = write.id === undefined ? [] : stepsOf(work);
  const done = new Set(noted.flatMap(({ widget, removed }) => widget ?? removed ?? []));
  await sendSteps(await batchSender(ctx), steps, ids, {
    async before(step) {
      const widget = step.makes ?? step.changes ?? step.removes;
      if (widget !== undefined && done.has(widget)) return false;
      throwIfStopped(work);
      const changed = write.widgets.find(({ ref }) => ref === step.changes);
      if (changed === undefined) return true;
      const { id = "", before = {}, after } = changed;
      return isToReplace(client, { dashboard, id, before, after: replaceIds(after, ids) });
    },
    after({ makes, changes, removes }, id) {
      if (makes !== undefined) note(work, { widget: makes, id });
      if (changes !== undefined) note(work, { widget: changes });
      if (removes !== undefined) note(work, { removed: removes });
    },
  });
}

async function writeSettings(work: Work, id: string, ids: ReadonlyMap<string, string>): Promise<void> {
  const body = settingsOf(work.write, ids);
  if (Object.keys(body).length === 0) return;
  // The members are those of the files; only ids were put in.
  await work.client.dashboards.edit(id, body as unknown as DashboardEditInfo);
}

function resultOf(
  work: Work,
  id: string,
  outcome: "created" | "updated",
  ids: ReadonlyMap<string, string>,
): WriteResult {
  const { widgets, removals, label, settings, folder } = work.write;
  const snapshot = stepsOf(work).find((step) => step.snapshot !== undefined)?.snapshot;
  return {
    id,
    label: textOf(settings, "label") || label,
    outcome,
    folder,
    created: widgets.filter(({ action }) => action === "create").length,
    updated: widgets.filter(({ action }) => action === "update").length,
    deleted: removals.length,
    ids,
    ...(snapshot === undefined ? {} : { snapshot }),
  };
}

/** The failure of a dashboard that somebody else changed. */
export function changedMeanwhile(label: string): Error {
  return conflictError(`Dashboard "${label}" changed since the plan was made.`, {
    code: "dashboard.changed",
    why: "Its widgets or its arrangement differ from the plan.",
    next: "Check it with iot dashboard diff, then run the command again.",
  });
}
