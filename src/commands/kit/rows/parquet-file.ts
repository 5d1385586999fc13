import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import { gunzipSync } from "node:zlib";
import { inputError } from "../failures/command-error.ts";
import { isObject } from "../files/files.ts";
import { replaceFile } from "../files/replace-file.ts";
import { linesOf } from "./lines.ts";
import { partName } from "./part-file.ts";

type Row = Record<string, unknown>;

/** Rows that are held at a time: 100,000 would take four times the memory for files that are a tenth smaller. */
const GROUP_ROWS = 20_000;
const STATISTICS_CHARACTERS = 32;

/** A column of the file. A value has one of three columns, for a column holds one type. */
export interface ParquetColumn {
  readonly name: string;
  readonly type: "STRING" | "DOUBLE" | "BOOLEAN" | "TIMESTAMP";
}

/** What the files of a table have beside the columns of records. */
export interface ParquetTable {
  /** Ids of all columns: engines find a column by its id. */
  readonly ids: Readonly<Record<string, number>>;
  /** Columns with one value. */
  readonly constants: Readonly<Record<string, string | null>>;
  /** The schema of the table, for engines that read it from the file. */
  readonly schema: object;
}

export function parquetColumns(columns: readonly string[]): ParquetColumn[] {
  return columns.flatMap((name): ParquetColumn[] => {
    if (name === "time" || name === "created_at") return [{ name, type: "TIMESTAMP" }];
    if (name !== "value") return [{ name, type: "STRING" }];
    return [
      { name: "value", type: "DOUBLE" },
      { name: "value_text", type: "STRING" },
      { name: "value_flag", type: "BOOLEAN" },
    ];
  });
}

/** Makes the Parquet file of its part, which holds a record per line. May be called again after a kill. */
export async function settleParquet(file: string, columns: readonly string[], table?: ParquetTable): Promise<void> {
  const { fileWriter, parquetWriteRows } = await import("hyparquet-writer");
  const whole = `${file}.whole`;
  const form = table === undefined ? { columns: parquetColumns(columns) } : tableForm(columns, table);
  await parquetWriteRows({
    writer: fileWriter(whole),
    rows: rowsOf(partName(file), table?.constants),
    ...form,
    rowGroupSize: GROUP_ROWS,
    // Statistics have all of an id.
    statisticsTruncateLength: STATISTICS_CHARACTERS,
    createdBy: "iotdeck",
  });
  const written = await open(whole, "r+");
  await written.datasync();
  await written.close();
  replaceFile(whole, file);
  await rm(partName(file), { force: true });
}

const physical = {
  STRING: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  DOUBLE: { type: "DOUBLE" },
  BOOLEAN: { type: "BOOLEAN" },
  // Tables count in microseconds.
  TIMESTAMP: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" } },
} as const;

function tableForm(columns: readonly string[], { ids, constants, schema }: ParquetTable) {
  const tags = Object.keys(constants).map((name): ParquetColumn => ({ name, type: "STRING" }));
  const all = [...parquetColumns(columns), ...tags];
  const elements = all.map(({ name, type }) => {
    const id = ids[name];
    return {
      name,
      repetition_type: "OPTIONAL",
      ...physical[type],
      ...(id === undefined ? {} : { field_id: id }),
    } as const;
  });
  return {
    columns: all.map(({ name }) => ({ name })),
    schema: [{ name: "table", num_children: all.length }, ...elements],
    kvMetadata: [{ key: "iceberg.schema", value: JSON.stringify(schema) }],
  };
}

async function* rowsOf(part: string, constants: ParquetTable["constants"] = {}): AsyncGenerator<Row, void, undefined> {
  for await (const line of linesOf(createReadStream(part))) {
    const record: unknown = JSON.parse(line);
    if (isObject(record)) yield { ...rowOf(record), ...constants };
  }
}

function rowOf({ value, location, metadata, time, created_at: created, ...rest }: Readonly<Row>): Row {
  return {
    ...rest,
    ...(time === undefined ? {} : { time: new Date(String(time)) }),
    ...(created === undefined ? {} : { created_at: new Date(String(created)) }),
    ...(location === undefined ? {} : { location: JSON.stringify(location) }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata) }),
    ...(typeof value === "number" ? { value } : {}),
    ...(typeof value === "string" ? { value_text: value } : {}),
    ...(typeof value === "boolean" ? { value_flag: value } : {}),
  };
}

const gunzip = (bytes: Uint8Array): Uint8Array => new Uint8Array(gunzipSync(bytes));
const compressors = Object.fromEntries([["GZIP", gunzip]]);

/** Rows a Parquet file says it has. */
export async function countParquet(path: string): Promise<number> {
  const { asyncBufferFromFile, parquetMetadataAsync } = await import("hyparquet");
  return Number((await parquetMetadataAsync(await asyncBufferFromFile(path))).num_rows);
}

/** Smallest and largest values of columns, as the statistics of a file have them; shortened ones still enclose all. */
export async function parquetBounds(
  path: string,
  columns: readonly string[],
): Promise<Record<string, readonly [string | Date, string | Date]>> {
  const { asyncBufferFromFile, parquetMetadataAsync } = await import("hyparquet");
  const { row_groups: groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
  const bounds = columns.flatMap((name) => {
    const found = groups.map((group) => {
      const chunk = group.columns.find(({ meta_data: meta }) => meta?.path_in_schema.join(".") === name);
      const { min_value: min, max_value: max } = chunk?.meta_data?.statistics ?? {};
      const isKnown =
        (typeof min === "string" && typeof max === "string") || (min instanceof Date && max instanceof Date);
      return isKnown ? ([min, max] as readonly [string | Date, string | Date]) : undefined;
    });
    // One group without them says nothing of all.
    const known = found.filter((pair) => pair !== undefined);
    const [first] = known;
    if (first === undefined || known.length < found.length) return [];
    const least = known.reduce((one, [min]) => (min < one ? min : one), first[0]);
    const most = known.reduce((one, [, max]) => (max > one ? max : one), first[1]);
    return [[name, [least, most]] as const];
  });
  return Object.fromEntries(bounds);
}

/**
 * The rows of a Parquet file, a part at a time; values are in `value` again.
 *
 * @param columns those to read, where not all are needed
 */
export async function* readParquet(path: string, columns?: readonly string[]): AsyncGenerator<Row, void, undefined> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } = await import("hyparquet");
  const file = await asyncBufferFromFile(path);
  try {
    const metadata = await parquetMetadataAsync(file);
    const total = Number(metadata.num_rows);
    for (let start = 0; start < total; start += GROUP_ROWS) {
      const rowEnd = Math.min(total, start + GROUP_ROWS);
      const rows = await parquetReadObjects({
        ...{ file, metadata, compressors, rowStart: start, rowEnd },
        ...(columns === undefined ? {} : { columns: [...columns] }),
      });
      for (const row of rows) yield recordOf(row);
    }
  } catch (cause) {
    throw inputError(`${path} is not a Parquet file that can be read.`, {
      why: cause instanceof Error ? cause.message : String(cause),
      next: "Snappy, gzip and uncompressed files can be read; nothing more was sent.",
      cause,
    });
  }
}

function recordOf({ value, value_text: text, value_flag: flag, ...rest }: Readonly<Row>): Row {
  const record: Row = {};
  for (const [name, member] of Object.entries(rest)) {
    if (member !== null && member !== undefined) record[name] = plain(member);
  }
  const found = value ?? text ?? flag;
  if (found !== null && found !== undefined) record["value"] = plain(found);
  return record;
}

function plain(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "bigint" ? Number(value) : value;
}
