import { moveKeys } from "../components/table/keys.ts";
import { editField } from "../components/text-field/state.ts";
import type { Key, Paste } from "../terminal/keys.ts";
import type { LiveAction, LiveState } from "./live-state.ts";

export type LiveCommand = LiveAction | { readonly type: "quit" } | { readonly type: "save" };

const table: Readonly<Record<string, LiveCommand>> = {
  ...moveKeys,
  p: { type: "toggle-pause" },
  g: { type: "cycle-group" },
  s: { type: "cycle-sort" },
  S: { type: "reverse-sort" },
  c: { type: "toggle-chart" },
  "+": { type: "range", by: 1 },
  "=": { type: "range", by: 1 },
  "-": { type: "range", by: -1 },
  right: { type: "range", by: 1 },
  l: { type: "range", by: 1 },
  left: { type: "range", by: -1 },
  h: { type: "range", by: -1 },
  tab: { type: "switch-pane" },
  space: { type: "toggle-mark" },
  enter: { type: "open" },
  escape: { type: "back" },
  "?": { type: "toggle-help" },
  q: { type: "quit" },
};

/** Keys of the live view and what they do, for the line at the bottom. */
export const hints: readonly (readonly [string, string])[] = [
  ["p", "pause"],
  ["/", "filter"],
  ["g", "group"],
  ["s", "sort"],
  ["c", "chart"],
  ["+/-", "range"],
  ["w", "save"],
  ["?", "help"],
  ["q", "quit"],
];

/** As `hints`, where Esc leads back to another screen. */
export const nestedHints: typeof hints = [...hints.slice(0, -1), ["Esc", "back"]];

/** All keys, for the help. */
export const helpLines: readonly (readonly [string, string])[] = [
  ["arrows, hjkl", "move up and down; left and right change the chart range"],
  ["PgUp PgDn Home End", "move by page, to the first or last row"],
  ["space", "select the variable for the chart"],
  ["Enter", "open the record; Esc goes back"],
  ["Tab", "switch between the table and the chart"],
  ["p", "pause or resume; new records wait while paused"],
  ["/", "filter by device, variable or value; Esc clears it"],
  ["g", "group by variable or device, or show every record"],
  ["s, S", "sort by time, device, variable, value; S reverses"],
  ["c", "show or hide the chart"],
  ["+ -", "change the chart range, from 10 s to 60 min"],
  ["w", "save the filtered or all records to a file"],
  ["Ctrl-L", "redraw the screen"],
  ["q, Ctrl-C", "quit"],
];

/** What a key means in this state; undefined when it means nothing. Pasted text is only ever text. */
export function liveCommand(
  key: Key | Paste,
  state: LiveState,
  page: { readonly rows: number; readonly fileName: string },
): LiveCommand | undefined {
  if (state.prompt !== undefined) {
    if (key.name === "enter") return state.prompt.kind === "save" ? { type: "save" } : { type: "submit" };
    if (key.name === "escape") return { type: "back" };
    if (key.name === "tab" && state.prompt.kind === "save") return { type: "switch-scope" };
    const field = editField(state.prompt.field, key);
    return field === undefined ? undefined : { type: "edit", field };
  }
  if (key.name === "paste") return undefined;
  if (state.overlay !== "none") {
    if (key.name === "q") return { type: "quit" };
    return key.name === "?" || key.name === "escape" || key.name === "enter" ? { type: "back" } : undefined;
  }
  if (key.name === "pageup") return { type: "move", by: -page.rows };
  if (key.name === "pagedown") return { type: "move", by: page.rows };
  if (key.name === "/") return { type: "ask", kind: "filter", text: state.filter };
  if (key.name === "w") return { type: "ask", kind: "save", text: page.fileName };
  return table[key.name];
}
