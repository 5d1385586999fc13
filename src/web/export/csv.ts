import type { WidgetDataResult } from "../../index.ts";
import { isRecord } from "../../lib/widgets/draw/page.ts";
import { recordsOf } from "../text.ts";

type Fields = Readonly<Record<string, unknown>>;

/** What records have, in the order that people read them. */
const FIRST = ["time", "device", "variable", "value", "unit", "group", "location", "metadata", "id"];
/** Names of the same twice, and what the platform keeps for itself. */
const LEFT_OUT = new Set(["origin", "serie", "created_at"]);

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  const text =
    value instanceof Date ? value.toISOString() : typeof value === "object" ? JSON.stringify(value) : String(value);
  // A program for tables would calculate what starts like this.
  const safe = typeof value === "string" && /^[=+@\t\r]|^-(?![\d.]+$)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows of the same device, user or entity are one row: a list has one for each of its columns. */
function rowsOf({ content }: WidgetDataResult): Fields[] {
  const rows = new Map<string, Fields>();
  for (const { data, result } of content) {
    const [variable] = [data?.variables ?? []].flat();
    // The result of a calculation is a value alone.
    const found = Array.isArray(result)
      ? recordsOf(result)
      : isRecord(result)
        ? [result]
        : [{ variable, value: result }];
    for (const row of found) {
      const isData = "variable" in row;
      const key = isData ? `${row["id"] ?? rows.size}` : JSON.stringify([row["device"], row["user"], row["id"]]);
      rows.set(key, { ...rows.get(key), ...row });
    }
  }
  return [...rows.values()];
}

/** The data of a widget as CSV (RFC 4180), with times in UTC. */
export function csvOf(result: WidgetDataResult): string {
  const rows = rowsOf(result);
  const names = new Set(rows.flatMap((row) => Object.keys(row)).filter((name) => !LEFT_OUT.has(name)));
  const columns = [...FIRST.filter((name) => names.delete(name)), ...names];
  const lines = [columns, ...rows.map((row) => columns.map((name) => row[name]))];
  return lines.map((cells) => `${cells.map(cellOf).join(",")}\r\n`).join("");
}
