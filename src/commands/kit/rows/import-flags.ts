import type { Input, Options } from "../command/options.ts";
import { keyValue, quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { inputError, usageError } from "../failures/command-error.ts";
import { resumeOptions } from "../state/journal.ts";
import { type CsvForm, columnsOf, fileFormats, openRows, type RowFile } from "./reader.ts";

/** The flags of every import of a file. */
export const importOptions = (map: string) =>
  [
    { name: "input", file: "in", value: "file", summary: "CSV, ndjson, JSON or Parquet file; - is stdin" },
    {
      name: "format",
      formerly: ["input-format"],
      value: "format",
      summary: "format, if it cannot be detected",
      choices: fileFormats,
    },
    {
      name: "delimiter",
      value: "char",
      summary: "character between the cells of CSV, if it cannot be detected",
      choices: [",", ";", "tab", "|"],
    },
    { name: "map", value: "col=field", summary: map, repeat: true },
    {
      name: "report",
      file: "out",
      value: "file",
      summary: "write the result of each row to a CSV or ndjson file; skips bad rows",
    },
    { name: "skip-invalid", summary: "skip bad rows and continue" },
    ...resumeOptions,
  ] as const satisfies Options;

export type ImportInput = Input<[], ReturnType<typeof importOptions>>;

/** Opens the file that the argument or `--input` names. */
export async function withRowFile<T>(
  ctx: CommandContext,
  input: ImportInput,
  given: string | undefined,
  work: (file: RowFile) => Promise<T>,
  form?: CsvForm,
): Promise<T> {
  const named = input.options.input;
  if (given !== undefined && named !== undefined)
    throw usageError("Two files given.", { next: "Use the argument or --input." });
  const place = given ?? named;
  if (place === undefined) throw usageError("No file given.", { next: "Add it with --input; - is stdin." });
  const file = await openInputRows(ctx, input, place, form);
  try {
    return await work(file);
  } finally {
    file.close();
  }
}

export async function openInputRows(
  ctx: CommandContext,
  input: ImportInput,
  place: string,
  form?: CsvForm,
): Promise<RowFile> {
  if (place === "-" && input.options.resume) {
    throw usageError("--resume needs a file.", {
      why: "stdin cannot be read twice.",
      next: "Add a file with --input.",
    });
  }
  const { format, delimiter } = input.options;
  return openRows(ctx, place === "-" ? place : ctx.path(place), format, {
    ...(form && { form }),
    ...(delimiter !== undefined && { delimiter: delimiter === "tab" ? "\t" : delimiter }),
  });
}

/** What the flags say about how the file is read. */
export const formatFlag = ({ options: { format, delimiter } }: ImportInput): unknown =>
  delimiter === undefined ? format : [format, delimiter];

/** The field of each column; an empty string leaves it out. */
export type ColumnMap = ReadonlyMap<string, string>;

export interface MapInput {
  readonly options: { readonly map: readonly string[] };
}

/** `--map col=field`. @param next names the fields when one is unknown */
export function columnMap({ options }: MapInput, isField: (field: string) => boolean, next: string): ColumnMap {
  const map = new Map<string, string>();
  for (const text of options.map) {
    const { key, value } = keyValue(text, "--map");
    if (value !== "" && !isField(value)) throw usageError(`Unknown field ${quote(value)} in --map.`, { next });
    if (map.has(key)) throw usageError(`--map has the column ${quote(key)} twice.`, { next: "Remove one." });
    map.set(key, value);
  }
  return map;
}

/** The cells of a row by field. A mapped column wins over one named like the field. */
export function mapped(value: object, map: ColumnMap): [field: string, cell: unknown][] {
  const taken = new Set(map.values());
  return Object.entries(value).flatMap(([column, cell]): [string, unknown][] => {
    const field = map.get(column) ?? (taken.has(column) ? "" : column);
    return field === "" ? [] : [[field, cell]];
  });
}

/** The column of a field, as the file names it. */
export const columnOf = (map: ColumnMap, field: string): string =>
  [...map].find(([, mappedTo]) => mappedTo === field)?.[0] ?? field;

/** Whether bad rows are skipped instead of ending the import. */
export const isTolerant = ({ options }: ImportInput): boolean => options.report !== undefined || options.skipInvalid;

const SHOWN_COLUMNS = 20;

/** Whether a column stands for the field. */
export const hasColumn = (columns: readonly string[], map: ColumnMap, field: string): boolean =>
  columns.some((column) => (map.get(column) ?? column) === field);

/**
 * Finds out before any row is read that the file has no column for a field that each row needs.
 *
 * @param other what to do besides mapping a column
 */
export async function requireColumn(file: RowFile, map: ColumnMap, field: string, other = ""): Promise<void> {
  const columns = (await columnsOf(file)) ?? [];
  if (columns.length === 0 || hasColumn(columns, map, field)) return;
  const free = columns.filter((column) => !map.has(column));
  const likely = free.find((column) => column.toLowerCase().includes(field)) ?? free[0] ?? "COLUMN";
  const more = columns.length > SHOWN_COLUMNS ? " and more" : "";
  throw inputError(`${quote(file.place)} has no column ${quote(field)}.`, {
    why: `Columns found: ${columns.slice(0, SHOWN_COLUMNS).join(", ")}${more}.`,
    next: `Use ${other}--map ${quote(`${likely}=${field}`)}.`,
  });
}
