import { escapeJson } from "../../../text/clean.ts";
import { csvLines } from "./csv.ts";

export type Members<Column extends string> = Readonly<Partial<Record<Column, unknown>>>;

/**
 * How rows become the text of a file. The text of many rows is that of each, one after the other. What a terminal obeys or
 * an eye does not see is escaped in JSON, which reads the same.
 */
export interface RowText<Column extends string = string> {
  readonly head: string;
  /** @param isFirst whether no row was written before */
  text(rows: readonly Members<Column>[], isFirst: boolean): string;
  tail(isEmpty: boolean): string;
}

interface TextChoice<Column extends string> {
  /** Fields, in order. */
  readonly columns: readonly Column[];
  /** Missing fields of a row are null in JSON; elsewhere they are left out. */
  readonly isFilled?: boolean;
  readonly header: boolean;
  readonly csvSafe: boolean;
  readonly csvBom: boolean;
}

/** Rows the encoder is given at once: the cells of a page of 10,000 would cost a third more memory. */
const ROWS_AT_ONCE = 500;

export async function rowText<Column extends string>(
  format: "csv" | "ndjson" | "json",
  choice: TextChoice<Column>,
): Promise<RowText<Column>> {
  const { columns, isFilled = false, header, csvBom } = choice;
  const cell = (row: Members<Column>, column: Column): unknown =>
    Object.hasOwn(row, column) ? row[column] : undefined;
  if (format === "csv") {
    const lines = await csvLines(choice);
    return {
      head: `${csvBom ? "\ufeff" : ""}${header ? lines([columns]) : ""}`,
      text(rows) {
        let text = "";
        for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
          text += lines(rows.slice(at, at + ROWS_AT_ONCE).map((row) => columns.map((column) => cell(row, column))));
        }
        return text;
      },
      tail: () => "",
    };
  }
  const pick = (row: Members<Column>): string => {
    const picked = columns.map((column) => [column, cell(row, column) ?? (isFilled ? null : undefined)]);
    return JSON.stringify(Object.fromEntries(picked));
  };
  if (format === "ndjson") {
    return { head: "", text: (rows) => escapeJson(rows.map((row) => `${pick(row)}\n`).join("")), tail: () => "" };
  }
  return {
    head: "[",
    text: (rows, isFirst) =>
      escapeJson(rows.map((row, at) => `${isFirst && at === 0 ? "\n" : ",\n"}  ${pick(row)}`).join("")),
    tail: (isEmpty) => (isEmpty ? "]\n" : "\n]\n"),
  };
}
