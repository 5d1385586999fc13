export interface ChartSize {
  readonly width: number;
  readonly height: number;
  /** Characters any terminal has instead of braille. */
  readonly ascii: boolean;
}

/** Dots in one braille character: two columns of four rows. */
const brailleDots = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;

/** How many values a chart of this size can show side by side. */
export const pointsOf = ({ width, ascii }: ChartSize): number => Math.max(1, ascii ? width : width * 2);

/**
 * A line through the values as rows of characters, top first. A missing value ends the line; the next value starts it again.
 *
 * @param values as many as `pointsOf` says
 */
export function drawChart(values: readonly (number | undefined)[], size: ChartSize): string[] {
  const { width, height, ascii } = size;
  const dotRows = ascii ? height : height * 4;
  const known = values.filter((value) => value !== undefined);
  if (known.length === 0) return Array.from({ length: height }, () => " ".repeat(width));
  const min = Math.min(...known);
  const span = Math.max(...known) - min;
  const rowOf = (value: number): number =>
    span === 0 ? Math.floor(dotRows / 2) : Math.round((1 - (value - min) / span) * (dotRows - 1));

  const dots = Array.from({ length: dotRows }, () => new Uint8Array(values.length));
  let before: number | undefined;
  values.forEach((value, column) => {
    if (value === undefined) {
      before = undefined;
      return;
    }
    const row = rowOf(value);
    // The way from the last value is drawn upright, so that the line has no holes.
    const from = before === undefined ? row : before < row ? before + 1 : before > row ? before - 1 : row;
    for (let y = Math.min(from, row); y <= Math.max(from, row); y += 1) {
      const line = dots[y];
      if (line !== undefined) line[column] = 1;
    }
    before = row;
  });
  return Array.from({ length: height }, (_, y) => (ascii ? asciiLine(dots[y]) : brailleLine(dots, y, width)));
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
