import { type Field, fieldOf } from "../components/text-field/state.ts";

/** What the user has chosen in the live view. */
export interface LiveState {
  readonly isPaused: boolean;
  readonly filter: string;
  readonly group: Group;
  readonly sort: Sort;
  readonly isReversed: boolean;
  readonly hasChart: boolean;
  /** The pane that has the keys; the chart then uses the whole height. */
  readonly pane: "table" | "chart";
  readonly rangeIndex: number;
  /** Row that is selected; undefined follows the first one. */
  readonly selected: string | undefined;
  /** Series whose chart is drawn whatever is selected. */
  readonly marked: string | undefined;
  readonly overlay: "none" | "help" | "detail";
  readonly prompt: Prompt | undefined;
  /** What was done last, in words. */
  readonly notice: string;
}

interface Prompt {
  readonly kind: "filter" | "save";
  readonly field: Field;
  /** Saving: everything kept instead of what fits the filter. */
  readonly isAll: boolean;
}

const groups = ["none", "variable", "device"] as const;
type Group = (typeof groups)[number];
const sorts = ["time", "device", "variable", "value"] as const;
type Sort = (typeof sorts)[number];

const minuteMs = 60_000;
export const ranges = [
  { ms: 10_000, text: "10 s" },
  { ms: 30_000, text: "30 s" },
  { ms: minuteMs, text: "60 s" },
  { ms: 5 * minuteMs, text: "5 min" },
  { ms: 15 * minuteMs, text: "15 min" },
  { ms: 60 * minuteMs, text: "60 min" },
] as const;

export type LiveAction =
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "go-first" | "go-last" }
  | { readonly type: "toggle-pause" | "cycle-group" | "cycle-sort" | "reverse-sort" | "toggle-chart" }
  | { readonly type: "switch-pane" | "toggle-mark" | "open" | "back" | "toggle-help" }
  | { readonly type: "range"; readonly by: 1 | -1 }
  | { readonly type: "ask"; readonly kind: Prompt["kind"]; readonly text: string }
  | { readonly type: "edit"; readonly field: Field }
  | { readonly type: "switch-scope" }
  | { readonly type: "submit" }
  | { readonly type: "notice"; readonly text: string };

/** What of the shown list an action may need. */
export interface Shown {
  /** Ids of the rows, in the order they are shown. */
  readonly ids: readonly string[];
  /** Series of the selected row. */
  readonly series: string | undefined;
  /** Devices there are records of. */
  readonly devices: number;
}

export const firstState: LiveState = {
  isPaused: false,
  filter: "",
  group: "variable",
  sort: "time",
  isReversed: false,
  hasChart: true,
  pane: "table",
  rangeIndex: 2,
  selected: undefined,
  marked: undefined,
  overlay: "none",
  prompt: undefined,
  notice: "",
};

const after = <T>(list: readonly T[], value: T): T => list[(list.indexOf(value) + 1) % list.length] ?? value;

/** One device as a group would be a single row. */
function nextGroup(group: Group, { devices }: Shown): Group {
  const next = after(groups, group);
  return next === "device" && devices <= 1 ? after(groups, next) : next;
}

function move(state: LiveState, by: number, { ids }: Shown): LiveState {
  const found = state.selected === undefined ? 0 : ids.indexOf(state.selected);
  const at = Math.min(ids.length - 1, Math.max(0, Math.max(0, found) + by));
  return { ...state, selected: at <= 0 ? undefined : ids[at] };
}

export function liveReducer(state: LiveState, action: LiveAction, shown: Shown): LiveState {
  switch (action.type) {
    case "move":
      return move(state, action.by, shown);
    case "go-first":
      return { ...state, selected: undefined };
    case "go-last":
      return { ...state, selected: shown.ids.at(-1) };
    case "toggle-pause":
      return { ...state, isPaused: !state.isPaused, notice: "" };
    case "cycle-group":
      return { ...state, group: nextGroup(state.group, shown), selected: undefined };
    case "cycle-sort":
      return { ...state, sort: after(sorts, state.sort), isReversed: false, selected: undefined };
    case "reverse-sort":
      return { ...state, isReversed: !state.isReversed, selected: undefined };
    case "toggle-chart":
      return { ...state, hasChart: !state.hasChart, pane: "table" };
    case "switch-pane":
      return { ...state, hasChart: true, pane: state.pane === "table" ? "chart" : "table" };
    case "range": {
      const rangeIndex = Math.min(ranges.length - 1, Math.max(0, state.rangeIndex + action.by));
      return { ...state, rangeIndex };
    }
    case "toggle-mark":
      return { ...state, marked: state.marked === shown.series ? undefined : shown.series };
    case "open":
      return shown.series === undefined ? state : { ...state, overlay: "detail" };
    case "toggle-help":
      return { ...state, overlay: state.overlay === "help" ? "none" : "help" };
    case "back":
      return goBack(state);
    case "ask":
      return { ...state, prompt: { kind: action.kind, field: fieldOf(action.text), isAll: false }, notice: "" };
    case "edit":
      return edited(state, action.field);
    case "switch-scope":
      return state.prompt === undefined ? state : { ...state, prompt: { ...state.prompt, isAll: !state.prompt.isAll } };
    case "submit":
      return { ...state, prompt: undefined };
    case "notice":
      return { ...state, notice: action.text };
  }
}

/** A filter applies as it is typed. */
function edited(state: LiveState, field: Field): LiveState {
  if (state.prompt === undefined) return state;
  const next = { ...state, prompt: { ...state.prompt, field } };
  const filter = field.text.trim();
  return state.prompt.kind === "save" || filter === state.filter ? next : { ...next, filter, selected: undefined };
}

/** Esc leaves what was opened last: a question, an overlay, the chart, the filter. */
function goBack(state: LiveState): LiveState {
  if (state.prompt?.kind === "filter") return { ...state, prompt: undefined, filter: "", selected: undefined };
  if (state.prompt !== undefined) return { ...state, prompt: undefined };
  if (state.overlay !== "none") return { ...state, overlay: "none" };
  if (state.pane === "chart") return { ...state, pane: "table" };
  return { ...state, filter: "", notice: "" };
}
