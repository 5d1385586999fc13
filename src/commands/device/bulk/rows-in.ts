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
import { inputError, usageError } from "../../kit/command-error.ts";
import type { CommandContext } from "../../kit/context.ts";
import { quote } from "../../kit/options.ts";
import { guessFormat, parseJson } from "../records.ts";
import { jsonItems } from "./json-items.ts";
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
  const path = isStdin ? await copyOfStdin(ctx) : place;
  if (!existsSync(path)) {
    throw inputError(`The file ${quote(place)} does not exist.`, {
      code: "file.not_found",
      next: "Check the path; - reads stdin.",
    });
  }
  const found = (format ?? formatOf(path, place)) as ExportFormat;
  const shown = isStdin ? "stdin" : place;
  return {
    place: shown,
    path,
    isPlain: found === "csv",
    rows: () => rowsOf(path, found, shown),
    close: () => {
      if (isStdin) rmSync(join(path, ".."), { recursive: true, force: true });
    },
  };
}

async function copyOfStdin(ctx: CommandContext): Promise<string> {
  if (ctx.io.stdinIsTerminal) {
    throw usageError("--input - reads stdin, and stdin is a terminal.", { next: "Pipe the rows in, or name a file." });
  }
  const path = join(mkdtempSync(join(tmpdir(), "iot-stdin-")), "rows");
  await pipeline(ctx.io.stdin, createWriteStream(path, { mode: 0o600 }));
  return path;
}

function formatOf(path: string, place: string): string {
  if (/\.parquet$/i.test(place)) return "parquet";
  const head = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    const text = head.toString("utf8", 0, length).replace(/^\ufeff/, "");
    if (text.startsWith("PAR1")) return "parquet";
    const isNamed = /\.(csv|json|ndjson|jsonl)$/i.test(place);
    return isNamed || /^\s*[[{]/.test(text) ? guessFormat(place, text) : "csv";
  } finally {
    closeSync(file);
  }
}

function rowsOf(path: string, format: ExportFormat, place: string): AsyncGenerator<FileRow, void, undefined> {
  if (format === "csv") return csvRows(path, place);
  if (format === "parquet") return parquetRows(path);
  return jsonRows(format === "json" ? jsonItems(decoded(path)) : linesOf(decoded(path)), place);
}

/** The text of a file without its byte-order mark. */
async function* decoded(path: string): AsyncGenerator<string, void, undefined> {
  let isFirst = true;
  for await (const chunk of createReadStream(path, "utf8") as AsyncIterable<string>) {
    yield isFirst ? chunk.replace(/^\ufeff/, "") : chunk;
    isFirst = false;
  }
}

async function* jsonRows(texts: AsyncIterable<string>, place: string): AsyncGenerator<FileRow, void, undefined> {
  let row = 0;
  for await (const text of texts) {
    row += 1;
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

async function* csvRows(path: string, place: string): AsyncGenerator<FileRow, void, undefined> {
  const { parse } = await import("csv-parse");
  const parser = parse({ columns: true, skip_empty_lines: true, trim: true, bom: true });
  const source = createReadStream(path);
  source.once("error", (error) => parser.destroy(error));
  let row = 0;
  try {
    for await (const value of source.pipe(parser) as AsyncIterable<unknown>) {
      row += 1;
      yield { row, value };
    }
  } catch (cause) {
    if (!(cause instanceof Error) || !("code" in cause) || !String(cause.code).startsWith("CSV_")) throw cause;
    throw inputError(`Row ${row + 1} of ${quote(place)} is not CSV with a header row.`, {
      row: row + 1,
      why: cause.message,
      next: "Mend it and run the command again.",
      cause,
    });
  } finally {
    source.destroy();
  }
}
