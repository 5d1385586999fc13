import type { Key, Paste } from "../../terminal/keys.ts";
import { editField, type Field } from "../text-field/state.ts";
import type { ListAction, ListState } from "./state.ts";

/** What a key means to a list; undefined when it means nothing to it. Pasted text only ever goes into the query. */
export function listAction(
  key: Key | Paste,
  { isTyping, query }: Pick<ListState, "isTyping" | "query">,
  page: number,
): ListAction | undefined {
  if (isTyping) return typing(key, query);
  switch (key.name) {
    case "up":
    case "k":
      return { type: "move", by: -1 };
    case "down":
    case "j":
      return { type: "move", by: 1 };
    case "pageup":
      return { type: "move", by: -Math.max(1, page) };
    case "pagedown":
      return { type: "move", by: Math.max(1, page) };
    case "home":
      return { type: "first" };
    case "end":
      return { type: "last" };
    case "space":
      return { type: "mark" };
    case "a":
      return { type: "mark-all" };
    case "/":
      return { type: "search" };
    case "escape":
      return query.text === "" ? undefined : { type: "search-clear" };
    default:
      return undefined;
  }
}

function typing(key: Key | Paste, query: Field): ListAction | undefined {
  if (key.name === "escape") return { type: "search-clear" };
  if (key.name === "enter" || key.name === "up" || key.name === "down") return { type: "search-end" };
  const edited = editField(query, key);
  return edited === undefined ? undefined : { type: "query", query: edited };
}
