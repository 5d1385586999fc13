import { cleanLine } from "../../../text/clean.ts";
import { countText } from "../../../text/count.ts";
import { cut, padEnd, wrap } from "../../../text/width.ts";
import type { Theme } from "../../theme.ts";

/** A line of a screen. Text from outside is cleaned when it is drawn. */
export interface Line {
  readonly text: string;
  readonly color?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly inverse?: boolean;
}

/** Text in exactly this many cells: cut with a mark, or filled with spaces. */
export function inCells(text: string, cells: number, mark: string): string {
  if (cells <= 0) return "";
  return padEnd(cut(cleanLine(text, 2_000), cells, mark), cells);
}

/** Texts in columns; the last one gets what is left. */
export function columns(cells: readonly (readonly [text: string, width: number])[], mark: string): string {
  return cells.map(([text, width]) => inCells(text, width, mark)).join(" ");
}

/** `↓ 12 more`: lines that are below the last one drawn. */
export const moreBelow = (count: number, { down }: Pick<Theme["marks"], "down">): string =>
  `${down} ${countText(count)} more`;

/** The lines that fit; where not all do, the last one says how many more there are. */
export function clipped(lines: readonly Line[], height: number, marks: Pick<Theme["marks"], "down">): readonly Line[] {
  const below = lines.length - height;
  if (below <= 0 || height < 2) return lines;
  return [...lines.slice(0, height - 1), { text: `  ${moreBelow(below + 1, marks)}`, dim: true }];
}

/** Text over several lines, broken between words where that is possible. */
export function wrapped(text: string, cells: number): string[] {
  return wrap(cleanLine(text, 5_000), cells, true);
}
