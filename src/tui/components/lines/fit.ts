import { cleanLine } from "../../../text/clean.ts";
import { cut, padEnd, widthOf } from "../../../text/width.ts";

/** A line of a screen. Text from outside is cleaned when it is drawn. */
export interface Line {
  readonly text: string;
  readonly color?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly inverse?: boolean;
}

/** Text in exactly so many cells: cut with a mark, or filled with spaces. */
export function inCells(text: string, cells: number, mark: string): string {
  if (cells <= 0) return "";
  return padEnd(cut(cleanLine(text, 2_000), cells, mark), cells);
}

/** Texts in columns; the last one gets what is left. */
export function columns(cells: readonly (readonly [text: string, width: number])[], mark: string): string {
  return cells.map(([text, width]) => inCells(text, width, mark)).join(" ");
}

/** Text over several lines, broken between words where that is possible. */
export function wrapped(text: string, cells: number): string[] {
  const clean = cleanLine(text, 5_000);
  const indent = /^ {0,8}/.exec(clean)?.[0] ?? "";
  const lines: string[] = [];
  let line = "";
  for (const [i, word] of clean.slice(indent.length).split(" ").entries()) {
    const joined = i === 0 || line === "" ? `${lines.length === 0 ? indent : ""}${word}` : `${line} ${word}`;
    if (widthOf(joined) <= cells) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (widthOf(line) > cells) {
      const head = cut(line, Math.max(1, cells), "");
      if (head === "") break;
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}
