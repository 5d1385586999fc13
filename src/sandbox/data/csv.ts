import type { WireRow } from "./types.ts";

/** Columns of a file of device data, in output order. */
const COLUMNS = ["variable", "value", "group", "unit", "location", "metadata", "time"] as const;

/** Strings that would be parsed as another type are quoted. */
const LOOKS_TYPED = /^(true|false|[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?)$/i;

const encoder = new TextEncoder();

/** Writes pages of rows as CSV, one buffer per page. */
export async function* writeCsv(
  pages: Iterable<readonly WireRow[]>,
  options: { readonly headers: boolean },
): AsyncGenerator<Uint8Array> {
  const { stringify } = await import("csv-stringify/sync");
  if (options.headers) yield encoder.encode(`${COLUMNS.join(",")}\n`);
  const cast = {
    boolean: (value: boolean): string => String(value),
    string: (value: string) => (LOOKS_TYPED.test(value) ? { value, quoted: true } : value),
  };
  for (const rows of pages) {
    const cells = rows.map((row) =>
      COLUMNS.map((name) => {
        const cell = row[name];
        return typeof cell === "object" ? JSON.stringify(cell) : cell;
      }),
    );
    yield encoder.encode(stringify(cells, { cast }));
  }
}

/** A row of a file in the form of a POST body, and its line. */
export interface CsvRow {
  readonly line: number;
  readonly item: Readonly<Record<string, unknown>>;
}

/** A file that cannot be parsed: the message names the line. */
export class CsvProblem extends Error {
  override readonly name = "CsvProblem";
}

interface Cell {
  readonly text: string;
  readonly quoted: boolean;
}

/**
 * Parses rows of a CSV file with a header row. Columns can be in any order, and unknown ones are ignored. Empty cells
 * are absent fields. A value is a number or a boolean if it looks like one, and is not quoted in a row whose variable
 * is not quoted.
 *
 * @throws CsvProblem for a file without the column `variable`, or one that is not CSV
 */
export async function* readCsv(source: AsyncIterable<Uint8Array>): AsyncGenerator<CsvRow> {
  const { parse } = await import("csv-parse");
  const parser = parse({
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: 100_000,
    cast: (text, { quoting }): Cell => ({ text, quoted: quoting }),
    info: true,
  });
  const feeding = feed(source, parser);
  let names: readonly string[] | undefined;
  try {
    for await (const entry of parser) {
      const { record, info } = entry as { record: readonly Cell[]; info: { lines: number } };
      if (names === undefined) {
        names = record.map(({ text }) => text.toLowerCase());
        if (!names.includes("variable"))
          throw new CsvProblem("The first line must name the columns, variable among them");
        continue;
      }
      yield { line: info.lines, item: toItem(names, record, info.lines) };
    }
  } catch (error) {
    if (error instanceof CsvProblem || !(error instanceof Error)) throw error;
    throw new CsvProblem(error.message, { cause: error });
  } finally {
    parser.destroy();
    await feeding;
  }
  if (names === undefined) throw new CsvProblem("The file is empty");
}

/** Passes bytes to the parser at its pace. An error destroys the parser with it. */
async function feed(
  source: AsyncIterable<Uint8Array>,
  parser: NodeJS.WritableStream & { destroy(error?: Error): void },
) {
  try {
    for await (const bytes of source) {
      if (!parser.writable) return;
      if (!parser.write(bytes)) await Promise.race([once(parser, "drain"), once(parser, "close")]);
    }
    if (parser.writable) parser.end();
  } catch (error) {
    parser.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function once(parser: NodeJS.WritableStream, event: string): Promise<void> {
  return new Promise((resolve) => {
    parser.once(event, () => resolve());
  });
}

function toItem(names: readonly string[], record: readonly Cell[], line: number): Record<string, unknown> {
  const item: Record<string, unknown> = {};
  const isVariableQuoted = record[names.indexOf("variable")]?.quoted === true;
  for (const name of COLUMNS) {
    const cell = record[names.indexOf(name)];
    if (cell === undefined || cell.text === "") continue;
    if (name === "value") item[name] = cell.quoted && !isVariableQuoted ? cell.text : typed(cell.text);
    else item[name] = name === "location" || name === "metadata" ? objectOf(name, cell.text, line) : cell.text;
  }
  return item;
}

function typed(text: string): string | number | boolean {
  if (!LOOKS_TYPED.test(text)) return text;
  if (/^t/i.test(text)) return true;
  return /^f/i.test(text) ? false : Number(text);
}

/** JSON, or two numbers for a location: latitude and longitude. */
function objectOf(name: string, text: string, line: number): unknown {
  const pair = name === "location" ? /^([+-]?[\d.]+)\s*[,;]\s*([+-]?[\d.]+)$/.exec(text) : null;
  if (pair !== null) return { lat: Number(pair[1]), lng: Number(pair[2]) };
  try {
    return JSON.parse(text);
  } catch {
    throw new CsvProblem(`Line ${line}: ${name} must be JSON`);
  }
}
