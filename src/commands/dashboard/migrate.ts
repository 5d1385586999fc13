import { countOf } from "../../text/count.ts";
import { shellWord } from "../../text/shell-word.ts";
import { defineCommand } from "../kit/command/define.ts";
import type { Input, Options, OptionsOf } from "../kit/command/options.ts";
import { value } from "../kit/command/result.ts";
import { isTyped } from "../kit/command/rules.ts";
import { parsePair, quote } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { readDashboard } from "../kit/dashboards/read.ts";
import { stoppedError, usageError } from "../kit/failures/command-error.ts";
import { checkNewFile } from "../kit/files/out-file.ts";
import { createProgress } from "../kit/say/progress.ts";
import { choiceForInterrupted, interruptedOptions, runTime } from "../kit/state/interrupted.ts";
import { loadPlanFile, savePlanFile } from "../kit/state/plan-file.ts";
import { planTarget, requireSameTarget } from "../kit/state/same-target.ts";
import { fingerprintOf, openSnapshots } from "../kit/state/snapshots.ts";
import { applyRun, changedError } from "./migrate/apply.ts";
import { askedOf, commandLine } from "./migrate/command-line.ts";
import { freeCopyLabels, readLabels } from "./migrate/copy-labels.ts";
import { findEarlierCopies, sayEarlierCopies, toCopies } from "./migrate/earlier-copies.ts";
import { createJob, type MigrationRun, migrationPlans, migrations } from "./migrate/job.ts";
import { lostText } from "./migrate/lost-keys.ts";
import {
  createReport,
  type MigrationReportFormat,
  migrationReports,
  migrationSummary,
  plannedResults,
  printReport,
  throwUnlessMigrated,
} from "./migrate/report.ts";
import { scanDashboards } from "./migrate/scan.ts";
import { migrateOnTerminal } from "./migrate/screen.ts";
import type { DashboardResult, MigrationJob, MigrationReport, Scanned } from "./migrate/types.ts";
import { undoRun } from "./migrate/undo.ts";
import { selectArguments, selectedDashboards, selectOptions } from "./selected.ts";

const options = [
  ...selectOptions,
  {
    name: "copy",
    summary: "write into a copy of each dashboard; the default",
    conflicts: ["update", "in-place"],
  },
  { name: "update", summary: "update the copy made by an earlier migration", conflicts: ["in-place"] },
  { name: "in-place", summary: "overwrite the widgets of the dashboards" },
  {
    name: "name",
    value: "text",
    summary: "label of the copy; %s is the old label",
    conflicts: { flags: ["in-place"], why: "--name is the label of a copy." },
  },
  {
    name: "widget-type",
    formerly: ["only"],
    value: "type",
    summary: "only widgets of this type, old or new",
    repeat: true,
  },
  { name: "exclude-widget", formerly: ["exclude"], value: "id", summary: "do not migrate this widget", repeat: true },
  { name: "map-device", value: "old=new", summary: "replace a device in the new widgets", repeat: true },
  { name: "map-analysis", value: "old=new", summary: "replace an analysis in the new widgets", repeat: true },
  {
    name: "save-plan",
    formerly: ["plan"],
    file: "out",
    value: "file",
    summary: "save a migration plan to a file and change nothing",
  },
  { name: "apply", file: "in", value: "file", summary: "apply a saved plan; exit 7 if a dashboard changed since" },
  {
    name: "report-format",
    formerly: ["report"],
    value: "format",
    summary: "print the full report",
    choices: migrationReports,
  },
  ...interruptedOptions,
] as const satisfies Options;

type Given = Input<typeof selectArguments, typeof options>;
type Flags = OptionsOf<typeof options>;

export const migrateDashboards = defineCommand({
  path: ["migrate"],
  result: value({ type: "object", required: ["mode", "dry_run", "counts", "dashboards", "command"] }),
  // The wizard asks for the name of a protected environment itself, before it writes.
  effect: {
    most: "changes",
    of: (input, ctx) => (isUndecided(ctx, input) || input.options.savePlan !== undefined ? "local" : "changes"),
  },
  summary: "Migrate legacy dashboards to the new widget structure",
  details:
    "On a terminal it opens a wizard; with flags it runs without one. A snapshot of each dashboard " +
    "is taken before it is changed (see iot dashboard rollback). Widgets are written to copies, unless you add --in-place. " +
    "Resume an interrupted run with --resume, or revert it with --undo.",
  args: selectArguments,
  options,
  groups: ["confirm", "dryRun"],
  examples: [
    'iot dashboard migrate "name:Plant, old widgets" --dry-run',
    "iot dashboard migrate --all --in-place --yes --report-format json",
    'iot dashboard migrate "name:Plant, old widgets" --save-plan plan.json',
  ],
  exitCodes: { only: [3, 6, 7, 8] },
  related: ["iot dashboard rollback", "iot dashboard snapshot list", "iot widget convert"],
  run: migrate,
});

async function migrate(ctx: CommandContext, input: Given): Promise<number | undefined> {
  if (isUndecided(ctx, input)) return migrateOnTerminal(ctx, input.args.id);
  const { savePlan, resume, undo, reportFormat } = input.options;
  if (savePlan !== undefined) checkNewFile(ctx, ctx.path(savePlan));
  const finished = await settleInterrupted(ctx, input);
  if (finished !== undefined && (resume || undo)) {
    return finished.report === undefined ? 0 : conclude(ctx, finished.report, finished.job, reportFormat);
  }
  const job = without(await planFor(ctx, input), finished?.job);
  const target = await ctx.target();
  requireSameTarget(planTarget, job.target, target);
  if (savePlan !== undefined) {
    savePlanFile(ctx.path(savePlan), migrationPlans, job);
    ctx.say.info(`Plan saved; nothing changed. Apply it with: iot dashboard migrate --apply ${shellWord(savePlan)}`);
  }
  if (savePlan !== undefined || ctx.flags.dryRun) {
    const results = plannedResults(job);
    return conclude(ctx, reportOf(ctx, { id: "", job }, results, input, true), job, reportFormat);
  }
  await askFor(ctx, job);
  return migrations.begin(ctx, job, async (run) => {
    const results = [...(finished?.report?.dashboards ?? []), ...(await applied(ctx, run))];
    const dashboards = [...(finished?.job.dashboards ?? []), ...job.dashboards];
    return conclude(ctx, reportOf(ctx, run, results, input, false), { ...job, dashboards }, reportFormat);
  });
}

/** True when a terminal is there to ask, and no flag has decided what is to be done. */
function isUndecided({ canPrompt, io, flags, user }: CommandContext, { texts = {} }: Given): boolean {
  const { yes, dryRun, jq, template, fields, confirm } = flags;
  const isFormatted = user.settings.get("output")?.origin === "flag";
  const isPrinting = isFormatted || [jq, template, fields, confirm].some((flag) => flag !== undefined);
  if (!canPrompt || !io.stdoutIsTerminal || yes || dryRun || isPrinting) return false;
  return !options.some(({ name }) => isTyped(name, texts));
}

async function planFor(ctx: CommandContext, input: Given): Promise<MigrationJob> {
  const { apply: file, update, inPlace, name, widgetType, excludeWidget, mapDevice, mapAnalysis } = input.options;
  if (file !== undefined) {
    const job = await loadPlanFile<MigrationJob>(ctx, file, migrationPlans);
    requireSameTarget(planTarget, job.target, await ctx.target());
    if (!ctx.flags.dryRun) await requireUnchanged(ctx, job);
    return job;
  }
  const ids = await selectedDashboards(ctx, input);
  const progress = createProgress(ctx, ["Reading", "dashboards"]);
  let done = 0;
  let scanned: readonly Scanned[];
  try {
    scanned = await scanDashboards(ctx, ids, () => {
      done += 1;
      progress.at(done, ids.length);
    });
  } finally {
    progress.end();
  }
  const only = new Set(widgetType);
  const excluded = new Set(excludeWidget);
  const client = await ctx.client();
  const copies = inPlace ? [] : await findEarlierCopies(ctx, client, scanned);
  const taken = inPlace || name !== undefined ? [] : await readLabels(client);
  const job = createJob(
    scanned,
    {
      mode: inPlace ? "in-place" : "copy",
      redirect: toCopies(update ? copies : []),
      isNamed: input.args.id.length > 0,
      nameOf: name === undefined ? freeCopyLabels(taken) : (label) => name.replaceAll("%s", label),
      isExcluded: (_, { id, type, newType }) =>
        excluded.has(id) ||
        (only.size > 0 && ![type, type.split("/")[0] ?? "", newType].some((each) => only.has(each))),
      replace: new Map([...mapped(mapDevice, "--map-device"), ...mapped(mapAnalysis, "--map-analysis")]),
    },
    await ctx.target(),
    ctx.clock.now(),
  );
  sayEarlierCopies(ctx, job, copies, update);
  return job;
}

const fullId = /^[0-9a-f]{24}$/i;

function mapped(texts: readonly string[], flag: string): (readonly [string, string])[] {
  return texts.map((text) => {
    const { key, value } = parsePair(text, flag);
    if (!fullId.test(key) || !fullId.test(value ?? "")) {
      throw usageError(`Invalid value ${quote(text)} for ${flag}: not in the form old=new.`, {
        next: "Give the old id, an equals sign, and the new id.",
      });
    }
    return [key, value ?? ""];
  });
}

// Nothing is written when one dashboard of a saved plan is not what it was.
async function requireUnchanged(ctx: CommandContext, job: MigrationJob): Promise<void> {
  const client = await ctx.client();
  for (const each of job.dashboards) {
    const { dashboard, widgets } = await readDashboard(client, each.id);
    if (fingerprintOf(dashboard, widgets) !== each.fingerprint) throw changedError(each);
  }
}

function without(job: MigrationJob, finished: MigrationJob | undefined): MigrationJob {
  const done = new Set(finished?.dashboards.map(({ id, original }) => original ?? id));
  return { ...job, dashboards: job.dashboards.filter(({ id, original }) => !done.has(original ?? id)) };
}

async function askFor(ctx: CommandContext, job: MigrationJob): Promise<void> {
  const concerned = job.dashboards.filter(
    ({ newLabel, widgets }) => newLabel === undefined && widgets.some(({ action }) => action === "convert"),
  );
  if (concerned.length === 0) return;
  const count = concerned.flatMap(({ widgets }) => widgets.filter(({ action }) => action === "convert")).length;
  const { envName, label } = await ctx.target();
  const [one, ...others] = concerned;
  const what = others.length === 0 ? `dashboard "${one?.label ?? ""}"` : countOf(concerned.length, "dashboard");
  await ctx.confirm({
    level: 1,
    action: `Overwrite ${countOf(count, "widget")} of ${what}`,
    name: envName === "" ? label : envName,
    items: concerned.map((each) => each.label),
  });
}

interface Finished {
  readonly job: MigrationJob;
  /** Absent when the run was undone. */
  readonly report?: MigrationReport;
}

/** Finishes or undoes what an earlier run has left, as the user chooses. */
async function settleInterrupted(ctx: CommandContext, input: Given): Promise<Finished | undefined> {
  const run = await migrations.interrupted(ctx);
  const choice = await choiceForInterrupted(ctx, input.options, run, "migration");
  if (run === undefined || choice === undefined) return undefined;
  // With --save-plan nothing was asked for: a plan alone changes nothing.
  await ctx.gate.pass('"iot dashboard migrate" changes');
  if (choice === "undo") {
    const count = await migrations.resume(ctx, run, (resumed) => undoRun(ctx, resumed));
    ctx.say.info(`Undid the migration of ${runTime(run)}: restored ${countOf(count, "dashboard")}.`);
    return { job: { ...run.job, dashboards: [] } };
  }
  ctx.say.info(`Finishing the migration of ${runTime(run)}.`);
  const results = await migrations.resume(ctx, run, (resumed) => applied(ctx, resumed));
  return { job: run.job, report: reportOf(ctx, run, results, input, false) };
}

/** Applies a run with a line of progress. What ends it early leaves the run to be resumed. */
async function applied(ctx: CommandContext, run: MigrationRun): Promise<readonly DashboardResult[]> {
  const total = run.job.dashboards.flatMap(({ widgets }) => widgets).length;
  const progress = createProgress(ctx, ["Migrating", "widgets"]);
  let done = 0;
  const { results, stop } = await applyRun(ctx, run, {
    widget: () => {
      done += 1;
      progress.at(done, total);
    },
  }).finally(() => progress.end());
  if (stop !== undefined) {
    ctx.say.hint('"iot dashboard migrate --resume" resumes this run; --undo reverts it.');
    throw stop.cause ?? stoppedError("Stopped during the migration.");
  }
  run.journal.finish();
  return results;
}

function reportOf(
  ctx: CommandContext,
  { id: run, job }: Pick<MigrationRun, "id" | "job">,
  results: readonly DashboardResult[],
  { options: given }: Given,
  isDryRun: boolean,
): MigrationReport {
  const nowMs = ctx.clock.now();
  const asked = askedOf(job);
  const tags = given.tag.map(({ key, value }) => `--tag ${shellWord(value === undefined ? key : `${key}=${value}`)}`);
  const command = commandLine({
    mode: asked.mode,
    ids: given.all ? ["--all"] : tags.length > 0 ? tags : asked.ids,
    plan: given.apply,
    flags: valuesOf(given),
  });
  return createReport({ run, job, isDryRun, results, startedAt: job.createdAt, nowMs, command });
}

/** The flags with values that make a plan, for the command line that repeats it. */
const valuesOf = ({ name, widgetType, excludeWidget, mapDevice, mapAnalysis }: Flags) =>
  Object.entries({
    name: name === undefined ? [] : [name],
    "widget-type": widgetType,
    "exclude-widget": excludeWidget,
    "map-device": mapDevice,
    "map-analysis": mapAnalysis,
  }).flatMap(([flag, values]) => values.map((value) => [flag, value] as const));

async function conclude(
  ctx: CommandContext,
  report: MigrationReport,
  job: MigrationJob,
  format: MigrationReportFormat | undefined,
): Promise<number | undefined> {
  await printReport(ctx, report, job, format);
  ctx.say.info(migrationSummary(report));
  const lost = await lostText(report.dashboards);
  if (lost !== "") ctx.say.info(lost);
  const snapshots = openSnapshots(ctx.env, () => ctx.clock.now());
  const [first, ...others] = report.dashboards.flatMap(({ snapshot }) => snapshot ?? []);
  if (first !== undefined) {
    const more = others.length === 0 ? "" : ` and ${others.length} more`;
    ctx.say.info(`Snapshot ${snapshots.pathText(first)}${more}; iot dashboard rollback ${first} restores it.`);
  }
  throwUnlessMigrated(report.dashboards.map((each) => ({ ...each, error: each.error ?? firstError(each.widgets) })));
  return undefined;
}

function firstError(widgets: DashboardResult["widgets"]): string {
  return widgets.find(({ error }) => error !== undefined)?.error ?? "some widgets could not be written";
}
