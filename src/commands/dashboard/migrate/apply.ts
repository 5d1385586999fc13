import type { Resources } from "../../../index.ts";
import { RequestError } from "../../../lib/core/errors.ts";
import type { EngineWatch, FailureChoice } from "../../../tui/migration-wizard/engine.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { DashboardState } from "../../kit/dashboards/read.ts";
import { readDashboard } from "../../kit/dashboards/read.ts";
import { replaceWidget } from "../../kit/dashboards/replace.ts";
import { conflictError } from "../../kit/failures/command-error.ts";
import type { JsonObject } from "../../kit/files/files.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { fingerprintOf, openSnapshots } from "../../kit/state/snapshots.ts";
import { finishCopy, openCopy, removeCopies } from "./copy.ts";
import type { RunLog, RunStep } from "./run-log.ts";
import type { DashboardJob, DashboardResult, MigrationJob, WidgetJob, WidgetResult, WritePlace } from "./types.ts";
import { undoDashboard } from "./undo.ts";

/** Called with every step of a run, and asked about failures; `skip` unless it answers. */
type Watch = Partial<EngineWatch>;

/** Ends the run early: the user chose so, or the platform is out of reach. */
export class RunEnded extends Error {
  override readonly name = "RunEnded";
  readonly choice: "stop" | "undo";
  readonly results: readonly DashboardResult[];
  constructor(choice: "stop" | "undo", results: readonly DashboardResult[], cause?: unknown) {
    super("The migration was stopped.", cause === undefined ? undefined : { cause });
    this.choice = choice;
    this.results = results;
  }
}

const LANES = 4;

/**
 * Carries out the plan of a run, or the rest of it, `--concurrency` dashboards at a time. A snapshot of each goes first;
 * every finished step is in the journal before the next begins, so a run that was killed can be resumed: each widget is
 * written once, and one that somebody else changed meanwhile is left alone.
 */
export async function applyRun(
  ctx: CommandContext,
  run: RunLog,
  watch: Watch = {},
): Promise<readonly DashboardResult[]> {
  const client = await batchClient(ctx);
  const { dashboards } = run.job;
  const results = dashboards.map(skipped);
  let ending: RunEnded | undefined;
  const isStopped = (): boolean => ending !== undefined || shouldStop(ctx, watch);
  const shared = { ...watch, ...oneQuestion(watch, () => ending !== undefined), isStopped };
  await mapLanes([...dashboards.entries()], ctx.flags.concurrency ?? LANES, async ([place, job]) => {
    if (isStopped()) {
      ending ??= new RunEnded("stop", []);
      return;
    }
    watch.dashboard?.(job.label, place + 1, dashboards.length);
    try {
      results[place] = await applyDashboard(ctx, client, run, job, shared);
    } catch (error) {
      if (error instanceof RunEnded) {
        results[place] = error.results[0] ?? skipped(job);
        if (ending === undefined || error.choice === "undo") ending = error;
      } else if (error instanceof RequestError) {
        // Nothing more can be reached; the journal says where to resume.
        ending ??= new RunEnded("stop", [], error);
      } else {
        results[place] = { ...skipped(job), outcome: "failed", error: messageOf(error) };
      }
    }
  });
  if (ending !== undefined) throw new RunEnded(ending.choice, results, ending.cause);
  return results;
}

/** Asks about one failure at a time, and about none once the run ends. */
function oneQuestion({ failed }: Watch, isEnding: () => boolean): Pick<Watch, "failed"> {
  if (failed === undefined) return {};
  let last: Promise<unknown> = Promise.resolve();
  return {
    failed(label, message) {
      const ask = async (): Promise<FailureChoice> => (isEnding() ? "stop" : failed(label, message));
      const answer = last.then(ask, ask);
      last = answer;
      return answer;
    },
  };
}

function shouldStop(ctx: CommandContext, watch: Watch): boolean {
  return ctx.signal.aborted || watch.isStopped?.() === true;
}

function skipped(job: DashboardJob): DashboardResult {
  const widgets = job.widgets.map((widget) =>
    resultOf(widget, widget.action === "convert" ? "skipped" : restOutcome(widget)),
  );
  return { id: job.id, label: job.label, outcome: "skipped", widgets };
}

/** Whether anything is written for a dashboard: to it or to a copy. */
function isWritten({ newLabel, widgets }: DashboardJob): boolean {
  return newLabel !== undefined || widgets.some(({ action }) => action === "convert");
}

/** What is known of a widget that nothing is written for. */
function restOutcome(job: WidgetJob): WidgetResult["outcome"] {
  return job.action === "exclude" ? "excluded" : "unchanged";
}

export function resultOf(job: WidgetJob, outcome: WidgetResult["outcome"], error?: unknown): WidgetResult {
  const { id, label, type, newType, verdict, reason, notes } = job;
  const about = { id, label, type, new_type: newType, verdict, outcome, reason, notes };
  return error === undefined ? about : { ...about, error: messageOf(error) };
}

/** Carries out the plan for one dashboard, or the rest of it. */
async function applyDashboard(
  ctx: CommandContext,
  client: Resources,
  run: RunLog,
  job: DashboardJob,
  watch: Watch,
): Promise<DashboardResult> {
  const steps = run.steps.filter(({ dashboard }) => dashboard === job.id);
  const known = Object.assign({}, ...steps) as RunStep;
  const about = { id: job.id, label: job.label };
  const todo = job.widgets.filter(({ action }) => action === "convert");
  if (!isWritten(job)) {
    return {
      ...about,
      outcome: "unchanged",
      widgets: job.widgets.map((widget) => resultOf(widget, restOutcome(widget))),
    };
  }
  let snapshot = known.snapshot;
  if (snapshot === undefined) {
    const state = await readDashboard(client, job.id);
    if (fingerprintOf(state.dashboard, state.widgets) !== job.fingerprint) {
      return { ...skipped(job), outcome: "changed", error: changedError(job).message };
    }
    snapshot = takeSnapshot(ctx, run.job, state);
    run.add({ dashboard: job.id, snapshot });
  }
  const isCopy = job.newLabel !== undefined;
  const copy = isCopy ? await openCopy(client, run, job, known.copy) : undefined;
  const place = copy ?? { dashboard: job.id, idOf: (widget: WidgetJob) => widget.id };
  const written = new Set(steps.map(({ widget }) => widget));
  let widgets: readonly WidgetResult[];
  try {
    widgets = await applyWidgets({ ctx, client, run, job, watch, place, written });
  } catch (error) {
    if (!(error instanceof RunEnded) || error.choice !== "undo") throw error;
    await undoDashboard(ctx, client, run, job.id);
    const undone: DashboardResult = { ...skipped(job), outcome: "undone", snapshot };
    throw new RunEnded("undo", [undone], error.cause);
  }
  const failures = widgets.filter(({ outcome }) => outcome === "failed");
  if (copy !== undefined && failures.length > 0) {
    await removeCopies(client, run, job, copy.dashboard);
    run.add({ dashboard: job.id, done: true });
    const why = `The copy was removed: ${failures[0]?.error ?? "a widget could not be written"}`;
    return { ...about, outcome: "failed", snapshot, error: why, widgets };
  }
  if (copy !== undefined) {
    await finishCopy(client, run, job, copy.dashboard);
    openSnapshots(ctx.env, () => ctx.clock.now()).noteCopy(snapshot, copy.dashboard);
  }
  run.add({ dashboard: job.id, done: true });
  const outcome = failures.length === 0 ? "migrated" : failures.length === todo.length ? "failed" : "partly";
  const label = job.newLabel === undefined ? {} : { copy_label: job.newLabel };
  const made = copy === undefined ? {} : { copy: copy.dashboard, ...label };
  return { ...about, outcome, snapshot, ...made, widgets };
}

interface WidgetWork {
  readonly ctx: CommandContext;
  readonly client: Resources;
  readonly run: RunLog;
  readonly job: DashboardJob;
  readonly watch: Watch;
  readonly place: WritePlace;
  readonly written: ReadonlySet<string | undefined>;
}

async function applyWidgets(work: WidgetWork): Promise<readonly WidgetResult[]> {
  const { ctx, job, watch, written } = work;
  const results: WidgetResult[] = [];
  for (const widget of job.widgets) {
    const ended = (choice: "stop" | "undo", cause?: unknown): RunEnded => {
      const rest = job.widgets.slice(results.length);
      const left = rest.map((each) => resultOf(each, each.action === "convert" ? "skipped" : restOutcome(each)));
      const about = { id: job.id, label: job.label, outcome: "partly" as const };
      return new RunEnded(choice, [{ ...about, widgets: [...results, ...left] }], cause);
    };
    if (shouldStop(ctx, watch)) throw ended("stop");
    const result = await applyWidget(work, widget, written.has(widget.id), ended);
    results.push(result);
    watch.widget?.(widget.label || widget.type, result.outcome);
  }
  return results;
}

async function applyWidget(
  work: WidgetWork,
  widget: WidgetJob,
  isDone: boolean,
  ended: (choice: "stop" | "undo", cause?: unknown) => RunEnded,
): Promise<WidgetResult> {
  const { run, job, watch } = work;
  if (widget.action !== "convert" || widget.after === undefined) return resultOf(widget, restOutcome(widget));
  if (isDone) return resultOf(widget, "converted");
  for (;;) {
    try {
      await writeWidget(work, widget, widget.after);
      run.add({ dashboard: job.id, widget: widget.id });
      return resultOf(widget, "converted");
    } catch (error) {
      const choice: FailureChoice =
        (await watch.failed?.(widget.label || widget.type, messageOf(error))) ?? unattended(error);
      if (choice === "stop" || choice === "undo") throw ended(choice, error);
      if (choice === "skip") return resultOf(widget, "failed", error);
    }
  }
}

// When the platform is out of reach every other widget would fail as well.
function unattended(error: unknown): FailureChoice {
  return error instanceof RequestError ? "stop" : "skip";
}

async function writeWidget({ client, place }: WidgetWork, widget: WidgetJob, after: JsonObject): Promise<void> {
  const { dashboard } = place;
  await replaceWidget(client, { dashboard, id: place.idOf(widget), before: widget.before, after });
}

function takeSnapshot(
  ctx: CommandContext,
  { target }: Pick<MigrationJob, "target">,
  { dashboard, widgets }: DashboardState,
): string {
  const snapshots = openSnapshots(ctx.env, () => ctx.clock.now());
  return snapshots.save({ reason: "dashboard migrate", dashboard, widgets }, target).id;
}

export function changedError(job: DashboardJob): Error {
  return conflictError(`Dashboard "${job.label}" changed since the plan was made.`, {
    code: "dashboard.changed",
    why: "Its widgets or its arrangement differ from the plan.",
    next: "Create the plan again.",
  });
}
