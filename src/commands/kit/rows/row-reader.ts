import { StringDecoder } from "node:string_decoder";
import { quote } from "../command/values.ts";
import { inputError } from "../failures/command-error.ts";

/** Formats rows can be read from. */
export const rowFormats = ["csv", "ndjson", "json"] as const;
export type RowFormat = (typeof rowFormats)[number];

/** A row of a file, as it stands there. */
export interface FileRow {
  /** Counted from 1; the header of a CSV file does not count. */
  readonly row: number;
  readonly value: unknown;
}

type Chunks = AsyncIterable<Buffer | string>;

/** The format a name or the first characters speak for. */
export function guessRowFormat(name: string, start: string): RowFormat {
  const ending = /\.(csv|ndjson|jsonl|json)$/i.exec(name)?.[1]?.toLowerCase();
  if (ending === "csv" || ending === "json" || ending === "ndjson") return ending;
  if (ending === "jsonl") return "ndjson";
  const text = start.replace(/^\ufeff/, "").trimStart();
  if (text.startsWith("[")) return "json";
  return text.startsWith("{") ? "ndjson" : "csv";
}

/**
 * Reads rows one at a time, whatever the size of the file: objects of cells (texts) from CSV with a header row, values
 * of lines from ndjson, elements from a JSON list.
 *
 * @param place how failures name the file
 * @throws CommandError exit 3 with the row, for what is not of the format
 */
export function readRows(chunks: Chunks, format: RowFormat, place: string): AsyncGenerator<FileRow> {
  const texts = textOf(chunks);
  if (format === "csv") return csvObjects(texts, place);
  return parsed(format === "json" ? elementsOf(texts, place) : linesOf(texts), place);
}

/** Text without a byte-order mark, cut anywhere but inside a character. */
async function* textOf(chunks: Chunks): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let isFirst = true;
  for await (const chunk of chunks) {
    const text = typeof chunk === "string" ? chunk : decoder.write(chunk);
    if (text === "") continue;
    yield isFirst && text.startsWith("\ufeff") ? text.slice(1) : text;
    isFirst = false;
  }
  yield decoder.end();
}

async function* parsed(texts: AsyncIterable<string>, place: string): AsyncGenerator<FileRow> {
  let row = 0;
  for await (const text of texts) {
    row += 1;
    yield { row, value: parseRow(text, row, place) };
  }
}

function parseRow(text: string, row: number, place: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw broken(place, row, cause instanceof Error ? cause.message : String(cause));
  }
}

function broken(place: string, row: number, why: string): Error {
  return inputError(`Row ${row} of ${quote(place)} cannot be read.`, {
    code: "input.not_readable",
    why: why.endsWith(".") ? why : `${why}.`,
    next: "Fix the file and run the command again.",
    row,
  });
}

/** Lines that hold something. */
async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  // Pieces of a line that is not complete yet; joined once, so that very long lines stay cheap.
  let open: string[] = [];
  for await (const text of texts) {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      open.push(text.slice(start, end));
      const line = open.join("");
      open = [];
      start = end + 1;
      if (line.trim() !== "") yield line;
    }
    open.push(text.slice(start));
  }
  const last = open.join("");
  if (last.trim() !== "") yield last;
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
      if (isClosed) throw broken(place, row + 1, "Something stands behind the end of the list");
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
        if (element === "" && !(isClosed && row === 0))
          throw broken(place, row + 1, "A comma has no element beside it");
        if (element !== "") {
          row += 1;
          yield element;
        }
      }
    }
    if (!isClosed) open.push(text.slice(start));
  }
  if (isList === true && !isClosed) throw broken(place, row + 1, "The list has no end");
  const rest = take();
  if (isList === false && rest !== "") yield rest;
}

/** Rows of a CSV file by the names of its header. Cells that are missing are absent. */
async function* csvObjects(texts: AsyncIterable<string>, place: string): AsyncGenerator<FileRow> {
  let names: readonly string[] | undefined;
  let row = 0;
  for await (const cells of csvRecords(texts, place)) {
    if (cells.length === 1 && cells[0] === "") continue;
    if (names === undefined) {
      names = header(cells, place);
      continue;
    }
    row += 1;
    if (cells.length > names.length) {
      throw broken(place, row, `It has ${cells.length} cells under ${names.length} columns`);
    }
    const known = names;
    yield { row, value: Object.fromEntries(cells.map((cell, index) => [known[index] ?? "", cell])) };
  }
}

function header(cells: readonly string[], place: string): readonly string[] {
  const names = cells.map((cell) => cell.trim());
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return names;
  throw inputError(`The header of ${quote(place)} names ${quote(twice)} twice.`, {
    next: "Give every column its own name.",
  });
}

/** RFC 4180, with any kind of line end. */
async function* csvRecords(texts: AsyncIterable<string>, place: string): AsyncGenerator<string[]> {
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  /** A quote was read inside a quoted cell: its end, or the first half of a quote. */
  let isHalf = false;
  let hasCr = false;
  let records = 0;
  for await (const text of texts) {
    let start = 0;
    const upTo = (end: number): void => {
      cell += text.slice(start, end);
      start = end + 1;
    };
    for (let i = 0; i < text.length; i += 1) {
      const char = text[i];
      if (isQuoted && !isHalf) {
        if (char === '"') {
          upTo(i);
          isHalf = true;
        }
        continue;
      }
      if (isHalf && char === '"') {
        // Twice: the quote itself.
        isHalf = false;
        start = i;
        continue;
      }
      if (isHalf) {
        isHalf = false;
        isQuoted = false;
      }
      const skipsLf = hasCr && char === "\n";
      hasCr = char === "\r";
      if (skipsLf) start = i + 1;
      else if (char === '"' && cell === "" && start === i) {
        isQuoted = true;
        start = i + 1;
      } else if (char === "," || char === "\n" || char === "\r") {
        upTo(i);
        cells.push(cell);
        cell = "";
        if (char === ",") continue;
        records += 1;
        yield cells;
        cells = [];
      }
    }
    cell += text.slice(start);
  }
  if (isQuoted && !isHalf) throw broken(place, Math.max(1, records), "A quoted cell has no end");
  if (cell !== "" || cells.length > 0) yield [...cells, cell];
}
