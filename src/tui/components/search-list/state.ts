import { type Field, fieldOf } from "../text-field/state.ts";

/** A line of a list. */
export interface ListItem {
  readonly id: string;
  /** What `/` looks in. */
  readonly text: string;
}

export interface ListState {
  /** Index among the lines that are shown. */
  readonly cursor: number;
  /** Only lines with this text are shown. */
  readonly query: Field;
  /** The query is being typed. */
  readonly isTyping: boolean;
  readonly marks: ReadonlySet<string>;
}

export type ListAction =
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "first" | "last" }
  | { readonly type: "mark" | "mark-all" }
  | { readonly type: "search" | "search-end" | "search-clear" }
  | { readonly type: "query"; readonly query: Field };

export const emptyList: ListState = { cursor: 0, query: fieldOf(""), isTyping: false, marks: new Set() };

/** The lines that fit the query; every word of it has to be there. */
export function matching<Item extends ListItem>(items: readonly Item[], query: Field): readonly Item[] {
  const words = query.text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return items;
  return items.filter(({ text }) => words.every((word) => text.toLowerCase().includes(word)));
}

/** The line under the cursor. */
export function currentItem<Item extends ListItem>(state: ListState, items: readonly Item[]): Item | undefined {
  const shown = matching(items, state.query);
  return shown[Math.min(state.cursor, shown.length - 1)];
}

export function reduceList(state: ListState, action: ListAction, items: readonly ListItem[]): ListState {
  const shown = matching(items, state.query);
  const at = (place: number): ListState => ({ ...state, cursor: Math.max(0, Math.min(shown.length - 1, place)) });
  switch (action.type) {
    case "move":
      return at(Math.min(state.cursor, shown.length - 1) + action.by);
    case "first":
      return at(0);
    case "last":
      return at(shown.length - 1);
    case "mark": {
      const item = currentItem(state, items);
      return item === undefined ? state : { ...state, marks: toggled(state.marks, item.id) };
    }
    case "mark-all": {
      const ids = shown.map(({ id }) => id);
      const isAll = ids.every((id) => state.marks.has(id));
      const rest = [...state.marks].filter((id) => !ids.includes(id));
      return { ...state, marks: new Set(isAll ? rest : [...rest, ...ids]) };
    }
    case "search":
      return { ...state, isTyping: true };
    case "search-end":
      return { ...state, isTyping: false };
    case "search-clear":
      return { ...state, isTyping: false, query: fieldOf(""), cursor: 0 };
    case "query":
      return { ...state, query: action.query, cursor: action.query.text === state.query.text ? state.cursor : 0 };
  }
}

function toggled(marks: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(marks);
  if (!next.delete(id)) next.add(id);
  return next;
}

/** The part of a list that is on the screen: the cursor stays inside. */
export function windowOf(count: number, cursor: number, rows: number): { readonly from: number; readonly to: number } {
  const at = Math.max(0, Math.min(cursor, count - 1));
  const from = Math.max(0, Math.min(at - Math.floor(rows / 2), count - rows));
  return { from, to: Math.min(count, from + rows) };
}
