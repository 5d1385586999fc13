import { cut, padEnd, padStart, prepareWidths, widthOf } from "../../../text/width.ts";

export interface TableColumn {
  readonly header: string;
  /** Ids are never cut and never left out. */
  readonly isId: boolean;
  readonly isNumber: boolean;
  /** Long text gives way first. */
  readonly mayShrink: boolean;
}

export interface TableStyle {
  readonly width: number;
  readonly bold: boolean;
  readonly ascii: boolean;
}

const gap = 2;
/** Text cut shorter than this says nothing; the last columns are left out instead. */
const leastWidth = 12;

export interface TableLayout {
  readonly widths: readonly number[];
  /** Indices of the columns that are drawn. */
  readonly shown: readonly number[];
}

const totalOf = (widths: readonly number[], shown: readonly number[]): number =>
  shown.reduce((sum, i) => sum + (widths[i] ?? 0), 0) + gap * Math.max(0, shown.length - 1);

function shrink(columns: readonly TableColumn[], widths: number[], shown: readonly number[], limit: number): void {
  for (let over = totalOf(widths, shown) - limit; over > 0; over -= 1) {
    const widest = shown
      .filter((i) => columns[i]?.mayShrink === true && (widths[i] ?? 0) > leastWidth)
      .sort((a, b) => (widths[b] ?? 0) - (widths[a] ?? 0))[0];
    if (widest === undefined) return;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
}

/** Widths that fit the terminal. What cannot fit is left out from the right; ids stay. */
function layout(columns: readonly TableColumn[], rows: readonly (readonly string[])[], limit: number): TableLayout {
  const natural = columns.map((column, i) =>
    rows.reduce((most, row) => Math.max(most, widthOf(row[i] ?? "")), widthOf(column.header)),
  );
  // One endless cell would make the shrinking below slow.
  const widths = natural.map((width, i) =>
    columns[i]?.mayShrink === true ? Math.min(width, Math.max(limit, leastWidth)) : width,
  );
  let shown = columns.map((_, i) => i);
  shrink(columns, widths, shown, limit);
  while (totalOf(widths, shown) > limit && shown.length > 1) {
    const last = shown.findLast((i) => columns[i]?.isId !== true);
    if (last === undefined) break;
    shown = shown.filter((i) => i !== last);
    for (const i of shown)
      widths[i] = Math.min(
        natural[i] ?? 0,
        columns[i]?.mayShrink === true ? Math.max(limit, leastWidth) : (natural[i] ?? 0),
      );
    shrink(columns, widths, shown, limit);
  }
  return { widths, shown };
}

function line(
  columns: readonly TableColumn[],
  cells: readonly string[],
  { widths, shown }: TableLayout,
  style: TableStyle,
): string {
  const parts = shown.map((i, position) => {
    const column = columns[i];
    const width = widths[i] ?? 0;
    const raw = cells[i] ?? "";
    const text = column?.mayShrink === true ? cut(raw, width, style.ascii ? "..." : "…") : raw;
    if (column?.isNumber === true) return padStart(text, width);
    return position === shown.length - 1 ? text : padEnd(text, width);
  });
  return parts.join(" ".repeat(gap)).trimEnd();
}

/** Draws rows under one header; further rows may be drawn with the same layout. */
export async function drawTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  style: TableStyle,
  options: { readonly header: boolean; readonly layout?: TableLayout },
): Promise<{ readonly text: string; readonly layout: TableLayout }> {
  await prepareWidths([...rows.flat(), ...columns.map((column) => column.header)]);
  const found = options.layout ?? layout(columns, rows, style.width);
  const body = rows.map((row) => `${line(columns, row, found, style)}\n`).join("");
  if (!options.header) return { text: body, layout: found };
  const head = line(
    columns,
    columns.map((column) => column.header),
    found,
    style,
  );
  return { text: `${style.bold ? `\u001b[1m${head}\u001b[22m` : head}\n${body}`, layout: found };
}
