import { join } from "node:path";
import type { Resources } from "../../../index.ts";
import { ALL_ROWS_AMOUNT } from "../../../lib/core/limits.ts";
import type { PlannedWidget } from "../../../lib/widgets/plan.ts";
import { copyLabel } from "../../../text/copy-label.ts";
import { shellWord } from "../../../text/shell-word.ts";
import { widthOf } from "../../../text/width.ts";
import type {
  CopyEntry,
  DashboardEntry,
  EditResult,
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
  return new WizardEngine(ctx, {
    target: await ctx.target(),
    client: await ctx.client(),
    interrupted: await migrations.interrupted(ctx),
    where: await ctx.where(),
    isOpen: await ctx.gate.isOpen(),
  });
}

interface EnginePlace {
  readonly target: Target;
  readonly client: Resources;
  readonly interrupted: InterruptedRun<MigrationJob> | undefined;
  readonly where: string;
  /** Whether the environment may be written to without its name. */
  readonly isOpen: boolean;
}

class WizardEngine implements MigrationEngine {
  readonly where: string;
  readonly nameToType?: string;
  readonly defaultName = DEFAULT_NAME;
  readonly interrupted?: ReturnType<typeof interruptionOf>;
  readonly diff = sideBySide;
  readonly #ctx: CommandContext;
  readonly #target: Target;
  readonly #client: Resources;
  readonly #scans = new Map<string, Scanned>();
  #copies: readonly EarlierCopy[] = [];
  #taken: ReadonlySet<string> = new Set();
  #run: InterruptedRun<MigrationJob> | undefined;

  constructor(ctx: CommandContext, { target, client, interrupted, where, isOpen }: EnginePlace) {
    this.where = where;
    if (!isOpen) this.nameToType = target.envName;
    if (interrupted !== undefined) this.interrupted = interruptionOf(interrupted);
    this.#ctx = ctx;
    this.#target = target;
    this.#client = client;
    this.#run = interrupted;
  }

  giveName(typed: string): Promise<void> {
    return this.#ctx.gate.answer(typed);
  }

  dashboards(): Promise<readonly DashboardEntry[]> {
    return listDashboards(this.#client);
  }

  async scan(
    ids: readonly string[],
    onScanned: (scanned: ScannedDashboard) => void,
  ): Promise<readonly ScannedDashboard[]> {
    const told = (scanned: Scanned): void => {
      this.#scans.set(scanned.id, scanned);
      onScanned(shown(scanned));
    };
    for (const scanned of this.#known(ids)) onScanned(shown(scanned));
    await scanDashboards(
      this.#ctx,
      ids.filter((id) => !this.#scans.has(id)),
      told,
    );
    return this.#known(ids).map(shown);
  }

  used(ids: readonly string[]): Promise<readonly UsedThing[]> {
    return usedThings(this.#client, ids);
  }

  copyNames(name: string, labels: readonly string[]): readonly string[] {
    return labels.map(this.#namerOf(name));
  }

  async earlierCopies(ids: readonly string[]): Promise<readonly CopyEntry[]> {
    this.#taken = await readLabels(this.#client);
    const found = await findEarlierCopies(this.#ctx, this.#client, this.#known(ids));
    this.#copies = found.filter(({ isFitting }) => isFitting);
    return this.#copies.map(({ original, id, label }) => ({ original, id, label }));
  }

  find(kind: UsedThing["kind"], text: string): Promise<readonly UsedThing[]> {
    return findThings(this.#client, kind, text);
  }

  draw(widget: unknown, width: number): readonly string[] {
    return drawWidget(widget, { ascii: this.#ctx.flags.ascii, width, widthOf });
  }

  openDrawing(widget: PlannedWidget, after: unknown): Promise<string> {
    return openDrawing(this.#ctx, widget, after);
  }

  edit(widget: JsonObject): Promise<EditResult> {
    return editWidget(this.#ctx, widget);
  }

  savePlan(path: string, choices: WizardChoices): string {
    savePlanFile(this.#ctx.path(path), migrationPlans, this.#jobOf(choices));
    return `iot dashboard migrate --apply ${shellWord(path)}`;
  }

  async apply(choices: WizardChoices, watch: EngineWatch): Promise<WizardReport> {
    const job = this.#jobOf(choices);
    return migrations.begin(this.#ctx, job, (begun) => {
      this.#run = { ...begun, startedAt: job.createdAt, steps: 0 };
      return this.#applied(begun, watch, commandOf(this.#ctx, choices, job, begun.id));
    });
  }

  async resume(watch: EngineWatch): Promise<WizardReport> {
    if (this.#run === undefined) throw noInterrupted("migration");
    const command = commandLine(askedOf(this.#run.job));
    return migrations.resume(this.#ctx, this.#run, (resumed) => this.#applied(resumed, watch, command));
  }

  async undo(): Promise<number> {
    if (this.#run === undefined) throw noInterrupted("migration");
    return migrations.resume(this.#ctx, this.#run, (resumed) => undoRun(this.#ctx, resumed));
  }

  #known(ids: readonly string[]): readonly Scanned[] {
    return ids.flatMap((id) => this.#scans.get(id) ?? []);
  }

  #namerOf(name: string): (label: string) => string {
    return name === DEFAULT_NAME ? freeCopyLabels(this.#taken) : (label) => name.replaceAll("%s", label);
  }

  #jobOf(choices: WizardChoices): MigrationJob {
    const { mode, name, excluded, edited, replace, ids } = choices;
    const replacedIds = new Map([...replace].map(([old, thing]) => [old, thing.id]));
    const decided = {
      mode: mode === "update" ? ("copy" as const) : mode,
      redirect: toCopies(mode === "update" ? this.#copies : []),
      nameOf: this.#namerOf(name),
      edited,
      replace: replacedIds,
    };
    const isExcluded = (_: string, { id }: { readonly id: string }): boolean => excluded.has(id);
    return createJob(this.#known(ids), { ...decided, isExcluded }, this.#target, this.#ctx.clock.now());
  }

  async #applied(log: MigrationRun, watch: EngineWatch, command: string): Promise<WizardReport> {
    const { results, stop, wantsUndo } = await applyRun(this.#ctx, log, watch);
    if (wantsUndo) await undoRun(this.#ctx, log);
    else if (stop === undefined) log.journal.finish();
    const state = wantsUndo ? "undone" : stop === undefined ? "done" : "stopped";
    const shown = wantsUndo ? results.map((each) => ({ ...each, outcome: "undone" as const })) : results;
    const about = { ctx: this.#ctx, run: log, target: this.#target };
    return wizardReport({ ...about, results: shown, state, problem: stop?.cause, command });
  }
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
