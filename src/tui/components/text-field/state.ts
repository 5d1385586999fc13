import { cleanLine } from "../../../text/clean.ts";
import type { Key, Paste } from "../../terminal/keys.ts";

/** The text of a field of one line, and where the cursor stands in it. */
export interface Field {
  readonly text: string;
  readonly cursor: number;
}

const MAX_TEXT = 500;
const segmenter = new Intl.Segmenter();

/** A field with the cursor at the end. */
export const fieldOf = (text: string): Field => ({ text, cursor: text.length });

/** The field after a key, with the keys of a shell's line; undefined when the key means nothing to it. */
export function editField({ text, cursor }: Field, key: Key | Paste): Field | undefined {
  const before = text.slice(0, cursor);
  const after = text.slice(cursor);
  switch (key.name) {
    case "backspace": {
      const kept = before.slice(0, before.length - lastOf(before).length);
      return { text: kept + after, cursor: kept.length };
    }
    case "delete":
      return { text: before + after.slice(firstOf(after).length), cursor };
    case "left":
      return { text, cursor: cursor - lastOf(before).length };
    case "right":
      return { text, cursor: cursor + firstOf(after).length };
    case "home":
    case "ctrl+a":
      return { text, cursor: 0 };
    case "end":
    case "ctrl+e":
      return fieldOf(text);
    case "ctrl+u":
      return { text: after, cursor: 0 };
    case "ctrl+w": {
      const kept = before.replace(/\S+\s*$/, "");
      return { text: kept + after, cursor: kept.length };
    }
  }
  if (key.text === "") return undefined;
  const added =
    key.name === "paste" ? cleanLine(key.text.replace(/[\r\n]+$/, "").replace(/[\r\n\t]+/g, " "), MAX_TEXT) : key.text;
  const typed = added.slice(0, Math.max(0, MAX_TEXT - text.length));
  return { text: before + typed + after, cursor: cursor + typed.length };
}

const firstOf = (text: string): string => [...segmenter.segment(text)][0]?.segment ?? "";
const lastOf = (text: string): string => [...segmenter.segment(text)].at(-1)?.segment ?? "";

/** The field in three parts: before the cursor, under it, after it. */
export function partsOf({ text, cursor }: Field): readonly [before: string, at: string, after: string] {
  const at = firstOf(text.slice(cursor));
  return [text.slice(0, cursor), at === "" ? " " : at, text.slice(cursor + at.length)];
}
