import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { inputError, usageError } from "../../kit/failures/command-error.ts";
import { isRegularFile, openInput } from "../../kit/files/input-file.ts";
import { guessRowFormat, readRows } from "../../kit/rows/row-reader.ts";
import { parseJson } from "../records.ts";
import { linesOf } from "./lines.ts";
import type { ExportFormat } from "./record-text.ts";

/** A row of a file, as it stands there. */
export interface FileRow {
  /** Counted from 1; of CSV without the header. */
  readonly row: number;
  readonly value: unknown;
  /** Why the row cannot be read. */
  readonly problem?: unknown;
}

/** A file of rows that can be read more than once, held a row at a time. */
export interface RowFile {
  /** How messages name it. */
  readonly place: string;
  readonly path: string;
  /** Whether it is a copy of stdin, which goes away with the run. */
  readonly isCopy: boolean;
  /** Whether its cells are texts without types. */
  readonly isPlain: boolean;
  rows(): AsyncGenerator<FileRow, void, undefined>;
  /** Takes away the copy of stdin. */
  close(): void;
}

const HEAD_BYTES = 64 * 1024;

/** Opens a file of rows, or a copy of stdin. */
export async function openRows(ctx: CommandContext, place: string, format: string | undefined): Promise<RowFile> {
  const isStdin = place === "-";
  if (!isStdin && !existsSync(place)) {
    throw inputError(`The file ${quote(place)} does not exist.`, {
      code: "file.not_found",
      next: "Check the path; - reads stdin.",
    });
  }
  const isCopy = isStdin || !isRegularFile(place);
  const path = isCopy ? await copyOf(ctx, isStdin ? undefined : place) : place;
  const found = (format ?? formatOf(path, place)) as ExportFormat;
  const shown = isStdin ? "stdin" : place;
  return {
    place: shown,
    path,
    isCopy,
    isPlain: found === "csv",
    rows: () => rowsOf(path, found, shown),
    close: () => {
      if (isCopy) rmSync(join(path, ".."), { recursive: true, force: true });
    },
  };
}

/** What comes in on stdin or in a pipe is read more than once, so it is stored first. */
async function copyOf(ctx: CommandContext, pipe: string | undefined): Promise<string> {
  if (pipe === undefined && ctx.io.stdinIsTerminal) {
    throw usageError("--input - reads stdin, and stdin is a terminal.", { next: "Pipe the rows in, or name a file." });
  }
  const folder = mkdtempSync(join(tmpdir(), "iot-stdin-"));
  const path = join(folder, "rows");
  const source = pipe === undefined ? ctx.io.stdin : openInput(pipe, ctx.signal);
  try {
    await pipeline(source, createWriteStream(path, { mode: 0o600 }), { signal: ctx.signal });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  return path;
}

function formatOf(path: string, place: string): string {
  if (/\.parquet$/i.test(place)) return "parquet";
  const head = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    const text = head.toString("utf8", 0, length);
    return text.startsWith("PAR1") ? "parquet" : guessRowFormat(place, text);
  } finally {
    closeSync(file);
  }
}

function rowsOf(path: string, format: ExportFormat, place: string): AsyncGenerator<FileRow, void, undefined> {
  if (format === "parquet") return parquetRows(path);
  if (format === "ndjson") return lineRows(path, place);
  return readRows(createReadStream(path) as AsyncIterable<Buffer>, format, place);
}

/** A line that cannot be read does not keep the others from being read. */
async function* lineRows(path: string, place: string): AsyncGenerator<FileRow, void, undefined> {
  let row = 0;
  for await (const line of linesOf(createReadStream(path) as AsyncIterable<Buffer>)) {
    row += 1;
    const text = row === 1 ? line.replace(/^\ufeff/, "") : line;
    if (text.trim() === "") continue;
    let value: unknown;
    let problem: unknown;
    try {
      value = parseJson(text, place, row);
    } catch (error) {
      problem = error;
    }
    yield problem === undefined ? { row, value } : { row, value, problem };
  }
}

async function* parquetRows(path: string): AsyncGenerator<FileRow, void, undefined> {
  const { readParquet } = await import("./parquet-file.ts");
  let row = 0;
  for await (const value of readParquet(path)) {
    row += 1;
    yield { row, value };
  }
}
