import { createReadStream } from "node:fs";
import { CommandError } from "../../kit/failures/command-error.ts";
import type { FileFormat } from "../../kit/rows/reader.ts";

/** Records in a file this program has written, counted again from the disk. */
export async function countFile(path: string, format: FileFormat, header: boolean): Promise<number> {
  if (format === "parquet") return (await import("../../kit/rows/parquet-file.ts")).countParquet(path);
  const lines = await (format === "csv" ? countCsvRows(path) : countLines(path));
  if (format === "csv") return lines - (header ? 1 : 0);
  // A JSON document has its brackets on lines of their own; an empty one is a single line.
  return format === "json" ? Math.max(0, lines - 2) : lines;
}

/** The failure of an export with `--verify` whose files do not have what the platform has. */
export const exportDiffers = (message: string, next: string): CommandError =>
  new CommandError(message, {
    code: "export.differs",
    exit: 11,
    why: "Records were added or deleted in the range after they were read, or a file was changed.",
    next,
  });

const LINE_FEED = 10;
const QUOTE = 34;

async function countLines(path: string): Promise<number> {
  let lines = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
  }
  return lines;
}

/** Line ends outside of quotes. A doubled quote closes and opens again, so it needs no care of its own. */
async function countCsvRows(path: string): Promise<number> {
  let rows = 0;
  let isQuoted = false;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    for (const byte of chunk) {
      if (byte === QUOTE) isQuoted = !isQuoted;
      else if (byte === LINE_FEED && !isQuoted) rows += 1;
    }
  }
  return rows;
}
