import { cut, padEnd, padStart, widthOf } from "../../../text/width.ts";

export interface TableColumn {
  readonly title: string;
  readonly align?: "left" | "right";
  /** Narrowest width before other columns give way. @default width of the title */
  readonly least?: number;
  /** Widest width. @default no bound */
  readonly most?: number;
  /** Columns with the highest number leave first when the window is narrow. @default 0: stays */
  readonly leaves?: number;
  /** Takes the columns of the screen that nothing else needs. */
  readonly fills?: boolean;
}

/** The text of a cell, or a text for the width the cell gets. */
export type TableCell = string | ((width: number) => string);

const textOf = (cell: TableCell | undefined, width: number): string =>
  typeof cell === "function" ? cell(width) : (cell ?? "");

export interface LaidColumn extends TableColumn {
  /** Which cell of a row. */
  readonly index: number;
  readonly width: number;
}

const GAP = 2;

const total = (columns: readonly LaidColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + GAP * Math.max(0, columns.length - 1);

const leastOf = ({ least, title }: TableColumn): number => least ?? widthOf(title);

/** Widths that fit: as wide as the cells, then the widest columns give way, then columns leave; what is left fills one. */
export function layOut(
  columns: readonly TableColumn[],
  rows: readonly (readonly TableCell[])[],
  width: number,
): LaidColumn[] {
  let natural = columns.map((column, index): LaidColumn => {
    const widest = rows.reduce(
      (most, row) => Math.max(most, widthOf(textOf(row[index], leastOf(column)))),
      widthOf(column.title),
    );
    return { ...column, index, width: Math.max(leastOf(column), Math.min(column.most ?? widest, widest)) };
  });
  let laid = shrunk(natural, width);
  while (total(laid) > width) {
    const [leaving] = natural.filter(({ leaves = 0 }) => leaves > 0).sort((a, b) => (b.leaves ?? 0) - (a.leaves ?? 0));
    if (leaving === undefined) break;
    // The others get their width back before they give way again.
    natural = natural.filter((column) => column !== leaving);
    laid = shrunk(natural, width);
  }
  const free = width - total(laid);
  return laid.map((column) => {
    const most = column.fills === true ? Math.min(column.width + free, column.most ?? Number.POSITIVE_INFINITY) : 0;
    return { ...column, width: Math.max(column.width, most) };
  });
}

/** The widest columns give way, as far as each can. */
function shrunk(columns: readonly LaidColumn[], width: number): readonly LaidColumn[] {
  let laid = columns;
  while (total(laid) > width) {
    const [widest] = laid.filter((column) => column.width > leastOf(column)).sort((a, b) => b.width - a.width);
    if (widest === undefined) break;
    laid = laid.map((column) => (column === widest ? { ...column, width: column.width - 1 } : column));
  }
  return laid;
}

/** One line of a table, exactly as wide as its columns. */
export function lineOf(columns: readonly LaidColumn[], cells: readonly TableCell[], mark: string): string {
  return columns
    .map(({ index, width, align }) => {
      const text = cut(textOf(cells[index], width), width, mark);
      return align === "right" ? padStart(text, width) : padEnd(text, width);
    })
    .join(" ".repeat(GAP));
}
