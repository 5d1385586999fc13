import { cut, padEnd, padStart, prepareWidths, widthOf } from "../../../text/width.ts";
import { painter } from "./style.ts";

export interface TableColumn {
  readonly header: string;
  readonly isNumber: boolean;
  /** What stays longest where there is no room: see `rank` of `Column`. */
  readonly rank: 1 | 2 | 3;
  /** Long strings shrink first. */
  readonly mayShrink: boolean;
}

export interface TableStyle {
  readonly width: number;
  readonly bold: boolean;
  readonly ascii: boolean;
}

const gap = 2;
/** Text cut shorter than this says nothing; columns are left out instead. */
const leastWidth = 12;
/** Columns of a lower rank are left out before text of rank 1 is cut shorter than this. */
const leastMainWidth = 15;

export interface TableLayout {
  readonly widths: readonly number[];
  /** Indices of the columns that are drawn. */
  readonly shown: readonly number[];
}

interface Fitted {
  readonly index: number;
  readonly worth: number;
  readonly mayShrink: boolean;
  readonly natural: number;
  width: number;
}

const EMPTY = 0;
const LEAST = 1;
const CONSTANT = 2;
const USUAL = 3;
const MAIN = 4;

/** How much a column says: its rank, unless it is empty or the same in every row. */
function worthOf(rank: 1 | 2 | 3, cells: readonly string[]): number {
  if (rank === 1) return MAIN;
  if (cells.every((cell) => cell === "")) return EMPTY;
  if (rank === 3) return LEAST;
  return cells.length > 1 && cells.every((cell) => cell === cells[0]) ? CONSTANT : USUAL;
}

/** To what width a column may be cut before `next` is left out. */
function leastOf({ worth, natural }: Fitted, next: Fitted | undefined): number {
  if (next?.worth === EMPTY || (worth === MAIN && next !== undefined && next.worth <= CONSTANT)) return natural;
  return worth === MAIN && next !== undefined && next.worth !== MAIN ? leastMainWidth : leastWidth;
}

/** Cuts text, that of rank 1 last, until the columns fit. */
function fits(shown: readonly Fitted[], next: Fitted | undefined, limit: number): boolean {
  for (const column of shown) column.width = column.natural;
  let over = shown.reduce((sum, { width }) => sum + width + gap, -gap) - limit;
  for (; over > 0; over -= 1) {
    const [widest] = shown
      .filter((column) => column.mayShrink && column.width > leastOf(column, next))
      .sort((a, b) => Number(a.worth === MAIN) - Number(b.worth === MAIN) || b.width - a.width);
    if (widest === undefined) return false;
    widest.width -= 1;
  }
  return true;
}

/** Widths that fit the terminal. Where that is not enough, columns are left out: those that say least, from the right. */
function layout(columns: readonly TableColumn[], rows: readonly (readonly string[])[], limit: number): TableLayout {
  const all = columns.map(({ header, mayShrink, rank }, index): Fitted => {
    const cells = rows.map((row) => row[index] ?? "");
    const width = cells.reduce((most, cell) => Math.max(most, widthOf(cell)), widthOf(header));
    // One endless cell would make the cutting slow.
    const natural = mayShrink ? Math.min(width, Math.max(limit, leastWidth)) : width;
    return { index, worth: worthOf(rank, cells), mayShrink, natural, width: natural };
  });
  const leaving = all
    .filter(({ worth, mayShrink }) => worth !== MAIN || mayShrink)
    .sort((a, b) => a.worth - b.worth || b.index - a.index);
  const left: Fitted[] = [];
  const without = (some: readonly Fitted[]): readonly Fitted[] => all.filter((column) => !some.includes(column));
  for (const next of leaving) {
    if (left.length === all.length - 1 || fits(without(left), next, limit)) break;
    left.push(next);
  }
  // A narrow column may still find room beside a wide one that was left out after it.
  for (const column of left.toReversed()) {
    const rest = left.filter((other) => other !== column);
    if (column.worth !== EMPTY && fits(without(rest), column, limit)) left.splice(left.indexOf(column), 1);
  }
  const shown = without(left);
  fits(shown, undefined, limit);
  return { widths: all.map(({ width }) => width), shown: shown.map(({ index }) => index) };
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
  const paint = await painter(style.bold);
  return { text: `${paint(head, "bold")}\n${body}`, layout: found };
}
