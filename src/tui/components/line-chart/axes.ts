import { type ChartValue, rangeOfValues } from "../../../text/draw-chart.ts";
import { widthOf } from "../../../text/width.ts";

/** From this many rows on the quarters have labels, too. */
const QUARTERS_FROM = 9;

/** A label for each row, most of them empty: the greatest value on top, the least below, and what lies between. */
export function valueLabels(values: readonly ChartValue[], rows: number, text: (value: number) => string): string[] {
  const labels = Array.from({ length: rows }, () => "");
  const range = rangeOfValues(values);
  if (range === undefined) return labels;
  const { low, high } = range;
  const last = rows - 1;
  if (low === high || last === 0) {
    labels[Math.floor(rows / 2)] = text(high);
    return labels;
  }
  const parts = rows >= QUARTERS_FROM ? 4 : rows >= 3 ? 2 : 1;
  for (let part = 0; part <= parts; part += 1) {
    const row = Math.round((last * part) / parts);
    labels[row] = text(high - ((high - low) * row) / last);
  }
  return labels;
}

/** Cells from one time to the next, at least. */
const TIME_EVERY = 24;

/** A line with times at equal distances, the first at its left end and the last at its right end. */
export function timeAxis(width: number, timeAt: (share: number) => string, line: string): string {
  const parts = Math.max(2, Math.floor(width / TIME_EVERY));
  const times = Array.from({ length: parts + 1 }, (_, i) => ` ${timeAt(i / parts)} `);
  const needed = times.reduce((sum, time) => sum + widthOf(time) + 1, 0);
  // Too narrow for a time in the middle: the ends say enough.
  const shown = needed <= width ? times : [times[0] ?? "", times.at(-1) ?? ""];
  let text = "";
  for (const [i, time] of shown.entries()) {
    const share = i / (shown.length - 1);
    const at = Math.round(share * width - share * widthOf(time));
    text += line.repeat(Math.max(0, at - widthOf(text))) + time;
  }
  return widthOf(text) > width ? line.repeat(width) : text;
}
