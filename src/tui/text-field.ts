import { cleanLine } from "../text/clean.ts";
import type { Key, Paste } from "./terminal/keys.ts";

const MAX_TEXT = 500;
const segmenter = new Intl.Segmenter();

/** The text of a field of one line after a key; undefined when the key changes no text. */
export function editText(text: string, key: Key | Paste): string | undefined {
  if (key.name === "backspace") {
    const parts = [...segmenter.segment(text)];
    return text.slice(0, parts.at(-1)?.index ?? 0);
  }
  if (key.name === "ctrl+u") return "";
  if (key.name === "ctrl+w") return text.replace(/\S+\s*$/, "");
  if (key.text === "") return undefined;
  const added = key.name === "paste" ? cleanLine(key.text.replace(/[\r\n]+$/, ""), MAX_TEXT) : key.text;
  return (text + added).slice(0, MAX_TEXT);
}
