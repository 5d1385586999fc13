import { closeSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import type { CommandContext } from "../context.ts";
import { onFile } from "../files/files.ts";
import { replaceFile } from "../files/replace-file.ts";
import { partName } from "./part-file.ts";
import { rowText } from "./row-text.ts";

/** What became of the rows of a batch, in a file: one line for each. */
export interface RowReport<Row extends object> {
  add(row: Row): void;
  /** Renames the file to its final name. Must always be called. */
  close(): void;
}

/** Rows that wait for each other: one call of the encoder costs as much as many lines. */
const MOST_WAITING = 500;

/** A report as CSV, or as JSON lines where the name ends so. Without a name, nothing is written. */
export async function openReport<Row extends object>(
  ctx: CommandContext,
  place: string | undefined,
  columns: readonly (keyof Row & string)[],
): Promise<RowReport<Row>> {
  if (place === undefined) return { add: () => undefined, close: () => undefined };
  const path = ctx.path(place);
  const isLines = /\.(ndjson|jsonl|json)$/i.test(path);
  const plain = { columns, header: true, csvSafe: false, csvBom: false };
  const { head, text } = await rowText<keyof Row & string>(isLines ? "ndjson" : "csv", plain);
  makeFolder(dirname(path), 0o777);
  const file = onFile(path, () => openSync(partName(path), "w"));
  let waiting: Row[] = [];
  const put = (piece: string): void => {
    onFile(path, () => writeSync(file, piece));
  };
  const flush = (): void => {
    put(text(waiting, false));
    waiting = [];
  };
  put(head);
  return {
    add(row) {
      waiting.push(row);
      if (waiting.length === MOST_WAITING) flush();
    },
    close() {
      flush();
      closeSync(file);
      replaceFile(partName(path), path);
      ctx.say.info(`Wrote the report ${place}.`, place);
    },
  };
}
