import { moveKeys } from "../components/table/keys.ts";
import { editField } from "../components/text-field/state.ts";
import type { Key, Paste } from "../terminal/keys.ts";
import type { FleetAction, FleetState } from "./fleet-state.ts";

export type FleetCommand =
  | FleetAction
  | { readonly type: "quit" }
  | { readonly type: "refresh" }
  | { readonly type: "open" };

const table: Readonly<Record<string, FleetCommand>> = {
  ...moveKeys,
  enter: { type: "open" },
  "/": { type: "ask" },
  s: { type: "cycle-sort" },
  S: { type: "reverse-sort" },
  r: { type: "refresh" },
  tab: { type: "switch-pane" },
  escape: { type: "back" },
  "?": { type: "toggle-help" },
  q: { type: "quit" },
};

/** Keys for the line at the bottom. */
export const hints: readonly (readonly [string, string])[] = [
  ["Enter", "open"],
  ["/", "filter"],
  ["s", "sort"],
  ["r", "refresh"],
  ["Tab", "analyses, actions"],
  ["?", "help"],
  ["q", "quit"],
];

/** All keys, for the help. */
export const helpLines: readonly (readonly [string, string])[] = [
  ["arrows, jk", "move up and down"],
  ["PgUp PgDn Home End", "move by page, to the first or last device"],
  ["Enter", "open the live view of the device; Esc comes back"],
  ["/", "filter by name, state or tag; Esc clears it"],
  ["s, S", "sort worst first, by name, by last input; S reverses"],
  ["r", "read everything again now"],
  ["Tab", "switch between devices and analyses, actions"],
  ["Ctrl-L", "redraw the screen"],
  ["q, Ctrl-C", "quit"],
];

/** What a key means in this state; undefined when it means nothing. Pasted text is only ever text. */
export function fleetCommand(key: Key | Paste, state: FleetState, pageRows: number): FleetCommand | undefined {
  if (state.field !== undefined) {
    if (key.name === "enter") return { type: "submit" };
    if (key.name === "escape") return { type: "back" };
    const field = editField(state.field, key);
    return field === undefined ? undefined : { type: "edit", field };
  }
  if (key.name === "paste") return undefined;
  if (state.hasHelp) {
    if (key.name === "q") return { type: "quit" };
    return key.name === "?" || key.name === "escape" || key.name === "enter" ? { type: "back" } : undefined;
  }
  if (key.name === "pageup") return { type: "move", by: -pageRows };
  if (key.name === "pagedown") return { type: "move", by: pageRows };
  return table[key.name];
}
