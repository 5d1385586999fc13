import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { countOf } from "../../../text/count.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError, usageError } from "../failures/command-error.ts";
import { isRegularFile, openInput } from "../files/input-file.ts";
import { contentOf } from "../state/journal.ts";
import { csvRecords, delimiterOf } from "./csv.ts";
import { type Chunks, decodeText, linesOf } from "./lines.ts";

/** Formats rows can be read from. */
export const rowFormats = ["csv", "ndjson", "json"] as const;
export type RowFormat = (typeof rowFormats)[number];

/** Formats of files; Parquet cannot come in pieces. */
export const fileFormats = [...rowFormats, "parquet"] as const;
export type FileFormat = (typeof fileFormats)[number];

/** A row of a file, unchanged. */
export interface FileRow {
  /** Counted from 1; the header of a CSV file does not count. */
  readonly row: number;
  readonly value: unknown;
  /** Why this row cannot be read, though the ones behind it can. */
  readonly problem?: Error;
}

/** A file of rows that can be read more than once, held a row at a time. */
export interface RowFile {
  /** How messages name it. */
  readonly place: string;
  readonly path: string;
  /** Whether it is a copy of stdin or of a pipe, which goes away with the run. */
  readonly isCopy: boolean;
  /** The cells of CSV are texts without types. */
  readonly format: FileFormat;
  /** Between the cells of CSV. */
  readonly delimiter?: string;
  rows(): AsyncGenerator<FileRow, void, undefined>;
  /** Hash of what it holds and of all else that decides what is done; absent for what cannot be read again. */
  content(rest: readonly unknown[]): Promise<string | undefined>;
  /** Removes the copy. */
  close(): void;
}

/** What is known of a file of CSV. */
export interface CsvLayout {
  readonly form?: CsvForm;
  /** Between cells. */
  readonly delimiter?: string;
}

/** How CSV is read where it is not a header and rows. */
export interface CsvForm {
  /** The names of the columns by the first record; nothing where that is a row already. */
  header(first: readonly string[]): readonly string[] | undefined;
  /** The names where there is no header. */
  readonly names: readonly string[];
}

/** The format a name or the first characters speak for. */
export function guessRowFormat(name: string, start: string): RowFormat {
  const ending = /\.(csv|ndjson|jsonl|json)$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === "csv" || ending === "json" || ending === "ndjson") return ending;
  if (ending === "jsonl") return "ndjson";
  const text = start.replace(/^\ufeff/, "").trimStart();
  if (text.startsWith("[")) return "json";
  if (!text.startsWith("{")) return "csv";
  const [first = "", ...others] = text.split("\n", 2);
  return others.length === 0 || isJson(first) ? "ndjson" : "json";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The rows of a file of moderate size, for commands that check and send all of it at once. @throws for the first bad one */
export async function inputRows(
  ctx: CommandContext,
  place: string,
  format: string | undefined,
): Promise<{ readonly isText: boolean; readonly rows: readonly FileRow[] }> {
  const text = await ctx.readInput(place, "--input");
  const found = rowFormats.find((one) => one === format) ?? guessRowFormat(place, text);
  const rows: FileRow[] = [];
  for await (const row of readRows(Readable.from([text]), found, place)) {
    if (row.problem !== undefined) throw row.problem;
    rows.push(row);
  }
  return { isText: found === "csv", rows };
}

/** Opens a file of rows, or a copy of stdin. */
export async function openRows(
  ctx: CommandContext,
  place: string,
  format: string | undefined,
  { form, delimiter: chosen }: CsvLayout = {},
): Promise<RowFile> {
  const isStdin = place === "-";
  if (!isStdin && !existsSync(place)) {
    throw inputError(`The file ${quote(place)} does not exist.`, {
      code: "file.not_found",
      next: "Check the path; - reads stdin.",
    });
  }
  if (!isStdin && statSync(place).isDirectory()) {
    throw inputError(`${quote(place)} is a folder.`, { code: "file.is_folder", next: "Give a file in it." });
  }
  const isCopy = isStdin || !isRegularFile(place);
  const path = isCopy ? await copyOf(ctx, isStdin ? undefined : place) : place;
  const head = headOf(path);
  const found = fileFormats.find((one) => one === format) ?? formatOf(head, place);
  if (chosen !== undefined && found !== "csv") {
    if (isCopy) rmSync(join(path, ".."), { recursive: true, force: true });
    throw usageError(`--delimiter is about CSV, and the file is ${found}.`, {
      next: "Leave it out, or add --format csv.",
    });
  }
  // Without a header, the first line need not look like the others.
  const delimiter = chosen ?? (form === undefined ? delimiterOf(head) : ",");
  const csv = { delimiter, ...(form && { form }) };
  const shown = isStdin ? "stdin" : place;
  return {
    place: shown,
    path,
    isCopy,
    format: found,
    delimiter,
    rows: () => rowsOf(path, found, shown, csv),
    content: async (rest) => (isCopy ? undefined : contentOf(path, rest)),
    close: () => {
      if (isCopy) rmSync(join(path, ".."), { recursive: true, force: true });
    },
  };
}

/** What comes in on stdin or in a pipe is read more than once, so it is stored first. */
async function copyOf(ctx: CommandContext, pipe: string | undefined): Promise<string> {
  if (pipe === undefined && ctx.io.stdinIsTerminal) {
    throw usageError("- reads stdin, and stdin is a terminal.", { next: "Pipe the rows in, or pass a file." });
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

const HEAD_BYTES = 64 * 1024;

function headOf(path: string): string {
  const head = Buffer.alloc(HEAD_BYTES);
  const file = openSync(path, "r");
  try {
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    return head.toString("utf8", 0, length).replace(/^\ufeff/, "");
  } finally {
    closeSync(file);
  }
}

function formatOf(head: string, place: string): FileFormat {
  return /\.parquet$/i.test(place) || head.startsWith("PAR1") ? "parquet" : guessRowFormat(place, head);
}

function rowsOf(path: string, format: FileFormat, place: string, csv: CsvLayout) {
  if (format === "parquet") return parquetRows(path);
  return readRows(createReadStream(path, { highWaterMark: 256 * 1024 }), format, place, csv);
}

/** The columns of a file whose rows have the same ones; nothing where each row may have others. */
export async function columnsOf({
  path,
  format,
  place,
  delimiter = ",",
}: RowFile): Promise<readonly string[] | undefined> {
  if (format === "parquet") for await (const { value } of parquetRows(path)) return Object.keys(value as object);
  if (format !== "csv") return undefined;
  for await (const [header] of csvRecords(createReadStream(path), { delimiter }))
    if (header) return namesOf(header, place);
  return undefined;
}

async function* parquetRows(path: string): AsyncGenerator<FileRow, void, undefined> {
  const { readParquet } = await import("./parquet-file.ts");
  let row = 0;
  for await (const value of readParquet(path)) {
    row += 1;
    yield { row, value };
  }
}

/**
 * Reads rows one at a time, whatever the size of the file: objects of cells (strings) from CSV with a header row,
 * values of lines from ndjson, elements from a JSON list.
 *
 * @param place how errors name the file
 * @throws CommandError exit 3 with the row, if the rest cannot be parsed any more
 */
export function readRows(
  chunks: Chunks,
  format: RowFormat,
  place: string,
  csv: CsvLayout = {},
): AsyncGenerator<FileRow, void, undefined> {
  if (format === "csv") return csvRows(chunks, place, csv);
  return format === "json" ? listRows(chunks, place) : lineRows(chunks, place);
}

async function* csvRows(
  chunks: Chunks,
  place: string,
  { form, delimiter = "," }: CsvLayout,
): AsyncGenerator<FileRow, void, undefined> {
  let names: readonly string[] | undefined;
  let row = 0;
  try {
    for await (const records of csvRecords(chunks, { isLoose: form !== undefined, delimiter })) {
      for (const cells of records) {
        if (names === undefined) {
          const header = form === undefined ? cells : form.header(cells);
          names = namesOf(header ?? form?.names ?? [], place);
          if (header !== undefined) continue;
        }
        row += 1;
        const value = objectOf(names, cells);
        if (cells.length <= names.length || form !== undefined) yield { row, value };
        else {
          const why = `It has ${countOf(cells.length, "cell")} for ${countOf(names.length, "column")}`;
          yield { row, value, problem: broken(place, row, why) };
        }
      }
    }
  } catch (error) {
    const isOpen = error instanceof Error && "code" in error && error.code === "CSV_QUOTE_NOT_CLOSED";
    throw isOpen ? broken(place, row + 1, "A quoted cell is not closed") : error;
  }
}

/** The cells by their names; those that are missing are absent. */
function objectOf(names: readonly string[], cells: readonly string[]): object {
  const value: Record<string, string | undefined> = {};
  for (let at = 0; at < names.length && at < cells.length; at += 1) {
    const name = names[at] ?? "";
    // An assignment to this name would be about the prototype.
    if (name === "__proto__") Object.defineProperty(value, name, { value: cells[at], enumerable: true });
    else value[name] = cells[at];
  }
  return value;
}

function namesOf(cells: readonly string[], place: string): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw inputError(`The header of ${quote(place)} has the column ${quote(twice)} twice.`, {
    next: "Give every column a unique name.",
  });
}

/** A line that cannot be read does not keep the others from being read. */
async function* lineRows(chunks: Chunks, place: string): AsyncGenerator<FileRow, void, undefined> {
  let row = 0;
  for await (const line of linesOf(chunks)) {
    row += 1;
    if (line.trim() !== "") yield parsedRow(line, row, place, "Line");
  }
}

async function* listRows(chunks: Chunks, place: string): AsyncGenerator<FileRow, void, undefined> {
  let row = 0;
  for await (const text of elementsOf(decodeText(chunks), place)) {
    row += 1;
    yield parsedRow(text, row, place);
  }
}

function parsedRow(text: string, row: number, place: string, what = "Row"): FileRow {
  try {
    return { row, value: JSON.parse(text) as unknown };
  } catch (cause) {
    const problem = broken(place, row, cause instanceof Error ? cause.message : String(cause), what);
    return { row, value: undefined, problem };
  }
}

function broken(place: string, row: number, why: string, what = "Row"): Error {
  return inputError(`${what} ${row} of ${quote(place)} cannot be read.`, {
    code: "input.not_readable",
    why: why.endsWith(".") ? why : `${why}.`,
    next: "Fix the file and run the command again.",
    row,
  });
}

/** The elements of a JSON list, as texts; a document that is no list is its only element. */
async function* elementsOf(texts: AsyncIterable<string>, place: string): AsyncGenerator<string> {
  let open: string[] = [];
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let isList: boolean | undefined;
  let isClosed = false;
  let row = 0;
  const take = (): string => {
    const text = open.join("").trim();
    open = [];
    return text;
  };
  for await (const text of texts) {
    let start = 0;
    for (let i = 0; i < text.length; i += 1) {
      const char = text.charCodeAt(i);
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (char === 0x5c) isEscaped = true;
        else if (char === 0x22) isInText = false;
        continue;
      }
      if (char === 0x20 || char === 0x0a || char === 0x0d || char === 0x09) continue;
      if (isClosed) throw broken(place, row + 1, "There is text after the end of the list");
      if (isList === undefined) {
        isList = char === 0x5b;
        if (isList) {
          start = i + 1;
          continue;
        }
      }
      if (char === 0x22) isInText = true;
      else if (char === 0x5b || char === 0x7b) depth += 1;
      else if ((char === 0x5d || char === 0x7d) && depth > 0) depth -= 1;
      else if (isList && depth === 0 && (char === 0x2c || char === 0x5d)) {
        open.push(text.slice(start, i));
        start = i + 1;
        const element = take();
        isClosed = char === 0x5d;
        // Only an empty list has an end without an element before it.
        if (element === "" && !(isClosed && row === 0)) throw broken(place, row + 1, "A comma has no value next to it");
        if (element !== "") {
          row += 1;
          yield element;
        }
      }
    }
    if (!isClosed) open.push(text.slice(start));
  }
  if (isList === true && !isClosed) throw broken(place, row + 1, "The list is not closed");
  const rest = take();
  if (isList === false && rest !== "") yield rest;
}
