import type { Box } from "./images.ts";
import { label, shorten, type TextStyle, widthOf } from "./markup.ts";

const apart = (a: Box, b: Box): boolean =>
  a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;

interface Line extends TextStyle {
  readonly text: string;
  readonly size: number;
}

interface TextPoint {
  readonly x: number;
  /** Of the first line, as in an SVG. */
  readonly y: number;
  readonly anchor?: TextStyle["anchor"];
}

/** Distance of two lines, in sizes. */
const LEADING = 1.25;

/** Texts of a drawing that stand on nothing else: each takes the first free one of some positions, or is left out. */
export class Names {
  readonly #taken: Box[] = [];
  readonly #area: Box;

  constructor(area: Box) {
    this.#area = area;
  }

  /** Keeps texts away from a shape. */
  take(box: Box): void {
    this.#taken.push(box);
  }

  /** A text of one line or several at the first of these points around which it is free; "" if it is free at none. */
  put(lines: readonly Line[], points: readonly TextPoint[]): string {
    const shown = lines
      .map((each) => ({
        ...each,
        text: shorten(each.text, each.max ?? Number.POSITIVE_INFINITY, each.size, each.bold),
      }))
      .filter(({ text }) => text !== "");
    const [first] = shown;
    if (first === undefined) return "";
    const width = Math.max(...shown.map((each) => widthOf(each.text, each.size, each.bold)));
    for (const { x, y, anchor = "middle" } of points) {
      const left = anchor === "start" ? x : anchor === "end" ? x - width : x - width / 2;
      const box = { x: left - 1, y: y - first.size * 0.95, width: width + 2, height: heightOf(shown) };
      if (!this.#isFree(box)) continue;
      this.#taken.push(box);
      return shown
        .map(({ text, ...style }, i) => label(x, y + i * first.size * LEADING, text, { ...style, anchor }))
        .join("");
    }
    return "";
  }

  #isFree(box: Box): boolean {
    const { x, y, width, height } = this.#area;
    const isInside = box.x >= x && box.y >= y && box.x + box.width <= x + width && box.y + box.height <= y + height;
    return isInside && this.#taken.every((other) => apart(box, other));
  }
}

const heightOf = ([first, ...more]: readonly Line[]): number => (first?.size ?? 0) * LEADING * (1 + more.length);

/** Positions of a text of some lines around a shape: above, right, left, below, then at its corners. */
export function around({ x, y, width, height }: Box, size: number, lines = 1): readonly TextPoint[] {
  const rest = (lines - 1) * size * LEADING;
  const [middle, right, beside] = [x + width / 2, x + width, y + height / 2 + size * 0.35 - rest / 2];
  const [above, below] = [y - 4 - rest, y + height + size];
  return [
    { x: middle, y: above },
    { x: right + 4, y: beside, anchor: "start" },
    { x: x - 4, y: beside, anchor: "end" },
    { x: middle, y: below },
    { x: right, y: above, anchor: "start" },
    { x, y: above, anchor: "end" },
    { x: right, y: below, anchor: "start" },
    { x, y: below, anchor: "end" },
  ];
}

/** The same positions, those below the shape first. */
export const belowFirst = (box: Box, size: number, lines = 1): readonly TextPoint[] =>
  [...around(box, size, lines)].sort((a, b) => b.y - a.y);
