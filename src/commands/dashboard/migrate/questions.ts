import { countOf } from "../../../text/count.ts";
import { repeatedLabels } from "../../../text/equal-names.ts";
import type {
  DashboardEntry,
  EngineWatch,
  FailureChoice,
  MigrationEngine,
  ScannedDashboard,
  WizardChoices,
  WizardReport,
} from "../../../tui/migration-wizard/engine.ts";
import { createPlainPrompts, type PlainPrompts } from "../../kit/ask/plain-prompts.ts";
import { lentPrompts } from "../../kit/ask/terminal-lent.ts";
import type { Choice, CommandContext } from "../../kit/context.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { askForInterrupted } from "../../kit/state/interrupted.ts";
import { askTarget } from "./question-target.ts";

const verdictWords = {
  converts: "converts",
  notes: "converts, with losses",
  current: "already new",
  unsupported: "has no converter",
  invalid: "cannot be converted",
} as const;

const passing = '"iot dashboard migrate" changes';

/**
 * The wizard as a series of prompts, for screen readers and small windows.
 *
 * @returns the report, or undefined when the user left before anything was changed
 */
export async function askThrough(
  ctx: CommandContext,
  engine: MigrationEngine,
  chosen: readonly string[],
): Promise<WizardReport | undefined> {
  const plain = await createPlainPrompts(ctx);
  const prompts: PlainPrompts = { ...lentPrompts(plain, ctx.status), say: plain.say };
  const { say } = prompts;
  const watch = watchWith(ctx, prompts);
  say(`Migrate dashboards - ${engine.where}. Ctrl-C leaves; nothing changes before step 5.`);
  const { interrupted } = engine;
  if (interrupted !== undefined) {
    const choice = await askForInterrupted(prompts, interrupted, "migration");
    await ctx.gate.pass(passing);
    if (choice === "finish") return tell(prompts, await engine.resume(watch));
    say(`Undone: ${countOf(await engine.undo(), "dashboard")} restored.`);
  }
  const ids = chosen.length > 0 ? chosen : await choose(engine, prompts);
  if (ids.length === 0) return undefined;
  const scanned = await scan(engine, prompts, ids);
  const reviewed = await review(engine, prompts, scanned);
  if (reviewed === undefined) return undefined;
  const labels = scanned.map(({ label }) => label);
  const choices = await askTarget(engine, prompts, { ids, ...reviewed }, labels);
  if (choices === undefined) return undefined;
  await ctx.gate.pass(passing);
  say("Step 5 of 6: apply. A snapshot of each dashboard is saved first; Ctrl-C stops after the current request.");
  return afterwards(engine, prompts, await engine.apply(choices, watch));
}

async function choose(engine: MigrationEngine, { say, text, pick }: PlainPrompts): Promise<readonly string[]> {
  const listed = await engine.dashboards();
  say("Step 1 of 6: choose dashboards.");
  if (listed.length === 0) say("There are no dashboards.");
  const all = listed.length === 0 ? [] : await counted(engine, listed);
  while (all.length > 0) {
    const part = (await text("Part of the name, or empty to list all:")).toLowerCase();
    const found = all.filter(({ label }) => label.toLowerCase().includes(part));
    if (found.length > 0) return pick("Which dashboards?", found, true);
    say("No dashboard matches.");
  }
  return [];
}

/** Widgets that are read for the list; with more of them the list does without. */
const COUNT_UP_TO = 1_000;

/** The dashboards with how many widgets there are, and how many of them are legacy; those that have some first. */
async function counted(engine: MigrationEngine, all: readonly DashboardEntry[]): Promise<readonly Choice<string>[]> {
  const isSmall = all.reduce((sum, { widgets }) => sum + widgets, 0) <= COUNT_UP_TO;
  const ids = isSmall ? all.map(({ id }) => id) : [];
  const scanned = await engine.scan(ids, () => undefined);
  const legacy = new Map(
    scanned.map(({ id, widgets }) => [id, widgets.filter(({ verdict }) => isLegacy(verdict)).length]),
  );
  const repeated = repeatedLabels(all);
  const isFirst = ({ id }: DashboardEntry): number => Number((legacy.get(id) ?? 0) > 0);
  return [...all]
    .sort((a, b) => isFirst(b) - isFirst(a))
    .map(({ id, label, widgets }) => {
      const old = legacy.get(id);
      const words = `${countOf(widgets, "widget")}${repeated.has(label) ? `, id ${id}` : ""}`;
      return { label, value: id, hint: old === undefined ? words : `${words}, ${old} legacy` };
    });
}

const isLegacy = (verdict: keyof typeof verdictWords): boolean => verdict === "converts" || verdict === "notes";

async function scan(
  engine: MigrationEngine,
  { say }: PlainPrompts,
  ids: readonly string[],
): Promise<readonly ScannedDashboard[]> {
  say(`Step 2 of 6: scan. Reading ${countOf(ids.length, "dashboard")}.`);
  const scanned = await engine.scan(ids, () => undefined);
  const widgets = scanned.flatMap((each) => each.widgets);
  const parts = Object.entries(verdictWords).flatMap(([verdict, words]) => {
    const count = widgets.filter((widget) => widget.verdict === verdict).length;
    return count === 0 ? [] : [`${words}: ${count}`];
  });
  say(`${countOf(widgets.length, "widget")}. ${parts.join("; ")}.`);
  return scanned;
}

type Reviewed = Pick<WizardChoices, "excluded" | "edited">;
type Widget = ScannedDashboard["widgets"][number];

async function review(
  engine: MigrationEngine,
  { say, select, pick }: PlainPrompts,
  scanned: readonly ScannedDashboard[],
): Promise<Reviewed | undefined> {
  const excluded = new Set<string>();
  const edited = new Map<string, JsonObject>();
  const stateOf = ({ id, verdict }: Widget): string =>
    excluded.has(id) ? "excluded" : edited.has(id) ? "edited" : verdictWords[verdict];
  const listed = (): Choice<Widget>[] =>
    scanned.flatMap(({ label, widgets }) =>
      widgets.map((widget) => {
        const where = scanned.length > 1 ? `${label}: ` : "";
        const what = `${where}${widget.label || "(no name)"}, ${widget.type} to ${widget.newType}`;
        return { label: what, hint: stateOf(widget), value: widget };
      }),
    );
  say("Step 3 of 6: review.");
  for (;;) {
    const step = await select("What next?", [
      { label: "Continue", value: "continue" as const },
      { label: "Show a widget", value: "show" as const },
      { label: "Exclude widgets, or include them again", value: "exclude" as const },
      { label: "Edit a widget", value: "edit" as const },
      { label: "Leave", value: "leave" as const },
    ]);
    if (step === "leave") return undefined;
    if (step === "continue") return { excluded, edited };
    for (const widget of await pick("Which one?", listed(), step === "exclude")) {
      if (step === "show") say(detail(engine, widget, edited.get(widget.id)));
      else if (step === "edit") say(await edit(engine, widget, edited));
      else {
        if (!excluded.delete(widget.id)) excluded.add(widget.id);
        say(`${widget.label || widget.type}: ${stateOf(widget)}`);
      }
    }
  }
}

async function edit(engine: MigrationEngine, widget: Widget, edited: Map<string, JsonObject>): Promise<string> {
  const start = edited.get(widget.id) ?? widget.after;
  if (!isObject(start)) return "There is no new widget to edit.";
  try {
    const result = await engine.edit(start);
    if (result.kind === "unchanged") return "Nothing changed.";
    if (result.kind === "refused") return ["The edited widget is invalid:", ...result.problems].join("\n");
    edited.set(widget.id, result.widget);
    return "Using the edited widget.";
  } catch (error) {
    return messageOf(error);
  }
}

function detail(engine: MigrationEngine, widget: Widget, edited: JsonObject | undefined): string {
  const rows = widget.after === undefined ? [] : engine.diff(widget.before, edited ?? widget.after);
  const changes = rows
    .filter(({ isSame }) => !isSame)
    .flatMap((row) => [
      ...(row.old === undefined ? [] : [`old: ${row.old.trim()}`]),
      ...(row.new === undefined ? [] : [`new: ${row.new.trim()}`]),
    ]);
  const notes = widget.notes.map((note) => `note: ${note}`);
  return [widget.reason, ...notes, ...changes].join("\n");
}

const failureChoices: readonly Choice<FailureChoice>[] = [
  { label: "Retry", value: "retry" },
  { label: "Skip it", value: "skip" },
  { label: "Stop", value: "stop" },
  { label: "Undo everything", value: "undo" },
];

function watchWith({ signal }: CommandContext, { say, select }: PlainPrompts): EngineWatch {
  return {
    dashboard: (label, place, of) => say(`Dashboard ${place} of ${of}: ${label}`),
    widget: (label, outcome) => say(`${label}: ${outcome}`),
    isStopped: () => signal.aborted,
    failed: (label, message) => select(`${label} could not be written. ${message}`, failureChoices),
  };
}

async function afterwards(engine: MigrationEngine, prompts: PlainPrompts, report: WizardReport): Promise<WizardReport> {
  if (report.state !== "stopped") return tell(prompts, report);
  prompts.say(`The migration stopped early.${report.problem === undefined ? "" : ` ${report.problem}`}`);
  const isUndone = await prompts.select("Undo what was written?", [
    { label: "No", value: false },
    { label: "Yes", value: true },
  ]);
  if (!isUndone) return tell(prompts, report);
  const count = await engine.undo();
  return tell(prompts, { ...report, state: "undone", summary: `Undone: ${countOf(count, "dashboard")} restored.` });
}

function tell({ say }: PlainPrompts, report: WizardReport): WizardReport {
  say("Step 6 of 6: report.");
  for (const { label, outcome, link, error } of report.dashboards)
    say(`${label}: ${outcome}${error === undefined ? "" : `, ${error}`}\n  ${link}`);
  for (const note of report.notes) say(`note: ${note}`);
  return report;
}
