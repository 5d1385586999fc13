import type { WizardState } from "./model.ts";

type Named = Pick<WizardState, "ids" | "scanned" | "name" | "engine">;

const labelsOf = ({ ids, scanned }: Named): readonly string[] => ids.map((id) => scanned.get(id)?.label ?? id);

/** What is typed for the names of copies: one whole name, or the text that is added to each of several. */
export function typedName(state: Named): { readonly text: string; readonly question: string } {
  const [label = "", ...others] = labelsOf(state);
  if (others.length === 0) {
    const [text = ""] = state.engine.copyNames(state.name, [label]);
    return { text, question: "Name of the copy" };
  }
  return { text: state.name.replace("%s", "").trim(), question: "Text to add to the name of each copy" };
}

/** The name for copies from what was typed, with `%s` for the old label; the usual one when nothing was typed. */
export function templateOf(state: Named, typed: string): string {
  const text = typed.trim();
  const { defaultName } = state.engine;
  const isUsual = text === "" || text === typedName({ ...state, name: defaultName }).text;
  if (isUsual) return defaultName;
  return state.ids.length > 1 ? `%s ${text}` : text;
}

/** The names of the copies as they will be. */
export function copyNames(state: Named): string {
  const [first = "", ...others] = state.engine.copyNames(state.name, labelsOf(state));
  return others.length === 0 ? first : `${first}, and ${others.length} more`;
}
