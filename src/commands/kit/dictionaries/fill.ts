import type { DictionaryExpression } from "../../../lib/expression/expression.ts";
import type { DictionaryTexts } from "./texts.ts";

/** A text with its expressions replaced. */
export interface FilledText {
  readonly text: string;
  readonly replaced: number;
  /** Expressions whose text is of the fallback language, as `SLUG.KEY`. */
  readonly fromFallback: readonly string[];
  /** Expressions that stay, as `SLUG.KEY`. */
  readonly missing: readonly string[];
}

/** Replaces `#SLUG.KEY#` with its string. Expressions without one stay as they are. */
export async function fillText(source: string, texts: DictionaryTexts, isJson: boolean): Promise<FilledText> {
  const { findExpressions, insertParams } = await import("../../../lib/expression/expression.ts");
  const missing = new Set<string>();
  const fromFallback = new Set<string>();
  let text = "";
  let at = 0;
  let replaced = 0;
  for (const { expression, start, end } of findExpressions(source)) {
    const name = nameOf(expression);
    const found = await texts.find(expression.dictionary, expression.key);
    if (found === undefined) {
      missing.add(name);
      continue;
    }
    if (!found.isOwn) fromFallback.add(name);
    const filled = insertParams(found.text, expression.params ?? []);
    text += source.slice(at, start) + (isJson ? inJson(filled) : filled);
    at = end;
    replaced += 1;
  }
  return { text: text + source.slice(at), replaced, fromFallback: [...fromFallback], missing: [...missing] };
}

/** A quote in a text must not end the string it is put into. */
function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export const nameOf = ({ dictionary, key }: DictionaryExpression): string => `${dictionary}.${key}`;
