import type { Key, Paste } from "../../terminal/keys.ts";
import type { ListAction, ListState } from "./state.ts";

/** What a key means to a list; undefined when it means nothing to it. Pasted text only ever goes into the query. */
export function listAction(
  key: Key | Paste,
  { isTyping, query }: Pick<ListState, "isTyping" | "query">,
  page: number,
): ListAction | undefined {
  if (isTyping) return typing(key);
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
      return query === "" ? undefined : { type: "search-clear" };
    default:
      return undefined;
  }
}

function typing(key: Key | Paste): ListAction | undefined {
  if (key.name === "escape") return { type: "search-clear" };
  if (key.name === "enter" || key.name === "up" || key.name === "down") return { type: "search-end" };
  if (key.name === "backspace") return { type: "erase" };
  return key.text === "" ? undefined : { type: "type", text: oneLine(key.text) };
}

/** Text for a field of one line. */
export function oneLine(text: string): string {
  return text
    .replace(/[\r\n\t]+/g, " ")
    .replace(/\p{Cc}/gu, "")
    .slice(0, 500);
}
