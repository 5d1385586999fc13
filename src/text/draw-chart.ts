export interface ChartSize {
  readonly width: number;
  readonly height: number;
  /** Characters any terminal has instead of braille. */
  readonly ascii: boolean;
  /** Filled columns instead of a line. */
  readonly blocks?: boolean;
}

/** The least and the greatest of what one point stands for. */
interface Span {
  readonly low: number;
  readonly high: number;
}

export type ChartValue = number | Span | undefined;

/** Dots in one braille character: two columns of four rows. */
const brailleDots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const eighths = " ▁▂▃▄▅▆▇█";

/** How many values a chart of this size can show side by side. */
export const pointsOf = ({ width, ascii, blocks = false }: ChartSize): number =>
  Math.max(1, ascii || blocks ? width : width * 2);

const spanOf = (value: number | Span): Span => (typeof value === "number" ? { low: value, high: value } : value);

/** The least and the greatest of all values; nothing when there is none. */
export function rangeOfValues(values: readonly ChartValue[]): Span | undefined {
  let range: Span | undefined;
  for (const value of values) {
    if (value === undefined) continue;
    const { low, high } = spanOf(value);
    range = range === undefined ? { low, high } : { low: Math.min(low, range.low), high: Math.max(high, range.high) };
  }
  return range;
}

/**
 * A line through the values, or a filled column for each, as rows of characters, top first. A missing value ends the
 * line; the next value starts it again. A span is drawn upright.
 *
 * @param values as many as `pointsOf` says
 */
export function drawChart(values: readonly ChartValue[], size: ChartSize): string[] {
  const range = rangeOfValues(values);
  if (range === undefined) return Array.from({ length: size.height }, () => " ".repeat(size.width));
  return size.blocks === true ? drawColumns(values, range, size) : drawLine(values, range, size);
}

function drawLine(values: readonly ChartValue[], range: Span, { width, height, ascii }: ChartSize): string[] {
  const dotRows = ascii ? height : height * 4;
  const span = range.high - range.low;
  const rowOf = (value: number): number =>
    span === 0 ? Math.floor(dotRows / 2) : Math.round((1 - (value - range.low) / span) * (dotRows - 1));

  const dots = Array.from({ length: dotRows }, () => new Uint8Array(values.length));
  let before: { readonly top: number; readonly bottom: number } | undefined;
  values.forEach((value, column) => {
    if (value === undefined) {
      before = undefined;
      return;
    }
    const { low, high } = spanOf(value);
    const own = { top: rowOf(high), bottom: rowOf(low) };
    // The way from the last value is drawn upright, so that the line has no holes.
    const top = before !== undefined && before.bottom < own.top ? before.bottom + 1 : own.top;
    const bottom = before !== undefined && before.top > own.bottom ? before.top - 1 : own.bottom;
    for (let y = top; y <= bottom; y += 1) {
      const line = dots[y];
      if (line !== undefined) line[column] = 1;
    }
    before = own;
  });
  return Array.from({ length: height }, (_, y) => (ascii ? asciiLine(dots[y]) : brailleLine(dots, y, width)));
}

/** Every value has a column of at least one eighth, so that it differs from a missing one. */
function drawColumns(values: readonly ChartValue[], range: Span, { height, ascii }: ChartSize): string[] {
  const span = range.high - range.low;
  const levels = values.map((value) => {
    if (value === undefined) return 0;
    const { low, high } = spanOf(value);
    const share = span === 0 ? 0.5 : ((low + high) / 2 - range.low) / span;
    return 1 + Math.round(share * (height * 8 - 1));
  });
  return Array.from({ length: height }, (_, y) => {
    const floor = (height - 1 - y) * 8;
    return levels
      .map((level) => {
        const part = Math.max(0, Math.min(8, level - floor));
        return ascii ? (part === 0 ? " " : part < 5 ? "." : "#") : (eighths[part] ?? " ");
      })
      .join("");
  });
}

function asciiLine(line: Uint8Array | undefined): string {
  return Array.from(line ?? [], (dot) => (dot === 1 ? "*" : " ")).join("");
}

function brailleLine(dots: readonly Uint8Array[], y: number, width: number): string {
  let text = "";
  for (let x = 0; x < width; x += 1) {
    let bits = 0;
    brailleDots.forEach((column, dx) => {
      column.forEach((bit, dy) => {
        if (dots[y * 4 + dy]?.[x * 2 + dx] === 1) bits |= bit;
      });
    });
    text += bits === 0 ? " " : String.fromCharCode(0x2800 + bits);
  }
  return text;
}
