import { fillOf, type Hue } from "./color.ts";
import { label, rect, shorten, widthOf } from "./markup.ts";

export interface LegendItem {
  readonly name: string;
  readonly hue: Hue;
}

const ROW = 20;
const MAX_NAME = 200;

/** A legend in a few centred rows, for the bottom of a drawing. */
export function legend(
  items: readonly LegendItem[],
  width: number,
  maxRows = 2,
): { height: number; at(y: number): string } {
  const rows: { item: LegendItem; text: string; width: number }[][] = [[]];
  let used = 0;
  let left = 0;
  for (const item of items) {
    const text = shorten(item.name, MAX_NAME, 12);
    const size = widthOf(text, 12) + 30;
    if (used + size > width - 70 && used > 0) {
      if (rows.length === maxRows) {
        left += 1;
        continue;
      }
      rows.push([]);
      used = 0;
    }
    used += size;
    rows.at(-1)?.push({ item, text, width: size });
  }
  const height = items.length === 0 ? 0 : rows.length * ROW + 6;
  return {
    height,
    at(y) {
      return rows
        .map((row, i) => {
          const more = left > 0 && i === rows.length - 1 ? `+${left} more` : "";
          const total = row.reduce((sum, each) => sum + each.width, 0) + widthOf(more, 12);
          let x = Math.max(4, (width - total) / 2);
          const top = y + 14 + i * ROW;
          const marks = row.map(({ item, text, width: size }) => {
            const mark =
              rect(x, top - 9, 10, 10, { ...fillOf(item.hue), rx: 3 }) + label(x + 15, top, text, { soft: true });
            x += size;
            return mark;
          });
          return marks.join("") + label(x, top, more, { soft: true });
        })
        .join("");
    },
  };
}
