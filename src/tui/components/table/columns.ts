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
}

export interface LaidColumn extends TableColumn {
  /** Which cell of a row. */
  readonly index: number;
  readonly width: number;
}

const GAP = 2;

const total = (columns: readonly LaidColumn[]): number =>
  columns.reduce((sum, { width }) => sum + width, 0) + GAP * Math.max(0, columns.length - 1);

const leastOf = ({ least, title }: TableColumn): number => least ?? widthOf(title);

/** Widths that fit: as wide as the cells, then the widest columns give way, then columns leave. */
export function layOut(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  width: number,
): LaidColumn[] {
  let laid = columns.map((column, index): LaidColumn => {
    const widest = rows.reduce((most, row) => Math.max(most, widthOf(row[index] ?? "")), widthOf(column.title));
    return { ...column, index, width: Math.max(leastOf(column), Math.min(column.most ?? widest, widest)) };
  });
  while (total(laid) > width) {
    const shrinkable = laid.filter((column) => column.width > leastOf(column));
    const [widest] = shrinkable.sort((a, b) => b.width - a.width);
    if (widest !== undefined) {
      laid = laid.map((column) => (column === widest ? { ...column, width: column.width - 1 } : column));
      continue;
    }
    const [leaving] = laid.filter(({ leaves = 0 }) => leaves > 0).sort((a, b) => (b.leaves ?? 0) - (a.leaves ?? 0));
    if (leaving === undefined) break;
    laid = laid.filter((column) => column !== leaving);
  }
  return laid;
}

/** One line of a table, exactly as wide as its columns. */
export function lineOf(columns: readonly LaidColumn[], cells: readonly string[], mark: string): string {
  return columns
    .map(({ index, width, align }) => {
      const text = cut(cells[index] ?? "", width, mark);
      return align === "right" ? padStart(text, width) : padEnd(text, width);
    })
    .join(" ".repeat(GAP));
}
