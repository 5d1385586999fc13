import type { EntityDocument } from "../store/document.ts";
import { schemaOf } from "./fields.ts";
import type { ShownRow } from "./rows.ts";

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Rows as CSV, one column per field of the schema. */
export function csvOf(entity: EntityDocument, rows: Iterable<ShownRow>, hasHeader: boolean): string {
  const fields = Object.keys(schemaOf(entity));
  const lines = hasHeader ? [fields.map(cell).join(",")] : [];
  for (const row of rows) lines.push(fields.map((field) => cell(row[field])).join(","));
  return lines.map((line) => `${line}\n`).join("");
}
