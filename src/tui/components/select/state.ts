import type { Key, Paste } from "../../terminal/keys.ts";

/** One of a few choices, with a key of its own. */
export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  readonly key: string;
}

export type SelectAction =
  | { readonly type: "move"; readonly by: number }
  | { readonly type: "choose"; readonly at?: number };

/** The position after a step; the ends of the list meet. */
export function moved(cursor: number, by: number, count: number): number {
  return count === 0 ? 0 : (cursor + by + count) % count;
}

export function selectAction(key: Key | Paste, choices: readonly Choice[]): SelectAction | undefined {
  if (key.name === "up" || key.name === "k") return { type: "move", by: -1 };
  if (key.name === "down" || key.name === "j") return { type: "move", by: 1 };
  if (key.name === "enter") return { type: "choose" };
  const at = choices.findIndex((choice) => choice.key === key.name);
  return at < 0 ? undefined : { type: "choose", at };
}
