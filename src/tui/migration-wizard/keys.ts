import { scrollAction } from "../components/diff-view/state.ts";
import { listAction } from "../components/search-list/keys.ts";
import { selectAction } from "../components/select/state.ts";
import { editField } from "../components/text-field/state.ts";
import type { Key, Paste } from "../terminal/keys.ts";
import { choicesFor, targetRows } from "./items.ts";
import type { Action, WizardState } from "./model.ts";

/** What the keys need to know of the screen: lines there are, and lines of the text that scrolls. */
export interface KeyPlace {
  readonly rows: number;
  readonly lines: number;
}

/** What a key means in the state; undefined when it means nothing. */
export function keyAction(state: WizardState, key: Key | Paste, place: KeyPlace): Action | undefined {
  // The keys that move scroll the help, where it does not fit.
  if (state.isHelp)
    return key.name === "paste" || scrollAction(key, place.rows) !== undefined ? undefined : { type: "help" };
  if (state.question !== undefined) return questionKey(state.question, key);
  const list = activeList(state);
  if (list?.isTyping === true) return listKey(key, list, place.rows);
  if (key.name === "paste") return undefined;
  if (key.name === "?") return { type: "help" };
  if (key.name === "q") return { type: "quit" };
  return (list === undefined ? undefined : listKey(key, list, place.rows)) ?? stepKey(state, key, place);
}

function questionKey(question: NonNullable<WizardState["question"]>, key: Key | Paste): Action | undefined {
  if ("field" in question) {
    if (key.name === "enter") return { type: "submit" };
    if (key.name === "escape") return { type: "cancel" };
    const field = editField(question.field, key);
    return field === undefined ? undefined : { type: "field", field };
  }
  if (key.name === "paste") return undefined;
  if (key.name === "escape") return { type: "cancel" };
  const action = selectAction(key, choicesFor(question));
  if (action !== undefined) return { type: "select", action };
  return key.name === "q" ? { type: "quit" } : undefined;
}

function activeList(state: WizardState): WizardState["list"] | undefined {
  if (state.step === "choose") return state.choose;
  if (state.step === "review" && (state.pane === "list" || state.list.isTyping)) return state.list;
  return state.step === "target" ? state.picker?.list : undefined;
}

function listKey(key: Key | Paste, list: NonNullable<ReturnType<typeof activeList>>, rows: number): Action | undefined {
  const action = listAction(key, list, rows);
  return action === undefined ? undefined : { type: "list", action };
}

function stepKey(state: WizardState, key: Key, { rows, lines }: KeyPlace): Action | undefined {
  if (key.name === "enter") return { type: "next" };
  if (key.name === "escape") return { type: "back" };
  if (state.step === "target" && state.picker === undefined) return targetKey(key);
  if (state.step === "review") {
    const action = reviewKey(key);
    if (action !== undefined) return action;
  }
  if (state.step === "report" && key.name === "u") return { type: "undo" };
  const action = scrollAction(key, rows);
  return action === undefined ? undefined : { type: "scroll", action, count: lines, rows };
}

function targetKey({ name }: Key): Action | undefined {
  if (name === "up" || name === "k") return { type: "row", by: -1 };
  if (name === "down" || name === "j") return { type: "row", by: 1 };
  if (name === "home") return { type: "row", by: -1_000 };
  if (name === "end") return { type: "row", by: 1_000 };
  if (name === "space") return { type: "toggle" };
  if (name === "A") return { type: "begin" };
  return name === "w" ? { type: "plan" } : undefined;
}

function reviewKey({ name }: Key): Action | undefined {
  // Reached in the right pane only: the list has this key itself.
  if (name === "/") return { type: "list", action: { type: "search" } };
  if (name === "tab" || name === "shift+tab") return { type: "pane" };
  if (name === "t") return { type: "view" };
  if (name === "x") return { type: "exclude" };
  if (name === "o") return { type: "draw" };
  return name === "e" ? { type: "edit" } : undefined;
}

/** Keys worth knowing where the user is, most needed first. */
export function keyHints(state: WizardState): readonly (readonly [key: string, what: string])[] {
  const { question } = state;
  if (question !== undefined && "field" in question)
    return [
      ["Enter", "choose"],
      ["Esc", "go back"],
    ];
  if (question !== undefined) return choicesFor(question).map(({ key, label }) => [key, label]);
  const always = [
    ["?", "show keys"],
    ["q", "quit"],
  ] as const;
  if (activeList(state)?.isTyping === true)
    return [
      ["Enter", "keep"],
      ["Esc", "show all"],
    ];
  if (state.picker !== undefined) return [["Enter", "choose"], ["/", "find"], ["Esc", "go back"], ...always];
  switch (state.step) {
    case "choose":
      return [["Enter", "scan"], ["space", "mark"], ["a", "mark all"], ["/", "find"], ...always];
    case "scan":
      return [["Enter", "review"], ["Esc", "go back"], ...always];
    case "review":
      return [
        ["Enter", "choose target"],
        ["Tab", "switch pane"],
        ["t", "switch view"],
        ["x", "exclude"],
        ["e", "edit"],
        ["o", "draw"],
        ["/", "find"],
        ["Esc", "go back"],
        ...always,
      ];
    case "target":
      return [
        ["Enter", targetRows(state)[state.row] === "begin" ? "apply" : "change"],
        ["A", "apply"],
        ["w", "save plan"],
        ["Esc", "go back"],
        ...always,
      ];
    case "apply":
      return [
        ["q", "stop"],
        ["?", "show keys"],
      ];
    case "report":
      return [["Enter", "leave"], ["u", "undo"], ...always];
  }
}
