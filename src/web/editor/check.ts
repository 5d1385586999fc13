import { isRecord } from "../../lib/widgets/draw/page.ts";
import { checkWidget } from "../../schema/widgets/check.ts";
import { jsonLines, lineOf } from "./json-lines.ts";
import type { Definition } from "./model.ts";

/** Something wrong in the text of a definition. */
export interface Mistake {
  readonly line: number;
  readonly text: string;
}

export interface Checked {
  /** Undefined where the text is not a widget at all. */
  readonly definition: Definition | undefined;
  readonly mistakes: readonly Mistake[];
}

export const textOf = (definition: Definition): string => JSON.stringify(definition, null, 2);

/** What a widget needs besides what the schema of its type says. */
function missingIn(value: Readonly<Record<string, unknown>>): { readonly path: string; readonly message: string }[] {
  const found: { readonly path: string; readonly message: string }[] = [];
  if (typeof value["label"] !== "string") found.push({ path: "label", message: "label must be a string." });
  if (typeof value["type"] !== "string" || value["type"] === "")
    found.push({ path: "type", message: "type must be the name of a widget type." });
  if (!isRecord(value["display"])) found.push({ path: "display", message: "display must be an object." });
  return found;
}

/** Reads the text of a definition and checks it against the schema of its type. */
export function checkText(text: string): Checked {
  const found = jsonLines(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { definition: undefined, mistakes: [{ line: found.wrong ?? 1, text: "This is not JSON." }] };
  }
  if (!isRecord(value)) return { definition: undefined, mistakes: [{ line: 1, text: "A widget is a JSON object." }] };
  const missing = missingIn(value);
  const problems = missing.length > 0 ? missing : (checkWidget(value) ?? []);
  const mistakes = problems.map(({ path, message }) => ({ line: lineOf(found, path), text: message }));
  return { definition: missing.length > 0 ? undefined : (value as unknown as Definition), mistakes };
}
