import type { Resources } from "../../../index.ts";
import { RequestError } from "../../../lib/core/errors.ts";
import type { EngineWatch, FailureChoice } from "../../../tui/migration-wizard/engine.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { readDashboard } from "../../kit/dashboards/read.ts";
import { replaceWidget } from "../../kit/dashboards/replace.ts";
import { conflictError, isStop, stoppedError } from "../../kit/failures/command-error.ts";
import { failureOf } from "../../kit/jobs/failure.ts";
import type { JobNotes } from "../../kit/jobs/job.ts";
import { type RunEnd, runItems } from "../../kit/jobs/run-items.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { fingerprintOf, openSnapshots } from "../../kit/state/snapshots.ts";
import { finishCopy, openCopy, removeCopies, widgetNote } from "./copy.ts";
import type { MigrationRun } from "./job.ts";
import type { DashboardJob, DashboardResult, WidgetJob, WidgetResult, WritePlace } from "./types.ts";

/** Called with every step of a run, and asked about failures; the default is `skip`. */
type Watch = Partial<EngineWatch>;

/** How a run ended. */
interface MigrationEnd {
  /** Of every dashboard, in the order of the plan. */
  readonly results: readonly DashboardResult[];
  /** What ended it early: Ctrl-C or the user, or a failure that the rest would meet as well. */
  readonly stop?: RunEnd["stop"];
  /** Whether the user wants it undone. */
  readonly wantsUndo: boolean;
}

/** Everything the work on one dashboard needs. */
interface Work {
  readonly ctx: CommandContext;
  readonly client: Resources;
  readonly run: MigrationRun;
  readonly job: DashboardJob;
  readonly notes: JobNotes;
  readonly attendance: Attendance;
  /** What became of its widgets so far. */
  readonly widgets: WidgetResult[];
}

/**
 * Carries out the plan of a run, or the rest of it, `--concurrency` dashboards at a time. A snapshot of each goes first;
 * every finished step is in the journal before the next begins, so a run that was killed can be resumed: each widget is
 * written once, and one that somebody else changed meanwhile is left alone.
 */
export async function applyRun(ctx: CommandContext, run: MigrationRun, watch: Watch = {}): Promise<MigrationEnd> {
  const client = await batchClient(ctx);
  const { dashboards } = run.job;
  const attendance = new Attendance(ctx, watch);
  const begun = new Map<string, WidgetResult[]>();
  const ended = new Map<string, DashboardResult>();
  const { stop } = await runItems<DashboardJob, DashboardResult>(ctx, run.journal, {
    phases: () => [dashboards.map((job) => ({ id: job.id, args: job }))],
    async run({ id, args: job }, notes) {
      attendance.throwIfStopped();
      watch.dashboard?.(job.label, dashboards.indexOf(job) + 1, dashboards.length);
      const widgets: WidgetResult[] = [];
      begun.set(id, widgets);
      return applyDashboard({ ctx, client, run, job, notes, attendance, widgets });
    },
    ended({ id, args: job }, result, isBefore) {
      const failed = (cause: unknown): DashboardResult => ({
        ...untouched(job),
        outcome: "failed",
        error: messageOf(cause),
      });
      const row = "row" in result ? result.row : failed(result.cause);
      ended.set(id, row);
      if (isBefore) for (const widget of row.widgets) attendance.widget(widget);
    },
    isFatal: (error) => attendance.isEndedBy(error),
    isWhole: ({ outcome }) => outcome === "migrated" || outcome === "unchanged",
  });
  const results = dashboards.map((job) => ended.get(job.id) ?? untouched(job, begun.get(job.id)));
  return { results, wantsUndo: attendance.wantsUndo, ...(stop === undefined ? {} : { stop: shown(stop) }) };
}

/** Out of reach, without a token or stopped: every other widget would fail as well. */
const endsRun = (error: unknown): boolean => error instanceof RequestError || failureOf(error) === "process";

const shown = (stop: NonNullable<RunEnd["stop"]>): RunEnd["stop"] => (isStop(stop.cause) ? {} : stop);

/** The user of a run, who follows it and is asked about one failure at a time, and about none once the run ends. */
class Attendance {
  readonly #ctx: CommandContext;
  readonly #watch: Watch;
  #last: Promise<unknown> = Promise.resolve();
  #isOver = false;
  wantsUndo = false;

  constructor(ctx: CommandContext, watch: Watch) {
    this.#ctx = ctx;
    this.#watch = watch;
  }

  isEndedBy(error: unknown): boolean {
    this.#isOver ||= endsRun(error);
    return this.#isOver;
  }

  throwIfStopped(): void {
    if (this.#isOver || this.#ctx.signal.aborted || this.#watch.isStopped?.() === true)
      throw stoppedError("Stopped during the migration.");
  }

  widget({ label, type, outcome }: WidgetResult): void {
    this.#watch.widget?.(label || type, outcome);
  }

  /** Whether a widget that failed is to be written again; throws what ends the run. */
  async isRetried({ label, type }: WidgetJob, error: unknown): Promise<boolean> {
    const ask = (): Promise<FailureChoice> | FailureChoice => this.#choose(label || type, error);
    const answer = this.#last.then(ask, ask);
    this.#last = answer;
    const choice = await answer;
    if (choice === "stop" || choice === "undo") throw error;
    return choice === "retry";
  }

  async #choose(label: string, error: unknown): Promise<FailureChoice> {
    if (this.#isOver) return "stop";
    const choice = (await this.#watch.failed?.(label, messageOf(error))) ?? (endsRun(error) ? "stop" : "skip");
    this.#isOver = choice === "stop" || choice === "undo";
    this.wantsUndo = choice === "undo";
    return choice;
  }
}

/** A dashboard that the run did not finish. @param widgets what became of its widgets, if it was begun */
function untouched(job: DashboardJob, widgets?: readonly WidgetResult[]): DashboardResult {
  const { id, label } = job;
  const rest = job.widgets.slice(widgets?.length ?? 0).map((widget) => resultOf(widget, "skipped"));
  return { id, label, outcome: widgets === undefined ? "skipped" : "partly", widgets: [...(widgets ?? []), ...rest] };
}

/** @param outcome of one that is to be converted */
export function resultOf(job: WidgetJob, outcome: WidgetResult["outcome"], error?: unknown): WidgetResult {
  const { id, label, type, newType, verdict, reason, notes, action } = job;
  const rest = action === "exclude" ? "excluded" : "unchanged";
  const about = { id, label, type, new_type: newType, verdict, reason, notes };
  const result: WidgetResult = { ...about, outcome: action === "convert" ? outcome : rest };
  return error === undefined ? result : { ...result, error: messageOf(error) };
}

/** Carries out the plan for one dashboard, or the rest of it. */
async function applyDashboard(work: Work): Promise<DashboardResult> {
  const { ctx, client, run, job, notes, widgets } = work;
  const { newLabel } = job;
  const todo = job.widgets.filter(({ action }) => action === "convert");
  if (newLabel === undefined && todo.length === 0) return { ...untouched(job), outcome: "unchanged" };
  if (notes.of("snapshot") === undefined) {
    const { dashboard, widgets: old } = await readDashboard(client, job.id);
    if (fingerprintOf(dashboard, old) !== job.fingerprint)
      return { ...untouched(job), outcome: "changed", error: changedError(job).message };
    const state = { reason: "dashboard migrate", dashboard, widgets: old };
    await notes.add("snapshot", openSnapshots(ctx.env, () => ctx.clock.now()).save(state, run.job.target).id);
  }
  const snapshot = notes.of("snapshot") ?? "";
  const copy = newLabel === undefined ? undefined : await openCopy(client, run, job, notes);
  await applyWidgets(work, copy ?? { dashboard: job.id, idOf: ({ id }) => id });
  const about = { id: job.id, label: job.label, snapshot, widgets };
  const failures = widgets.filter(({ outcome }) => outcome === "failed");
  if (copy === undefined || newLabel === undefined) {
    const outcome = failures.length === 0 ? "migrated" : failures.length === todo.length ? "failed" : "partly";
    return { ...about, outcome };
  }
  if (failures.length > 0) {
    await removeCopies(client, run, job, copy.dashboard);
    const why = `The copy was removed: ${failures[0]?.error ?? "a widget could not be written"}`;
    return { ...about, outcome: "failed", error: why };
  }
  await finishCopy(client, run, job, copy.dashboard);
  openSnapshots(ctx.env, () => ctx.clock.now()).noteCopy(snapshot, copy.dashboard);
  return { ...about, outcome: "migrated", copy: copy.dashboard, copy_label: newLabel };
}

async function applyWidgets(work: Work, place: WritePlace): Promise<void> {
  for (const widget of work.job.widgets) {
    work.attendance.throwIfStopped();
    const result = await applyWidget(work, place, widget);
    work.widgets.push(result);
    work.attendance.widget(result);
  }
}

async function applyWidget({ client, notes, attendance }: Work, place: WritePlace, widget: WidgetJob) {
  const { id, before, after } = widget;
  const note = widgetNote(id);
  if (after === undefined || notes.of(note) !== undefined) return resultOf(widget, "converted");
  for (;;) {
    try {
      await replaceWidget(client, { dashboard: place.dashboard, id: place.idOf(widget), before, after });
      break;
    } catch (error) {
      if (!(await attendance.isRetried(widget, error))) return resultOf(widget, "failed", error);
    }
  }
  await notes.add(note, "");
  return resultOf(widget, "converted");
}

export function changedError(job: DashboardJob): Error {
  return conflictError(`Dashboard "${job.label}" changed since the plan was made.`, {
    code: "dashboard.changed",
    why: "Its widgets or its arrangement differ from the plan.",
    next: "Create the plan again.",
  });
}
