import { closeSync, openSync, renameSync, writeSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { CommandContext } from "../kit/context.ts";
import { makeFolder } from "../kit/files.ts";

export type RowResult = "sent" | "sent before" | "failed" | "invalid" | "not tried";

/** A file that lists every row of an import with its result. */
export interface Report {
  add(row: number, result: RowResult, reason?: string): void;
  /** Gives the file its name. To be called in every case. */
  close(): Promise<void>;
}

/** CSV, or ndjson where the name says so. Without a name nothing is written. */
export function openReport(ctx: CommandContext, place: string | undefined): Report {
  if (place === undefined) return { add: () => undefined, close: async () => undefined };
  const path = resolve(ctx.cwd, place);
  const isCsv = !/\.(ndjson|jsonl|json)$/i.test(path);
  makeFolder(dirname(path), 0o777);
  const part = `${path}.part`;
  const file = openSync(part, "w");
  let waiting = isCsv ? "row,result,reason\r\n" : "";
  const flush = (): void => {
    writeSync(file, waiting);
    waiting = "";
  };
  return {
    add(row, result, reason = "") {
      waiting += isCsv
        ? `${row},${result},${/[",\r\n]/.test(reason) ? `"${reason.replaceAll('"', '""')}"` : reason}\r\n`
        : `${JSON.stringify({ row, result, reason })}\n`;
      if (waiting.length > 64 * 1024) flush();
    },
    async close() {
      flush();
      closeSync(file);
      renameSync(part, path);
      ctx.say.info(`Wrote the report ${place}.`);
    },
  };
}
