import { type Field, fieldOf } from "../components/text-field/state.ts";
import type { FleetDevice } from "./types.ts";

const sorts = ["worst first", "name", "last input"] as const;
type Sort = (typeof sorts)[number];

/** What the user has chosen on the fleet screen. */
export interface FleetState {
  readonly filter: string;
  /** The filter while it is typed. */
  readonly field: Field | undefined;
  readonly sort: Sort;
  readonly isReversed: boolean;
  /** Id of the selected device; undefined follows the first one. */
  readonly selected: string | undefined;
  /** The pane that has the keys; the news then use the whole height. */
  readonly pane: "devices" | "news";
  /** Lines of the news above the window. */
  readonly newsFrom: number;
  readonly hasHelp: boolean;
  readonly notice: string;
}

export const firstState: FleetState = {
  filter: "",
  field: undefined,
  sort: "worst first",
  isReversed: false,
  selected: undefined,
  pane: "devices",
  newsFrom: 0,
  hasHelp: false,
  notice: "",
};

export type FleetAction =
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "go-first" | "go-last" }
  | { readonly type: "cycle-sort" | "reverse-sort" | "switch-pane" | "toggle-help" | "back" }
  | { readonly type: "ask" | "submit" }
  | { readonly type: "edit"; readonly field: Field }
  | { readonly type: "notice"; readonly text: string };

/** What of the shown lists an action may need. */
export interface Shown {
  readonly devices: readonly FleetDevice[];
  /** Index of the selected device. */
  readonly at: number;
  /** Number of lines of the news. */
  readonly news: number;
}

export function fleetReducer(state: FleetState, action: FleetAction, shown: Shown): FleetState {
  switch (action.type) {
    case "move":
      return moved(state, action.by, shown);
    case "go-first":
      return state.pane === "news" ? { ...state, newsFrom: 0 } : { ...state, selected: undefined };
    case "go-last":
      return moved(state, Number.MAX_SAFE_INTEGER, shown);
    case "cycle-sort":
      return {
        ...state,
        sort: sorts[(sorts.indexOf(state.sort) + 1) % sorts.length] ?? "worst first",
        isReversed: false,
        selected: undefined,
      };
    case "reverse-sort":
      return { ...state, isReversed: !state.isReversed, selected: undefined };
    case "switch-pane":
      return { ...state, pane: state.pane === "devices" ? "news" : "devices", newsFrom: 0 };
    case "toggle-help":
      return { ...state, hasHelp: !state.hasHelp };
    case "back":
      return wentBack(state);
    case "ask":
      return { ...state, field: fieldOf(state.filter), pane: "devices", notice: "" };
    case "submit":
      return { ...state, field: undefined };
    case "edit": {
      const filter = action.field.text.trim();
      const selected = filter === state.filter ? state.selected : undefined;
      return { ...state, field: action.field, filter, selected };
    }
    case "notice":
      return { ...state, notice: action.text };
  }
}

function moved(state: FleetState, by: number, { devices, at, news }: Shown): FleetState {
  const within = (place: number, count: number): number => Math.max(0, Math.min(count - 1, place));
  if (state.pane === "news") return { ...state, newsFrom: within(state.newsFrom + by, news) };
  return { ...state, selected: devices[within(at + by, devices.length)]?.id };
}

function wentBack(state: FleetState): FleetState {
  if (state.field !== undefined) return { ...state, field: undefined, filter: "", selected: undefined };
  if (state.hasHelp) return { ...state, hasHelp: false };
  if (state.pane === "news") return { ...state, pane: "devices" };
  return { ...state, filter: "", notice: "" };
}

const wordsOf = (filter: string): string[] =>
  filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");

/** The devices that fit the filter, in the order chosen. They come worst first. */
export function visibleDevices(
  devices: readonly FleetDevice[],
  { filter, sort, isReversed }: Pick<FleetState, "filter" | "sort" | "isReversed">,
): readonly FleetDevice[] {
  const words = wordsOf(filter);
  const fitting = devices.filter(({ name, state, tags }) => {
    const text = words.length === 0 ? "" : `${name} ${state} ${tags}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  if (sort === "name") fitting.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  if (sort === "last input") fitting.sort((a, b) => (b.inputMs ?? 0) - (a.inputMs ?? 0));
  return isReversed ? fitting.reverse() : fitting;
}
