import { closeSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CommandContext } from "../context.ts";
import { makeFolder, onFile } from "../files/files.ts";
import { plainText } from "../output/values.ts";

/** What became of the rows of a batch, in a file: one line for each. */
export interface RowReport<Row extends object> {
  add(row: Row): void;
  /** Gives the file its name. To be called in every case. */
  close(): void;
}

/** A report as CSV, or as JSON lines where the name ends so. Nothing is kept in memory; without a name, nothing is written. */
export function openReport<Row extends object>(
  ctx: CommandContext,
  place: string | undefined,
  columns: readonly (keyof Row & string)[],
): RowReport<Row> {
  if (place === undefined) return { add: () => undefined, close: () => undefined };
  const path = resolve(ctx.cwd, place);
  const isLines = /\.(ndjson|jsonl|json)$/i.test(path);
  makeFolder(dirname(path), 0o777);
  const part = `${path}.part`;
  const file = onFile(path, () => openSync(part, "w"));
  let waiting = isLines ? "" : `${columns.join(",")}\r\n`;
  const flush = (): void => {
    onFile(path, () => writeSync(file, waiting));
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
      renameSync(part, path);
      ctx.say.info(`Wrote the report ${place}.`);
    },
  };
}

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
