import { join } from "node:path";
import type { Resources } from "../../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import { copyLabel } from "../../../text/copy-label.ts";
import { shellWord } from "../../../text/shell-word.ts";
import { widthOf } from "../../../text/width.ts";
import type {
  DashboardEntry,
  EngineWatch,
  MigrationEngine,
  ScannedDashboard,
  UsedThing,
  WizardChoices,
  WizardReport,
} from "../../../tui/migration-wizard/engine.ts";
import { editText } from "../../kit/ask/editor.ts";
import type { CommandContext, Target } from "../../kit/context.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { userFolders } from "../../kit/settings/paths.ts";
import { noInterrupted } from "../../kit/state/interrupted.ts";
import { savePlanFile } from "../../kit/state/plan-file.ts";
import { openSnapshots } from "../../kit/state/snapshots.ts";
import { sideBySide } from "../../kit/widgets/diff.ts";
import { drawWidget } from "../../kit/widgets/drawing.ts";
import { addressOf } from "../address.ts";
import type { InterruptedRun } from "../runs.ts";
import { applyRun } from "./apply.ts";
import { askedOf, commandLine } from "./command-line.ts";
import { freeCopyLabels, readLabels } from "./copy-labels.ts";
import { openDrawing } from "./drawing-page.ts";
import { type EarlierCopy, findEarlierCopies, toCopies } from "./earlier-copies.ts";
import { createJob, type MigrationRun, migrationPlans, migrations } from "./job.ts";
import { groupedNotes } from "./lost-keys.ts";
import { createReport, migrationSummary } from "./report.ts";
import { planOptions, scanDashboards } from "./scan.ts";
import type { DashboardResult, MigrationJob, Scanned } from "./types.ts";
import { undoRun } from "./undo.ts";

const DEFAULT_NAME = copyLabel("%s");
const FOUND_ROWS = 50;

/** Everything the screen and the questions of a migration need, over the same parts as the command without them. */
export async function createMigrationEngine(ctx: CommandContext): Promise<MigrationEngine> {
  const target = await ctx.target();
  const client = await ctx.client();
  const scans = new Map<string, Scanned>();
  let copies: readonly EarlierCopy[] = [];
  let taken: ReadonlySet<string> = new Set();
  const interrupted = await migrations.interrupted(ctx);
  let run = interrupted;

  const known = (ids: readonly string[]): readonly Scanned[] => ids.flatMap((id) => scans.get(id) ?? []);

  const namerOf = (name: string): ((label: string) => string) =>
    name === DEFAULT_NAME ? freeCopyLabels(taken) : (label) => name.replaceAll("%s", label);

  function jobOf(choices: WizardChoices): MigrationJob {
    const { mode, name, excluded, edited, replace, ids } = choices;
    const replacedIds = new Map([...replace].map(([old, thing]) => [old, thing.id]));
    const decided = {
      mode: mode === "update" ? ("copy" as const) : mode,
      redirect: toCopies(mode === "update" ? copies : []),
      nameOf: namerOf(name),
      edited,
      replace: replacedIds,
    };
    const isExcluded = (_: string, { id }: { readonly id: string }): boolean => excluded.has(id);
    return createJob(known(ids), { ...decided, isExcluded }, target, ctx.clock.now());
  }

  async function applied(log: MigrationRun, watch: EngineWatch, command: string): Promise<WizardReport> {
    const { results, stop, wantsUndo } = await applyRun(ctx, log, watch);
    if (wantsUndo) await undoRun(ctx, log);
    else if (stop === undefined) log.journal.finish();
    const state = wantsUndo ? "undone" : stop === undefined ? "done" : "stopped";
    const shown = wantsUndo ? results.map((each) => ({ ...each, outcome: "undone" as const })) : results;
    return wizardReport({ ctx, run: log, target, results: shown, state, problem: stop?.cause, command });
  }

  return {
    where: await ctx.where(),
    ...((await ctx.gate.isOpen()) ? {} : { nameToType: target.envName }),
    giveName: (typed) => ctx.gate.answer(typed),
    defaultName: DEFAULT_NAME,
    ...(interrupted === undefined ? {} : { interrupted: interruptionOf(interrupted) }),
    dashboards: () => listDashboards(client),
    async scan(ids, onScanned) {
      const told = (scanned: Scanned): void => {
        scans.set(scanned.id, scanned);
        onScanned(shown(scanned));
      };
      for (const scanned of known(ids)) onScanned(shown(scanned));
      await scanDashboards(
        ctx,
        ids.filter((id) => !scans.has(id)),
        told,
      );
      return known(ids).map(shown);
    },
    used: (ids) => usedThings(client, ids),
    copyNames: (name, labels) => labels.map(namerOf(name)),
    async earlierCopies(ids) {
      taken = await readLabels(client);
      copies = (await findEarlierCopies(ctx, client, known(ids))).filter(({ isFitting }) => isFitting);
      return copies.map(({ original, id, label }) => ({ original, id, label }));
    },
    find: (kind, text) => findThings(client, kind, text),
    diff: sideBySide,
    draw: (widget, width) => drawWidget(widget, { ascii: ctx.flags.ascii, width, widthOf }),
    openDrawing: (widget, after) => openDrawing(ctx, widget, after),
    edit: (widget) => editWidget(ctx, widget),
    savePlan(path, choices) {
      savePlanFile(ctx.path(path), migrationPlans, jobOf(choices));
      return `iot dashboard migrate --apply ${shellWord(path)}`;
    },
    async apply(choices, watch) {
      const job = jobOf(choices);
      return migrations.begin(ctx, job, (begun) => {
        run = { ...begun, startedAt: job.createdAt, steps: 0 };
        return applied(begun, watch, commandOf(ctx, choices, job, begun.id));
      });
    },
    async resume(watch) {
      if (run === undefined) throw noInterrupted("migration");
      const command = commandLine(askedOf(run.job));
      return migrations.resume(ctx, run, (resumed) => applied(resumed, watch, command));
    },
    async undo() {
      if (run === undefined) throw noInterrupted("migration");
      return migrations.resume(ctx, run, (resumed) => undoRun(ctx, resumed));
    },
  };
}

const interruptionOf = ({ startedAt, steps, job }: InterruptedRun<MigrationJob>) => ({
  startedAt,
  steps,
  dashboards: job.dashboards.length,
});

const shown = ({ id, label, widgets }: Scanned): ScannedDashboard => ({ id, label, widgets });

async function listDashboards({ dashboards }: Resources): Promise<readonly DashboardEntry[]> {
  const found: DashboardEntry[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await dashboards.list({ fields: ["id", "label", "arrangement"], amount: ALL_ROWS_AMOUNT, page });
    found.push(...rows.map(({ id, label, arrangement = [] }) => ({ id, label, widgets: arrangement?.length ?? 0 })));
    if (rows.length < ALL_ROWS_AMOUNT) return found;
  }
}

async function usedThings({ dashboards }: Resources, ids: readonly string[]): Promise<readonly UsedThing[]> {
  const things = new Map<string, UsedThing>();
  for (const dashboard of ids) {
    for (const { id, name } of await dashboards.listDevicesRelated(dashboard))
      things.set(id, { kind: "device", id, name });
    for (const { id, name } of await dashboards.listAnalysisRelated(dashboard))
      things.set(id, { kind: "analysis", id, name });
  }
  return [...things.values()];
}

async function findThings(client: Resources, kind: UsedThing["kind"], text: string): Promise<readonly UsedThing[]> {
  const filter = text === "" ? {} : { name: `*${text}*` };
  const rows =
    kind === "device"
      ? await client.devices.list({ filter, fields: ["id", "name"], amount: FOUND_ROWS })
      : await client.analysis.list({ filter, fields: ["id", "name"], amount: FOUND_ROWS });
  return rows.map(({ id, name }) => ({ kind, id, name }));
}

async function editWidget(ctx: CommandContext, widget: JsonObject): ReturnType<MigrationEngine["edit"]> {
  const before = `${JSON.stringify(widget, undefined, 2)}\n`;
  const text = await editText(ctx.env, before, "widget.json");
  if (text === before) return { kind: "unchanged" };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { kind: "refused", problems: [`This is not valid JSON: ${messageOf(error)}`] };
  }
  if (!isObject(value)) return { kind: "refused", problems: ["A widget must be a JSON object."] };
  const { check } = await planOptions();
  const problems = check(value);
  if (problems.length > 0) return { kind: "refused", problems };
  // Which widget it is cannot be edited.
  return { kind: "edited", widget: { ...value, id: widget["id"], dashboard: widget["dashboard"] } };
}

// What flags cannot express is saved as a plan for the command that repeats the run.
function commandOf(ctx: CommandContext, choices: WizardChoices, job: MigrationJob, run: string): string {
  const { ids, mode, name, excluded, edited, replace } = choices;
  if (edited.size > 0) {
    const path = join(userFolders(ctx.env).state, "plans", `${run}.json`);
    savePlanFile(path, migrationPlans, job);
    return commandLine({ ids, mode, plan: path });
  }
  const maps = [...replace].map(([old, { kind, id }]) => [`map-${kind}`, `${old}=${id}`] as const);
  const left = [...excluded].map((id) => ["exclude-widget", id] as const);
  const named = mode !== "in-place" && name !== DEFAULT_NAME ? [["name", name] as const] : [];
  return commandLine({ ids, mode, flags: [...named, ...left, ...maps] });
}

interface ReportParts {
  readonly ctx: CommandContext;
  readonly run: MigrationRun;
  readonly target: Target;
  readonly results: readonly DashboardResult[];
  readonly state: WizardReport["state"];
  readonly problem: unknown;
  readonly command: string;
}

async function wizardReport({
  ctx,
  run,
  target,
  results,
  state,
  problem,
  command,
}: ReportParts): Promise<WizardReport> {
  const { job, id } = run;
  const nowMs = ctx.clock.now();
  const report = createReport({ run: id, job, isDryRun: false, results, startedAt: job.createdAt, nowMs, command });
  const snapshots = openSnapshots(ctx.env, () => ctx.clock.now());
  const { converted, unchanged, excluded, failed, skipped } = report.counts;
  return {
    state,
    summary: state === "undone" ? "The run was undone; the dashboards are restored." : migrationSummary(report),
    counts: Object.entries({ converted, unchanged, excluded, failed, "not reached": skipped }),
    dashboards: results.map((each) => ({
      label: each.copy_label ?? each.label,
      outcome: each.outcome,
      link: addressOf(target, each.copy ?? each.id),
      ...(each.error === undefined ? {} : { error: each.error }),
    })),
    notes: await groupedNotes(results),
    snapshots: results.flatMap(({ snapshot }) =>
      snapshot === undefined
        ? []
        : [`${snapshots.pathText(snapshot)} (iot dashboard rollback ${snapshot} restores it)`],
    ),
    command,
    ...(problem === undefined ? {} : { problem: messageOf(problem) }),
  };
}
