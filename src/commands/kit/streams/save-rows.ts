import { existsSync } from "node:fs";
import { escapeJson } from "../../../text/clean.ts";
import { countOf } from "../../../text/count.ts";
import type { LiveRow } from "../../../tui/live/types.ts";
import { inputError } from "../failures/command-error.ts";
import { isObject, writeWhole } from "../files/files.ts";
import { redact } from "../say/redact.ts";

/** Columns that come first, when any record has them. */
const firstColumns = ["time", "device", "variable", "value", "unit", "group", "id"];

/**
 * Writes records, oldest first, in the format of the file extension: csv, ndjson or json. Never replaces an existing
 * file. Returns a summary.
 */
export async function saveRows(path: string, newestFirst: readonly LiveRow[], place: string): Promise<string> {
  const ending = /\.(csv|ndjson|json)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === undefined) {
    throw inputError("The file name must end with .csv, .ndjson or .json.", {
      code: "file.format",
      next: "Change the ending.",
    });
  }
  if (existsSync(place)) {
    throw inputError(`${path} already exists; use another name.`, { code: "file.exists", next: "Use another name." });
  }
  const records = newestFirst.toReversed().map(({ record }) => record);
  writeWhole(place, redact(await textOf(records, ending)), { file: 0o600, folder: 0o755 });
  return `Saved ${countOf(records.length, "record")} to ${path}.`;
}

async function textOf(records: readonly unknown[], ending: string): Promise<string> {
  if (ending === "ndjson") return records.map((record) => `${escapeJson(JSON.stringify(record))}\n`).join("");
  if (ending === "json") return `${escapeJson(JSON.stringify(records, null, 2))}\n`;
  const rows = records.map((record) => (isObject(record) ? record : { value: record }));
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const columns = [
    ...firstColumns.filter((name) => names.has(name)),
    ...[...names].filter((name) => !firstColumns.includes(name)).sort(),
  ];
  const { csvLines } = await import("../rows/csv.ts");
  return (await csvLines())([columns, ...rows.map((row) => columns.map((name) => row[name]))]);
}
