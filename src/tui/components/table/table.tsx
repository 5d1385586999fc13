import { Text } from "ink";
import type { ReactNode } from "react";
import { cut, padEnd } from "../../../text/width.ts";
import { useTheme } from "../../hooks/screen-context.ts";
import { moreBelow, wrapped } from "../lines/fit.ts";
import { layOut, lineOf, type TableCell, type TableColumn } from "./columns.ts";

export interface TableRow {
  readonly id: string;
  /** One text per column, cleaned. Or one text over the whole width. */
  readonly cells: readonly TableCell[] | string;
  readonly isMarked?: boolean;
}

export interface TableProps {
  readonly columns: readonly TableColumn[];
  /** The rows to draw, no more than fit. */
  readonly rows: readonly TableRow[];
  readonly selected: string | undefined;
  readonly width: number;
  readonly height: number;
  /** Rows below those that are drawn. @default 0 */
  readonly below?: number;
  /** Texts shown when there is no row. */
  readonly empty: readonly string[];
}

/** A table of one line per row: a header, the selected row with a mark and inverse. */
export function Table({ columns, rows, selected, width, height, below = 0, empty }: TableProps): ReactNode {
  const { marks } = useTheme();
  const cells = rows.flatMap((row) => (typeof row.cells === "string" ? [] : [row.cells]));
  const laid = layOut(columns, cells, width - 2);
  const header = lineOf(
    laid,
    columns.map(({ title }) => title),
    marks.cut,
  );
  return (
    <>
      <Text bold wrap="truncate">{`  ${header}`}</Text>
      {rows.length === 0
        ? empty
            .flatMap((text) => wrapped(text, width - 2))
            .map((line, i) => ({ id: `empty ${i}`, line }))
            .map(({ id, line }) => <Text key={id} dimColor wrap="truncate">{`  ${line}`}</Text>)
        : null}
      {rows.slice(0, Math.max(0, height - 1)).map((row) => {
        const isSelected = row.id === selected;
        const isLine = typeof row.cells === "string";
        const text = isLine ? cut(String(row.cells), width - 2, marks.cut) : lineOf(laid, row.cells, marks.cut);
        const mark = `${isSelected ? marks.selected : " "}${row.isMarked === true ? marks.marked : " "}`;
        return (
          <Text key={row.id} inverse={isSelected} dimColor={isLine} wrap="truncate">
            {padEnd(`${mark}${text}`, isSelected ? width : 0)}
          </Text>
        );
      })}
      {below > 0 ? <Text dimColor wrap="truncate">{`  ${moreBelow(below, marks)}`}</Text> : null}
    </>
  );
}
