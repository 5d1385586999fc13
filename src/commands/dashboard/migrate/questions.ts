import { countOf } from "../../../text/count.ts";
import type {
  DashboardEntry,
  EngineWatch,
  FailureChoice,
  MigrationEngine,
  ScannedDashboard,
  WizardChoices,
  WizardReport,
} from "../../../tui/migration-wizard/engine.ts";
import type { Dialogue } from "../../kit/ask/dialogue.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { isLeaving, isNamed, numbersIn } from "./answers.ts";
import { askTarget } from "./question-target.ts";

const verdictWords = {
  converts: "converts",
  notes: "converts, with notes",
  current: "already new",
  unsupported: "has no converter",
  invalid: "cannot be converted",
} as const;

/**
 * The wizard as questions and answers, for screen readers and small windows.
 *
 * @returns the report, or undefined when the user left before anything was changed
 */
export async function askThrough(
  engine: MigrationEngine,
  dialogue: Dialogue,
  chosen: readonly string[],
  isStopped: () => boolean,
): Promise<WizardReport | undefined> {
  const { say } = dialogue;
  const watch = watchWith(dialogue, isStopped);
  say(`Migrate dashboards - ${engine.where}. Press Enter to continue, q to quit; nothing changes before step 5.`);
  const settled = await settle(engine, dialogue, watch);
  if (settled !== "go on") return settled;
  const ids = chosen.length > 0 ? chosen : await choose(engine, dialogue);
  if (ids === undefined) return undefined;
  const scanned = await scan(engine, dialogue, ids);
  const reviewed = await review(engine, dialogue, scanned);
  if (reviewed === undefined) return undefined;
  const choices = await askTarget(
    engine,
    dialogue,
    { ids, ...reviewed },
    scanned.map(({ label }) => label),
  );
  if (choices === undefined) return undefined;
  say("Step 5 of 6: apply. A snapshot of each dashboard is saved first; Ctrl-C stops after the current request.");
  return afterwards(engine, dialogue, await engine.apply(choices, watch));
}

async function settle(
  engine: MigrationEngine,
  dialogue: Dialogue,
  watch: EngineWatch,
): Promise<WizardReport | undefined | "go on"> {
  const { interrupted } = engine;
  if (interrupted === undefined) return "go on";
  dialogue.say(`A migration of ${interrupted.startedAt.slice(0, 19).replace("T", " ")} was interrupted.`);
  dialogue.say("1. Finish it\n2. Undo it\n3. Leave it and quit");
  for (;;) {
    const answer = await dialogue.ask("Which one?");
    if (answer === "3" || isLeaving(answer)) return undefined;
    if (answer !== "1" && answer !== "2") {
      dialogue.say("Type 1, 2 or 3.");
      continue;
    }
    if (!(await isNamed(engine, dialogue))) return undefined;
    if (answer === "1") return tell(dialogue, await engine.resume(watch));
    dialogue.say(`Undone: ${countOf(await engine.undo(), "dashboard")} restored.`);
    return "go on";
  }
}

async function choose(engine: MigrationEngine, { say, ask }: Dialogue): Promise<readonly string[] | undefined> {
  const listed = await engine.dashboards();
  say("Step 1 of 6: choose dashboards.");
  if (listed.length === 0) {
    say("There are no dashboards.");
    return undefined;
  }
  const all = await counted(engine, listed);
  let shown = all;
  for (;;) {
    say(shown.map(({ label, counts }, i) => `${i + 1}. ${label} (${counts})`).join("\n"));
    const answer = await ask('Numbers ("1 3-5"), a for all of these, /text to search, q to quit:');
    if (isLeaving(answer)) return undefined;
    if (answer.startsWith("/")) {
      const found = withText(all, answer.slice(1));
      if (found.length === 0) say("No dashboard matches.");
      shown = found.length === 0 ? all : found;
      continue;
    }
    const picked = answer === "a" ? shown : numbersIn(answer, shown.length).flatMap((i) => shown[i] ?? []);
    if (picked.length > 0) return picked.map(({ id }) => id);
    say("Choose at least one dashboard.");
  }
}

interface CountedEntry extends DashboardEntry {
  /** How many widgets there are, and how many of them are legacy. */
  readonly counts: string;
}

/** Widgets that are read for the list; with more of them the list does without. */
const COUNT_UP_TO = 1_000;

/** The dashboards with their legacy widgets, those that have some first. */
async function counted(engine: MigrationEngine, all: readonly DashboardEntry[]): Promise<readonly CountedEntry[]> {
  const isSmall = all.reduce((sum, { widgets }) => sum + widgets, 0) <= COUNT_UP_TO;
  const scanned = isSmall
    ? await engine.scan(
        all.map(({ id }) => id),
        () => undefined,
      )
    : [];
  const legacy = new Map(
    scanned.map(({ id, widgets }) => [id, widgets.filter(({ verdict }) => isLegacy(verdict)).length]),
  );
  return all
    .map((entry) => {
      const old = legacy.get(entry.id);
      const words = countOf(entry.widgets, "widget");
      return { ...entry, counts: old === undefined ? words : `${words}, ${old} legacy` };
    })
    .sort((a, b) => Number((legacy.get(b.id) ?? 0) > 0) - Number((legacy.get(a.id) ?? 0) > 0));
}

const isLegacy = (verdict: keyof typeof verdictWords): boolean => verdict === "converts" || verdict === "notes";

const withText = (all: readonly CountedEntry[], text: string): readonly CountedEntry[] =>
  all.filter(({ label }) => label.toLowerCase().includes(text.trim().toLowerCase()));

async function scan(
  engine: MigrationEngine,
  { say }: Dialogue,
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

async function review(
  engine: MigrationEngine,
  dialogue: Dialogue,
  scanned: readonly ScannedDashboard[],
): Promise<Reviewed | undefined> {
  const { say, ask } = dialogue;
  const widgets = scanned.flatMap(({ label, widgets: all }) => all.map((widget) => ({ dashboard: label, widget })));
  const excluded = new Set<string>();
  const edited = new Map<string, JsonObject>();
  const lineOf = ({ dashboard, widget }: (typeof widgets)[number], i: number): string => {
    const state = excluded.has(widget.id)
      ? "excluded"
      : edited.has(widget.id)
        ? "edited"
        : verdictWords[widget.verdict];
    const where = scanned.length > 1 ? `${dashboard}: ` : "";
    return `${i + 1}. ${where}${widget.label || "(no name)"}, ${widget.type} to ${widget.newType}: ${state}`;
  };
  say("Step 3 of 6: review.");
  say(widgets.map(lineOf).join("\n"));
  for (;;) {
    const answer = await ask(
      "Enter to continue; a number shows a widget, x and a number excludes it, e edits, l lists, q quits:",
    );
    if (answer === "") return { excluded, edited };
    if (isLeaving(answer)) return undefined;
    const [, verb = "", digits = ""] = /^([xel]?)\s*(\d{0,6})$/i.exec(answer) ?? [];
    const at = Number(digits) - 1;
    const entry = widgets[at];
    if (verb === "l") say(widgets.map(lineOf).join("\n"));
    else if (entry === undefined) say(`Type a number from 1 to ${widgets.length}.`);
    else if (verb === "x") {
      if (!excluded.delete(entry.widget.id)) excluded.add(entry.widget.id);
      say(lineOf(entry, at));
    } else if (verb === "e") say(await edit(engine, dialogue, entry.widget, edited));
    else {
      say(lineOf(entry, at));
      say(detail(engine, entry.widget, edited.get(entry.widget.id)));
    }
  }
}

type Widget = ScannedDashboard["widgets"][number];

async function edit(
  engine: MigrationEngine,
  dialogue: Dialogue,
  widget: Widget,
  edited: Map<string, JsonObject>,
): Promise<string> {
  const start = edited.get(widget.id) ?? widget.after;
  if (!isObject(start)) return "There is no new widget to edit.";
  try {
    const result = await dialogue.lend(() => engine.edit(start));
    if (result.kind === "unchanged") return "Nothing changed.";
    if (result.kind === "refused") return ["The edited widget is invalid:", ...result.problems].join("\n");
    edited.set(widget.id, result.widget);
    return "Taken.";
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

const failureChoices: readonly FailureChoice[] = ["retry", "skip", "stop", "undo"];

function watchWith({ say, ask }: Dialogue, isStopped: () => boolean): EngineWatch {
  return {
    dashboard: (label, place, of) => say(`Dashboard ${place} of ${of}: ${label}`),
    widget: (label, outcome) => say(`${label}: ${outcome}`),
    isStopped,
    async failed(label, message) {
      say(`${label} could not be written. ${message}`);
      say("1. Retry\n2. Skip it\n3. Stop\n4. Undo everything");
      for (;;) {
        const [place] = numbersIn(await ask("Which one?"), failureChoices.length);
        const choice = failureChoices[place ?? -1];
        if (choice !== undefined) return choice;
      }
    },
  };
}

async function afterwards(engine: MigrationEngine, dialogue: Dialogue, report: WizardReport): Promise<WizardReport> {
  if (report.state !== "stopped") return tell(dialogue, report);
  dialogue.say(`The migration stopped early.${report.problem === undefined ? "" : ` ${report.problem}`}`);
  const answer = await dialogue.ask("Undo what was written? [y/N]");
  if (!/^y(es)?$/i.test(answer)) return tell(dialogue, report);
  const count = await engine.undo();
  return tell(dialogue, { ...report, state: "undone", summary: `Undone: ${countOf(count, "dashboard")} restored.` });
}

function tell({ say }: Dialogue, report: WizardReport): WizardReport {
  say("Step 6 of 6: report.");
  for (const { label, outcome, link, error } of report.dashboards)
    say(`${label}: ${outcome}${error === undefined ? "" : `, ${error}`}\n  ${link}`);
  for (const note of report.notes) say(`note: ${note}`);
  return report;
}
