import { spreadsheetText } from "../kit/output/spreadsheet.ts";
import type { Row } from "./query.ts";

/** Formats rows are written in. */
export const exportFormats = ["csv", "ndjson", "json"] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** How rows become the text of a file. */
export interface RowText {
  readonly head: string;
  /** @param isFirst whether no row was written before */
  text(row: Row, isFirst: boolean): string;
  tail(isEmpty: boolean): string;
}

export interface TextChoice {
  /** Members, in order. */
  readonly fields: readonly string[];
  readonly header: boolean;
  readonly csvSafe: boolean;
  readonly csvBom: boolean;
}

const valueAt = (row: Row, name: string): unknown => (Object.hasOwn(row, name) ? row[name] : null);

export function rowText(format: ExportFormat, choice: TextChoice): RowText {
  if (format === "csv") return csvText(choice);
  const pick = (row: Row): string =>
    JSON.stringify(Object.fromEntries(choice.fields.map((name) => [name, valueAt(row, name) ?? null])));
  if (format === "ndjson") return { head: "", text: (row) => `${pick(row)}\n`, tail: () => "" };
  return {
    head: "[",
    text: (row, isFirst) => `${isFirst ? "\n" : ",\n"}  ${pick(row)}`,
    tail: (isEmpty) => (isEmpty ? "]\n" : "\n]\n"),
  };
}

/** RFC 4180; JSON values are JSON text, values that are not there are empty. */
function csvText({ fields, header, csvSafe, csvBom }: TextChoice): RowText {
  const cell = (value: unknown): string => {
    if (value === undefined || value === null) return "";
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    const plain = typeof value === "string" ? value : JSON.stringify(value);
    const text = csvSafe && typeof value === "string" ? spreadsheetText(plain) : plain;
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const line = (cells: readonly string[]): string => `${cells.join(",")}\r\n`;
  return {
    head: `${csvBom ? "\ufeff" : ""}${header ? line(fields) : ""}`,
    text: (row) => line(fields.map((name) => cell(valueAt(row, name)))),
    tail: () => "",
  };
}
