import { cleanLine } from "../../../text/clean.ts";
import { cut, padEnd, wrap } from "../../../text/width.ts";

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
  return wrap(cleanLine(text, 5_000), cells, true);
}
