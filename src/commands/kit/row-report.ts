import { closeSync, openSync, writeSync } from "node:fs";
import { resolve } from "node:path";
import type { CommandContext } from "./context.ts";
import { plainText } from "./output/values.ts";

/** What became of the rows of a batch, in a file: one line for each (contract, section 11). */
export interface RowReport<Row extends object> {
  add(row: Row): void;
  close(): void;
}

/** A report as CSV, or as JSON lines where the name ends so. Nothing is kept in memory. */
export function openReport<Row extends object>(
  ctx: CommandContext,
  path: string | undefined,
  columns: readonly (keyof Row & string)[],
): RowReport<Row> {
  if (path === undefined) return { add: () => undefined, close: () => undefined };
  const isLines = /\.(ndjson|jsonl|json)$/i.test(path);
  const file = openSync(resolve(ctx.cwd, path), "w");
  let waiting = isLines ? "" : `${columns.join(",")}\r\n`;
  const flush = (): void => {
    writeSync(file, waiting);
    waiting = "";
  };
  return {
    add(row) {
      waiting += isLines
        ? `${JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))}\n`
        : `${columns.map((key) => csvCell(plainText(row, { key }))).join(",")}\r\n`;
      if (waiting.length > 64_000) flush();
    },
    close() {
      flush();
      closeSync(file);
    },
  };
}

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
