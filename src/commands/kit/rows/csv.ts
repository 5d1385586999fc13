import { on } from "node:events";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { spreadsheetText } from "../output/spreadsheet.ts";

export interface CsvReading {
  /** Lines of `#` are comments, and blanks around a cell do not count. */
  readonly isLoose?: boolean;
  /** Between cells; a comma unless given. */
  readonly delimiter?: string;
}

/** What is between the cells of a text: the one of `;` and tab that its first line has, where that has no comma. */
export function delimiterOf(start: string): string {
  const [line = ""] = start.replace(/"[^"]*"/g, "").split(/[\r\n]/, 1);
  const [one, ...others] = [",", ";", "\t"].filter((mark) => line.includes(mark));
  return one === undefined || others.length > 0 ? "," : one;
}

/**
 * The records of a CSV text as cells, some at a time: RFC 4180 with any line ends, whatever their number of cells. A quote in
 * the middle of a cell is a character like others.
 *
 * @throws an error with the code CSV_QUOTE_NOT_CLOSED
 */
export async function* csvRecords(
  chunks: AsyncIterable<Buffer | string>,
  { isLoose = false, delimiter = "," }: CsvReading = {},
): AsyncGenerator<readonly string[][], void, undefined> {
  const { parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    ...(isLoose ? { trim: true, comment: "#", comment_no_infix: true } : {}),
  });
  // Awaiting each record would take as long as parsing it.
  const readable = on(parser, "readable", { close: ["end"] });
  // The loop below throws the errors of both streams.
  const reading = pipeline(Readable.from(chunks), parser).catch(() => undefined);
  try {
    for await (const _ of readable) {
      const records: string[][] = [];
      for (let cells = parser.read(); cells !== null; cells = parser.read()) {
        if (cells.length > 1 || cells[0] !== "") records.push(cells);
      }
      yield records;
    }
  } finally {
    parser.destroy();
    await reading;
  }
}

/** Writes records as lines of CSV. */
export type CsvLines = (records: readonly (readonly unknown[])[]) => string;

/**
 * RFC 4180. What is not there is empty, objects are JSON text. Spaces at the ends are quoted too: many readers drop them
 * otherwise. `csvSafe` marks what a spreadsheet would run.
 */
export async function csvLines({ csvSafe = false }: { readonly csvSafe?: boolean } = {}): Promise<CsvLines> {
  const { stringify } = await import("csv-stringify/sync");
  const options = {
    record_delimiter: "\r\n",
    quoted_match: /[\r\n]|^\s|\s$/,
    cast: {
      boolean: String,
      date: (value: Date) => (Number.isNaN(value.getTime()) ? "" : value.toISOString()),
      ...(csvSafe && { string: spreadsheetText }),
    },
  };
  return (records) => stringify(records.slice(), options);
}
