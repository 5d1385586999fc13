import { spreadsheetText } from "../../kit/output/spreadsheet.ts";
import type { DataRecord } from "./windows.ts";

export const exportFormats = ["csv", "ndjson", "json", "parquet"] as const;
export type ExportFormat = (typeof exportFormats)[number];

export const recordColumns = [
  "device",
  "id",
  "time",
  "variable",
  "value",
  "unit",
  "group",
  "location",
  "metadata",
  "created_at",
] as const;
export type RecordColumn = (typeof recordColumns)[number];

/** Columns without `--fields`; `created_at` is another question to the platform. */
export const usualColumns: readonly RecordColumn[] = recordColumns.filter((name) => name !== "created_at");

/** How records become the text of a file. The text of many records is that of each, one after the other. */
export interface RecordText {
  readonly head: string;
  /** @param isFirst whether no record was written before */
  text(records: readonly DataRecord[], isFirst: boolean): string;
  tail(isEmpty: boolean): string;
}

export interface TextChoice {
  readonly columns: readonly RecordColumn[];
  readonly header: boolean;
  readonly csvSafe: boolean;
  readonly csvBom: boolean;
}

export function recordText(format: Exclude<ExportFormat, "parquet">, choice: TextChoice): RecordText {
  if (format === "csv") return csvText(choice);
  const pick = picker(choice.columns);
  if (format === "ndjson") {
    return { head: "", tail: () => "", text: (records) => records.map((one) => `${pick(one)}\n`).join("") };
  }
  return {
    head: "[",
    text: (records, isFirst) => records.map((one, i) => `${isFirst && i === 0 ? "\n" : ",\n"}  ${pick(one)}`).join(""),
    tail: (isEmpty) => (isEmpty ? "]\n" : "\n]\n"),
  };
}

/** The members of a record that were asked for, in that order, as JSON. */
function picker(columns: readonly RecordColumn[]): (record: DataRecord) => string {
  return (record) => {
    const picked: Record<string, unknown> = {};
    for (const column of columns) if (record[column] !== undefined) picked[column] = record[column];
    return JSON.stringify(picked);
  };
}

// Spaces at the ends are quoted too: many readers drop them otherwise.
const needsQuotes = /[",\r\n]|^\s|\s$/;

/** RFC 4180. Written by hand: a general encoder takes five times as long, and millions of records pass here. */
function csvText({ columns, header, csvSafe, csvBom }: TextChoice): RecordText {
  const cell = (value: unknown): string => {
    if (value === undefined || value === null) return "";
    if (typeof value === "number" || typeof value === "boolean") return String(value);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "" : value.toISOString();
    const plain = typeof value === "string" ? value : JSON.stringify(value);
    const text = csvSafe && typeof value === "string" ? spreadsheetText(plain) : plain;
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const [first = "id", ...others] = columns;
  return {
    head: `${csvBom ? "\ufeff" : ""}${header ? `${columns.join(",")}\r\n` : ""}`,
    text(records) {
      let text = "";
      for (const record of records) {
        text += cell(record[first]);
        for (const column of others) text += `,${cell(record[column])}`;
        text += "\r\n";
      }
      return text;
    },
    tail: () => "",
  };
}
