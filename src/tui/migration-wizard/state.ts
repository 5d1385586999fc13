import type { PlannedVerdict, PlannedWidget } from "../../lib/widgets/plan.ts";
import { type ScrollAction, scrolled } from "../components/diff-view/state.ts";
import {
  currentItem,
  emptyList,
  type ListAction,
  type ListItem,
  type ListState,
  reduceList,
} from "../components/search-list/state.ts";
import { type Choice, moved, type SelectAction } from "../components/select/state.ts";
import type {
  DashboardEntry,
  EditResult,
  FailureChoice,
  JsonObject,
  MigrationEngine,
  Mode,
  ScannedDashboard,
  UsedThing,
  VerdictCounts,
  WizardChoices,
  WizardReport,
} from "./engine.ts";

export const steps = ["choose", "scan", "review", "target", "apply", "report"] as const;
export type Step = (typeof steps)[number];
export type DetailView = "diff" | "tree" | "notes";

/** A question that stands over the step until it is answered. */
export type Question =
  | { readonly kind: "interrupted" | "stopped" | "undo" | "begin"; readonly text: string; readonly cursor: number }
  | { readonly kind: "failure"; readonly text: string; readonly cursor: number }
  | {
      readonly kind: "refused";
      readonly text: string;
      readonly problems: readonly string[];
      readonly cursor: number;
      readonly widget: JsonObject;
      readonly id: string;
    }
  | { readonly kind: "typed-begin" | "name" | "plan"; readonly text: string; readonly value: string };

export interface Picker {
  readonly thing: UsedThing;
  readonly found: readonly UsedThing[];
  readonly list: ListState;
}

export interface WizardState {
  readonly engine: Pick<MigrationEngine, "nameToType" | "defaultName" | "interrupted" | "where">;
  readonly step: Step;
  readonly isHelp: boolean;
  /** What is waited for. */
  readonly busy: string | undefined;
  /** What was said last. */
  readonly notice: string | undefined;
  readonly question: Question | undefined;
  readonly entries: readonly DashboardEntry[];
  readonly scanned: ReadonlyMap<string, ScannedDashboard>;
  readonly choose: ListState;
  /** Dashboards that were chosen. */
  readonly ids: readonly string[];
  readonly scanTop: number;
  readonly list: ListState;
  readonly pane: "list" | "detail";
  readonly view: DetailView;
  readonly top: number;
  readonly excluded: ReadonlySet<string>;
  readonly edited: ReadonlyMap<string, JsonObject>;
  readonly row: number;
  readonly mode: Mode;
  readonly name: string;
  readonly used: readonly UsedThing[] | undefined;
  readonly replace: ReadonlyMap<string, UsedThing>;
  readonly picker: Picker | undefined;
  readonly applied: readonly { readonly label: string; readonly outcome: string }[];
  readonly total: number;
  readonly place: string;
  readonly isStopping: boolean;
  /** What could not be written; the run waits for an answer. */
  readonly failure: string | undefined;
  readonly report: WizardReport | undefined;
  readonly reportTop: number;
}

/** What is to be done outside of the state. */
export type Effect =
  | { readonly do: "load" | "scan" | "used" | "apply" | "resume" | "undo" }
  | { readonly do: "find"; readonly thing: UsedThing; readonly text: string }
  | { readonly do: "edit"; readonly id: string; readonly widget: JsonObject }
  | { readonly do: "save"; readonly path: string }
  | { readonly do: "answer"; readonly choice: FailureChoice }
  | { readonly do: "leave" };

export type Action =
  | { readonly type: "loaded"; readonly entries: readonly DashboardEntry[] }
  | { readonly type: "scanned"; readonly dashboard: ScannedDashboard }
  | { readonly type: "scan-ended" }
  | { readonly type: "used"; readonly things: readonly UsedThing[] }
  | { readonly type: "found"; readonly id: string; readonly found: readonly UsedThing[] }
  | { readonly type: "edited"; readonly id: string; readonly widget: JsonObject; readonly result: EditResult }
  | { readonly type: "saved"; readonly command: string }
  | { readonly type: "at-dashboard"; readonly text: string }
  | { readonly type: "widget-done"; readonly label: string; readonly outcome: string }
  | { readonly type: "failure"; readonly text: string }
  | { readonly type: "ended"; readonly report: WizardReport }
  | { readonly type: "undone"; readonly count: number }
  | { readonly type: "problem"; readonly text: string }
  | { readonly type: "help" | "quit" | "back" | "next" | "toggle" | "interrupt" }
  | { readonly type: "list"; readonly action: ListAction }
  | { readonly type: "scroll"; readonly action: ScrollAction; readonly count: number; readonly rows: number }
  | { readonly type: "pane" | "view" | "exclude" | "edit" | "plan" | "undo" }
  | { readonly type: "row"; readonly by: number }
  | { readonly type: "select"; readonly action: SelectAction }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "erase" | "submit" | "cancel" };

export type Next = readonly [WizardState, Effect?];

const list0 = emptyList;
const UNDO_TEXT = "Take everything back that this run has written?";

export function firstState(engine: WizardState["engine"], chosen: readonly string[] = []): Next {
  const state: WizardState = {
    engine,
    step: "choose",
    isHelp: false,
    busy: "Reading the dashboards",
    notice: undefined,
    question: undefined,
    entries: [],
    scanned: new Map(),
    choose: { ...list0, marks: new Set(chosen) },
    ids: [],
    scanTop: 0,
    list: list0,
    pane: "list",
    view: "diff",
    top: 0,
    excluded: new Set(),
    edited: new Map(),
    row: 0,
    mode: "copy",
    name: engine.defaultName,
    used: undefined,
    replace: new Map(),
    picker: undefined,
    applied: [],
    total: 0,
    place: "",
    isStopping: false,
    failure: undefined,
    report: undefined,
    reportTop: 0,
  };
  const { interrupted } = engine;
  if (interrupted === undefined) return [state, { do: "load" }];
  const when = interrupted.startedAt.slice(0, 19).replace("T", " ");
  const text = `A migration of ${when} was interrupted after ${interrupted.steps} steps.`;
  return [{ ...state, busy: undefined, question: { kind: "interrupted", text, cursor: 0 } }];
}

/** Lines of step 1. */
export function dashboardItems(state: WizardState): readonly (ListItem & { readonly entry: DashboardEntry })[] {
  return state.entries.map((entry) => ({ id: entry.id, text: `${entry.label} ${entry.id}`, entry }));
}

export interface WidgetItem extends ListItem {
  readonly dashboard: string;
  readonly widget: PlannedWidget;
}

/** Lines of step 3. */
export function widgetItems({ ids, scanned }: Pick<WizardState, "ids" | "scanned">): readonly WidgetItem[] {
  return ids.flatMap((id) => {
    const dashboard = scanned.get(id);
    if (dashboard === undefined) return [];
    return dashboard.widgets.map((widget) => ({
      id: widget.id,
      text: `${widget.label} ${widget.type} ${widget.newType} ${widget.verdict} ${dashboard.label}`,
      dashboard: dashboard.label,
      widget,
    }));
  });
}

export function countsOf(widgets: readonly PlannedWidget[]): VerdictCounts {
  const counts: Record<PlannedVerdict, number> = { converts: 0, notes: 0, current: 0, unsupported: 0, invalid: 0 };
  for (const { verdict } of widgets) counts[verdict] += 1;
  return counts;
}

/** Widgets that will be written. */
export function isWritten({ excluded }: Pick<WizardState, "excluded">, { id, verdict }: PlannedWidget): boolean {
  return !excluded.has(id) && (verdict === "converts" || verdict === "notes");
}

/** What was decided about the dashboards that are chosen now. */
export function choicesOf(state: WizardState): WizardChoices {
  const { ids, mode, name, used = [] } = state;
  const widgets = new Set(widgetItems(state).map(({ id }) => id));
  const things = new Set(used.map(({ id }) => id));
  return {
    ids,
    mode,
    name,
    excluded: new Set([...state.excluded].filter((id) => widgets.has(id))),
    edited: new Map([...state.edited].filter(([id]) => widgets.has(id))),
    replace: new Map([...state.replace].filter(([id]) => things.has(id))),
  };
}

/** Lines of step 4. */
export type TargetRow = "copy" | "in-place" | "name" | "plan" | "begin" | UsedThing;

export function targetRows({ mode, used = [] }: Pick<WizardState, "mode" | "used">): readonly TargetRow[] {
  return ["copy", "in-place", ...(mode === "copy" ? (["name"] as const) : []), ...used, "plan", "begin"];
}

export function choicesFor(question: Question): readonly Choice[] {
  switch (question.kind) {
    case "interrupted":
      return [
        { value: "resume", label: "Finish it", key: "f" },
        { value: "undo", label: "Take it back", key: "b" },
        { value: "leave", label: "Leave it and stop here", key: "q" },
      ];
    case "failure":
      return [
        { value: "retry", label: "Try again", key: "r" },
        { value: "skip", label: "Skip this widget", key: "s" },
        { value: "stop", label: "Stop here", key: "p" },
        { value: "undo", label: "Take everything back", key: "u" },
      ];
    case "stopped":
      return [
        { value: "keep", label: "Keep what was written", key: "n" },
        { value: "undo", label: "Take everything back", key: "y" },
      ];
    case "undo":
    case "begin":
      return [
        { value: "no", label: "No", key: "n" },
        { value: "yes", label: "Yes", key: "y" },
      ];
    case "refused":
      return [
        { value: "again", label: "Edit again", key: "e" },
        { value: "drop", label: "Forget the changes", key: "d" },
      ];
    default:
      return [];
  }
}

const say = (state: WizardState, notice: string): WizardState => ({ ...state, notice });

/** The next state, and what is to be done for it. */
export function reduce(state: WizardState, action: Action): Next {
  switch (action.type) {
    case "loaded":
      return [{ ...state, busy: undefined, entries: action.entries }];
    case "scanned":
      return [{ ...state, scanned: new Map(state.scanned).set(action.dashboard.id, action.dashboard) }];
    case "scan-ended":
      return [{ ...state, busy: undefined }];
    case "used":
      return [{ ...state, busy: undefined, used: action.things }];
    case "found":
      return state.picker?.thing.id === action.id
        ? [{ ...state, picker: { ...state.picker, found: action.found.filter(({ id }) => id !== action.id) } }]
        : [state];
    case "edited":
      return [afterEdit(state, action)];
    case "saved":
      return [say({ ...state, question: undefined }, `Plan saved. Apply it with: ${action.command}`)];
    case "at-dashboard":
      return [{ ...state, place: action.text }];
    case "widget-done":
      return [{ ...state, applied: [...state.applied, { label: action.label, outcome: action.outcome }] }];
    case "failure":
      return [{ ...state, failure: action.text, question: failureQuestion(action.text) }];
    case "ended":
      return [afterRun(state, action.report)];
    case "undone":
      return [afterUndo(state, action.count)];
    case "problem":
      return [say({ ...state, busy: undefined }, action.text)];
    case "help":
      return [{ ...state, isHelp: !state.isHelp }];
    case "interrupt":
    case "quit":
      return quit(state);
    default:
      return state.question === undefined
        ? onStep({ ...state, notice: undefined }, action)
        : onQuestion(state, state.question, action);
  }
}

const failureQuestion = (text: string): Question => ({ kind: "failure", text, cursor: 0 });

/** Closes a question without an answer; the one about a failure comes back, for the run waits for it. */
function closed(state: WizardState): WizardState {
  const { failure } = state;
  return { ...state, question: failure === undefined ? undefined : failureQuestion(failure) };
}

/** Leaving is free until something is written; then the request under way ends first. */
function quit(state: WizardState): Next {
  if (state.step !== "apply") return [state, { do: "leave" }];
  if (state.question?.kind === "failure")
    return [
      { ...state, question: undefined, isStopping: true },
      { do: "answer", choice: "stop" },
    ];
  if (state.question?.kind === "stopped") return [showReport(state)];
  return [say({ ...state, isStopping: true }, "Stopping after the current request.")];
}

function afterEdit(state: WizardState, { id, widget, result }: Extract<Action, { type: "edited" }>): WizardState {
  if (result.kind === "unchanged") return say(state, "Nothing was changed.");
  if (result.kind === "edited")
    return say({ ...state, edited: new Map(state.edited).set(id, result.widget) }, "The edited widget is taken.");
  const text = "The widget is not taken as it is.";
  return { ...state, question: { kind: "refused", text, problems: result.problems, cursor: 0, widget, id } };
}

function afterRun(state: WizardState, report: WizardReport): WizardState {
  const ended = { ...state, report, busy: undefined, isStopping: false };
  if (report.state !== "stopped") return showReport(ended);
  const why = report.problem === undefined ? "" : ` ${report.problem}`;
  return { ...ended, question: { kind: "stopped", text: `The migration stopped before its end.${why}`, cursor: 0 } };
}

const showReport = (state: WizardState): WizardState => ({
  ...state,
  step: "report",
  question: undefined,
  notice: undefined,
});

function afterUndo(state: WizardState, count: number): WizardState {
  const notice = `Taken back: ${count} ${count === 1 ? "dashboard is" : "dashboards are"} as before.`;
  if (state.report === undefined) return { ...state, notice, busy: undefined };
  const report: WizardReport = {
    ...state.report,
    state: "undone",
    summary: notice,
    dashboards: state.report.dashboards.map((each) => ({ ...each, outcome: "undone" })),
  };
  return say({ ...showReport(state), report, busy: undefined }, notice);
}

function onQuestion(state: WizardState, question: Question, action: Action): Next {
  if ("value" in question) return onField(state, question, action);
  if (action.type === "cancel" || action.type === "back") {
    const mayClose = question.kind === "undo" || question.kind === "begin" || question.kind === "refused";
    return [mayClose ? closed(state) : state];
  }
  if (action.type !== "select") return [state];
  const choices = choicesFor(question);
  if (action.action.type === "move") {
    return [{ ...state, question: { ...question, cursor: moved(question.cursor, action.action.by, choices.length) } }];
  }
  const choice = choices[action.action.at ?? question.cursor]?.value;
  return choice === undefined ? [state] : answered({ ...state, question: undefined }, question, choice);
}

function answered(state: WizardState, question: Question, choice: string): Next {
  switch (`${question.kind} ${choice}`) {
    case "interrupted resume":
      return [{ ...state, step: "apply", busy: undefined, total: 0 }, { do: "resume" }];
    case "interrupted undo":
      return [{ ...state, busy: "Taking back the earlier run" }, { do: "undo" }];
    case "interrupted leave":
      return [state, { do: "leave" }];
    case "failure retry":
    case "failure skip":
    case "failure stop":
      return [
        { ...state, failure: undefined },
        { do: "answer", choice: choice as FailureChoice },
      ];
    case "failure undo":
      return [{ ...state, question: { kind: "undo", text: UNDO_TEXT, cursor: 0 } }];
    case "stopped keep":
      return [showReport(state)];
    case "stopped undo":
      return [{ ...state, busy: "Taking back what was written" }, { do: "undo" }];
    case "undo yes":
      return state.step === "apply"
        ? [
            { ...state, busy: "Taking back what was written" },
            { do: "answer", choice: "undo" },
          ]
        : [{ ...state, busy: "Taking back what was written" }, { do: "undo" }];
    case "undo no":
      return [closed(state)];
    case "begin yes":
      return begin(state);
    case "refused again":
      return question.kind === "refused" ? [state, { do: "edit", id: question.id, widget: question.widget }] : [state];
    default:
      return [state];
  }
}

function onField(state: WizardState, question: Extract<Question, { value: string }>, action: Action): Next {
  switch (action.type) {
    case "text":
      return [{ ...state, question: { ...question, value: question.value + action.text } }];
    case "erase":
      return [{ ...state, question: { ...question, value: [...question.value].slice(0, -1).join("") } }];
    case "cancel":
    case "back":
      return [{ ...state, question: undefined }];
    case "submit":
      return submitted({ ...state, question: undefined }, question);
    default:
      return [state];
  }
}

function submitted(state: WizardState, { kind, value }: Extract<Question, { value: string }>): Next {
  const text = value.trim();
  if (kind === "name") return [{ ...state, name: text === "" ? state.engine.defaultName : text }];
  if (kind === "plan") return text === "" ? [state] : [state, { do: "save", path: text }];
  return text === state.engine.nameToType
    ? begin(state)
    : [say(state, "The name does not match; nothing was changed.")];
}

function begin(state: WizardState): Next {
  const widgets = widgetItems(state);
  return [{ ...state, step: "apply", applied: [], total: widgets.length, isStopping: false }, { do: "apply" }];
}

function onStep(state: WizardState, action: Action): Next {
  switch (state.step) {
    case "choose":
      return onChoose(state, action);
    case "scan":
      return onScan(state, action);
    case "review":
      return onReview(state, action);
    case "target":
      return onTarget(state, action);
    case "report":
      return onReport(state, action);
    case "apply":
      return [state];
  }
}

function onChoose(state: WizardState, action: Action): Next {
  const items = dashboardItems(state);
  if (action.type === "list") return [{ ...state, choose: reduceList(state.choose, action.action, items) }];
  if (action.type !== "next" || state.busy !== undefined) return [state];
  const marked = items.filter(({ id }) => state.choose.marks.has(id));
  const current = currentItem(state.choose, items);
  const chosen = marked.length > 0 ? marked : current === undefined ? [] : [current];
  if (chosen.length === 0) return [say(state, "There is no dashboard to choose.")];
  const ids = chosen.map(({ id }) => id);
  return [{ ...state, step: "scan", busy: "Reading the widgets", ids, scanTop: 0, used: undefined }, { do: "scan" }];
}

function onScan(state: WizardState, action: Action): Next {
  if (action.type === "scroll")
    return [{ ...state, scanTop: scrolled(state.scanTop, action.action, action.count, action.rows) }];
  if (action.type === "back") return [{ ...state, step: "choose", busy: undefined }];
  if (action.type !== "next") return [state];
  const isWhole = state.ids.every((id) => state.scanned.has(id));
  if (!isWhole && state.busy === undefined) return [{ ...state, busy: "Reading the widgets" }, { do: "scan" }];
  return isWhole ? [{ ...state, step: "review", list: list0, top: 0, pane: "list" }] : [say(state, "Still reading.")];
}

const views: readonly DetailView[] = ["diff", "tree", "notes"];

function onReview(state: WizardState, action: Action): Next {
  const items = widgetItems(state);
  const current = currentItem(state.list, items);
  switch (action.type) {
    case "list":
      return [{ ...state, list: reduceList(state.list, action.action, items), top: 0 }];
    case "scroll":
      return [{ ...state, top: scrolled(state.top, action.action, action.count, action.rows) }];
    case "pane":
      return [{ ...state, pane: state.pane === "list" ? "detail" : "list" }];
    case "view":
      return [{ ...state, view: views[moved(views.indexOf(state.view), 1, views.length)] ?? "diff", top: 0 }];
    case "exclude":
      return [exclude(state, current)];
    case "edit":
      return edit(state, current);
    case "back":
      return [state.pane === "detail" ? { ...state, pane: "list" } : { ...state, step: "scan" }];
    case "next":
      return toTarget(state);
    default:
      return [state];
  }
}

/** Excludes the marked widgets, or the one under the cursor; once more takes them in again. */
function exclude(state: WizardState, current: WidgetItem | undefined): WizardState {
  const { marks } = state.list;
  const ids = marks.size > 0 ? [...marks] : current === undefined ? [] : [current.id];
  const isAll = ids.every((id) => state.excluded.has(id));
  const rest = [...state.excluded].filter((id) => !ids.includes(id));
  return { ...state, excluded: new Set(isAll ? rest : [...rest, ...ids]), list: { ...state.list, marks: new Set() } };
}

function edit(state: WizardState, current: WidgetItem | undefined): Next {
  const widget = current === undefined ? undefined : (state.edited.get(current.id) ?? current.widget.after);
  if (current === undefined || typeof widget !== "object" || widget === null)
    return [say(state, "There is no new widget to edit.")];
  return [state, { do: "edit", id: current.id, widget: widget as JsonObject }];
}

function toTarget(state: WizardState): Next {
  const next: WizardState = { ...state, step: "target", row: 0 };
  return state.used === undefined ? [{ ...next, busy: "Reading what the widgets use" }, { do: "used" }] : [next];
}

function onTarget(state: WizardState, action: Action): Next {
  if (state.picker !== undefined) return onPicker(state, state.picker, action);
  const rows = targetRows(state);
  const row = rows[Math.min(state.row, rows.length - 1)];
  switch (action.type) {
    case "row":
      return [{ ...state, row: Math.max(0, Math.min(rows.length - 1, state.row + action.by)) }];
    case "back":
      return [{ ...state, step: "review", busy: undefined }];
    case "plan":
      return [{ ...state, question: planQuestion }];
    case "toggle":
      return row === undefined || row === "begin" ? [state] : opened(state, row);
    case "next":
      return row === undefined ? [state] : opened(state, row);
    default:
      return [state];
  }
}

const planQuestion: Question = { kind: "plan", text: "File for the plan", value: "plan.json" };

function opened(state: WizardState, row: TargetRow): Next {
  if (row === "copy" || row === "in-place") return [{ ...state, mode: row }];
  if (row === "name")
    return [
      { ...state, question: { kind: "name", text: "Name of the copy; %s stands for the old name", value: state.name } },
    ];
  if (row === "plan") return [{ ...state, question: planQuestion }];
  if (row !== "begin") {
    return [
      { ...state, picker: { thing: row, found: [], list: list0 } },
      { do: "find", thing: row, text: "" },
    ];
  }
  if (state.mode === "copy") return begin(state);
  const { where, nameToType } = state.engine;
  if (nameToType !== undefined) {
    return [
      {
        ...state,
        question: {
          kind: "typed-begin",
          text: `The environment is protected. Type ${nameToType} to write in place`,
          value: "",
        },
      },
    ];
  }
  const count = widgetItems(state).filter(({ widget }) => isWritten(state, widget)).length;
  return [{ ...state, question: { kind: "begin", text: `Write over ${count} widgets in ${where}?`, cursor: 0 } }];
}

/** Lines of the list of replacements; the first keeps what is there. */
export function pickerItems({
  thing,
  found,
}: Pick<Picker, "thing" | "found">): readonly (ListItem & { readonly thing: UsedThing })[] {
  return [thing, ...found].map((each) => ({ id: each.id, text: `${each.name} ${each.id}`, thing: each }));
}

function onPicker(state: WizardState, picker: Picker, action: Action): Next {
  const items = pickerItems(picker);
  if (action.type === "list") {
    const list = reduceList(picker.list, action.action, items);
    const next = { ...state, picker: { ...picker, list } };
    return list.query === picker.list.query ? [next] : [next, { do: "find", thing: picker.thing, text: list.query }];
  }
  if (action.type === "back") return [{ ...state, picker: undefined }];
  if (action.type !== "next") return [state];
  const chosen = currentItem(picker.list, items)?.thing;
  const replace = new Map(state.replace);
  if (chosen === undefined || chosen.id === picker.thing.id) replace.delete(picker.thing.id);
  else replace.set(picker.thing.id, chosen);
  return [{ ...state, picker: undefined, replace }];
}

function onReport(state: WizardState, action: Action): Next {
  if (action.type === "scroll")
    return [{ ...state, reportTop: scrolled(state.reportTop, action.action, action.count, action.rows) }];
  if (action.type === "next" || action.type === "back") return [state, { do: "leave" }];
  if (action.type !== "undo" || state.report === undefined || state.report.state === "undone") return [state];
  return [{ ...state, question: { kind: "undo", text: UNDO_TEXT, cursor: 0 } }];
}
