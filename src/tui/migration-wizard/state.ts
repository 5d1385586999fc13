import { countOf } from "../../text/count.ts";
import { currentItem, matching } from "../components/search-list/state.ts";
import type { ScannedDashboard, WizardReport } from "./engine.ts";
import { dashboardItems, targetRows } from "./items.ts";
import { type Action, type Next, say, type WizardState } from "./model.ts";
import { onStep } from "./on-step.ts";
import { failureQuestion, onQuestion, showReport } from "./questions.ts";

/** The next state, and what is to be done for it. */
export function reduce(state: WizardState, action: Action): Next {
  switch (action.type) {
    case "loaded":
      return [{ ...state, busy: undefined, entries: action.entries }];
    case "scanned":
      return [withScanned(state, action.dashboard)];
    case "scan-ended":
      return [{ ...state, busy: undefined }];
    case "used":
      return [afterUsed(state, action)];
    case "found":
      return state.picker?.thing.id === action.id
        ? [{ ...state, picker: { ...state.picker, found: action.found.filter(({ id }) => id !== action.id) } }]
        : [state];
    case "edited":
      return [afterEdit(state, action)];
    case "saved":
      return [say({ ...state, question: undefined }, `Plan saved. Apply it with: ${action.command}`)];
    case "drawn":
      return [say(state, `Opened in the browser: ${action.path}`)];
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

/** The list of dashboards may get another order: the cursor stays on its dashboard once the user has moved it. */
function withScanned(state: WizardState, dashboard: ScannedDashboard): WizardState {
  const next = { ...state, scanned: new Map(state.scanned).set(dashboard.id, dashboard) };
  const { choose } = state;
  const current = choose.cursor === 0 ? undefined : currentItem(choose, dashboardItems(state));
  if (current === undefined) return next;
  const cursor = matching(dashboardItems(next), choose.query).findIndex(({ id }) => id === current.id);
  return { ...next, choose: { ...choose, cursor } };
}

/** An earlier copy is updated unless the user wants another one: copies should not pile up. */
function afterUsed(state: WizardState, { things, copies }: Extract<Action, { type: "used" }>): WizardState {
  const { mode } = state;
  const next: WizardState = {
    ...state,
    busy: undefined,
    used: things,
    copies,
    mode: mode === "in-place" ? mode : copies.length > 0 ? "update" : "copy",
  };
  // There are more lines now: the cursor stays on its line once it was moved.
  const line = targetRows(state)[state.row];
  return state.row === 0 || line === undefined ? next : { ...next, row: Math.max(0, targetRows(next).indexOf(line)) };
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
  if (result.kind === "unchanged") return say(state, "Nothing changed.");
  if (result.kind === "edited")
    return say({ ...state, edited: new Map(state.edited).set(id, result.widget) }, "Using the edited widget.");
  const text = "The edited widget is invalid.";
  return { ...state, question: { kind: "refused", text, problems: result.problems, cursor: 0, widget, id } };
}

function afterRun(state: WizardState, report: WizardReport): WizardState {
  const ended = { ...state, report, busy: undefined, isStopping: false };
  if (report.state !== "stopped") return showReport(ended);
  const why = report.problem === undefined ? "" : ` ${report.problem}`;
  return { ...ended, question: { kind: "stopped", text: `The migration stopped early.${why}`, cursor: 0 } };
}

function afterUndo(state: WizardState, count: number): WizardState {
  const notice = `Undone: ${countOf(count, "dashboard")} restored.`;
  if (state.report === undefined) return { ...state, notice, busy: undefined };
  const report: WizardReport = {
    ...state.report,
    state: "undone",
    summary: notice,
    dashboards: state.report.dashboards.map((each) => ({ ...each, outcome: "undone" })),
  };
  return say({ ...showReport(state), report, busy: undefined }, notice);
}
