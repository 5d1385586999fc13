import type { JsonObject } from "../../lib/core/json.ts";
import { countOf } from "../../text/count.ts";
import { scrolled } from "../components/diff-view/state.ts";
import { currentItem, emptyList, reduceList } from "../components/search-list/state.ts";
import { moved } from "../components/select/state.ts";
import { fieldOf } from "../components/text-field/state.ts";
import { typedName } from "./copy-names.ts";
import type { Mode } from "./engine.ts";
import {
  dashboardItems,
  isWritten,
  pickerItems,
  type TargetRow,
  targetRows,
  type WidgetItem,
  widgetItems,
} from "./items.ts";
import {
  type Action,
  detailViews,
  type Next,
  type Picker,
  type Question,
  say,
  scanOf,
  UNDO_TEXT,
  type WizardState,
} from "./model.ts";
import { afterName } from "./questions.ts";

/** What an action makes of the state, as long as no question stands over the step. */
export function onStep(state: WizardState, action: Action): Next {
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
  if (chosen.length === 0) return [say(state, "There are no dashboards.")];
  const ids = chosen.map(({ id }) => id);
  // A name that was typed for one dashboard is none for several.
  const name = ids.length > 1 && !state.name.includes("%s") ? state.engine.defaultName : state.name;
  return [{ ...state, ...scanOf(ids), name }, { do: "scan" }];
}

function onScan(state: WizardState, action: Action): Next {
  if (action.type === "scroll")
    return [{ ...state, scanTop: scrolled(state.scanTop, action.action, action.count, action.rows) }];
  if (action.type === "back") return toChoose(state);
  if (action.type !== "next") return [state];
  const isWhole = state.ids.every((id) => state.scanned.has(id));
  if (!isWhole && state.busy === undefined) return [{ ...state, busy: "Reading the widgets" }, { do: "scan" }];
  return isWhole
    ? [{ ...state, step: "review", list: emptyList, top: 0, pane: "list" }]
    : [say(state, "Still reading.")];
}

/** The list was not read yet when the dashboards were named on the command line. */
function toChoose(state: WizardState): Next {
  const next: WizardState = { ...state, step: "choose", busy: undefined };
  return state.entries.length > 0 ? [next] : [{ ...next, busy: "Reading the dashboards" }, { do: "load" }];
}

function onReview(state: WizardState, action: Action): Next {
  const items = widgetItems(state);
  const current = currentItem(state.list, items);
  switch (action.type) {
    case "list":
      return [{ ...state, list: reduceList(state.list, action.action, items), pane: "list", top: 0 }];
    case "scroll":
      return [{ ...state, top: scrolled(state.top, action.action, action.count, action.rows) }];
    case "pane":
      return [{ ...state, pane: state.pane === "list" ? "detail" : "list" }];
    case "view":
      return [
        {
          ...state,
          view: detailViews[moved(detailViews.indexOf(state.view), 1, detailViews.length)] ?? "diff",
          top: 0,
        },
      ];
    case "exclude":
      return [exclude(state, current)];
    case "edit":
      return edit(state, current);
    case "draw":
      return draw(state, current);
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

function draw(state: WizardState, current: WidgetItem | undefined): Next {
  if (current === undefined) return [state];
  const { id, widget } = current;
  return [say(state, "Drawing"), { do: "draw", widget, after: state.edited.get(id) ?? widget.after }];
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
    case "begin":
      return state.busy === undefined ? begin(state) : [say(state, "Still reading.")];
    case "next":
      return row === undefined ? [state] : opened(state, row);
    default:
      return [state];
  }
}

const planQuestion: Question = { kind: "plan", text: "File for the plan", field: fieldOf("plan.json") };

function opened(state: WizardState, row: TargetRow): Next {
  if (row === "copy" || row === "in-place" || row === "update") return [setMode(state, row)];
  if (row === "name") {
    const { text, question } = typedName(state);
    return [{ ...state, question: { kind: "name", text: question, field: fieldOf(text) } }];
  }
  if (row === "plan") return [{ ...state, question: planQuestion }];
  if (row === "begin") return onTarget(state, { type: "begin" });
  return [
    { ...state, picker: { thing: row, found: [], list: emptyList } },
    { do: "find", thing: row, text: "" },
  ];
}

/** Rows come and go with the mode: the cursor stays on the one that was chosen. */
function setMode(state: WizardState, mode: Mode): WizardState {
  const next = { ...state, mode };
  return { ...next, row: targetRows(next).indexOf(mode) };
}

function begin(state: WizardState): Next {
  const { mode, copies, engine } = state;
  if (mode === "copy" || engine.nameToType !== undefined) return afterName(state, "apply");
  const count = widgetItems(state).filter(({ widget }) => isWritten(state, widget)).length;
  const [copy, ...others] = copies;
  const what =
    mode === "in-place"
      ? countOf(count, "widget")
      : others.length === 0
        ? `the widgets of "${copy?.label ?? ""}"`
        : `the widgets of ${copies.length} earlier copies`;
  return [{ ...state, question: { kind: "begin", text: `Overwrite ${what} in ${engine.where}?`, cursor: 0 } }];
}

function onPicker(state: WizardState, picker: Picker, action: Action): Next {
  const items = pickerItems(picker);
  if (action.type === "list") {
    const list = reduceList(picker.list, action.action, items);
    const next = { ...state, picker: { ...picker, list } };
    const { text } = list.query;
    return text === picker.list.query.text ? [next] : [next, { do: "find", thing: picker.thing, text }];
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
