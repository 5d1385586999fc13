import { createReadStream } from "node:fs";
import type { DataRecord, RecordColumn, Window } from "../../kit/devices/windows.ts";
import { isObject } from "../../kit/files/files.ts";
import { csvRecords } from "../../kit/rows/csv.ts";
import { linesOf } from "../../kit/rows/lines.ts";
import type { Members } from "../../kit/rows/row-text.ts";
import type { DatasetShared } from "./dataset-types.ts";

type PartForm = Pick<DatasetShared, "format" | "columns" | "csv">;
type PartRow = Members<RecordColumn>;

/**
 * The rows of a part this program has written, in their order.
 *
 * @param only the columns that are needed, where others cost time
 */
async function* partRows(
  path: string,
  { format, columns, csv }: PartForm,
  only?: readonly RecordColumn[],
): AsyncGenerator<PartRow, void, undefined> {
  if (format === "parquet") {
    const { readParquet } = await import("../../kit/rows/parquet-file.ts");
    yield* readParquet(path, only);
  } else if (format === "ndjson") {
    for await (const line of linesOf(createReadStream(path))) {
      const row: unknown = JSON.parse(line);
      if (isObject(row)) yield row;
    }
  } else {
    let isHeader = csv.header;
    for await (const records of csvRecords(createReadStream(path))) {
      for (const cells of records) {
        if (!isHeader) yield Object.fromEntries(columns.map((column, at) => [column, cells[at] ?? ""]));
        isHeader = false;
      }
    }
  }
}

/** Counts the records of each device in a part, as it lies there. */
export async function countDevices(
  path: string,
  form: PartForm,
  add: (device: string, count: number) => void,
): Promise<void> {
  for await (const row of partRows(path, form, ["device"])) add(String(row.device), 1);
}

const timeOf = (row: PartRow): number => Date.parse(String(row.time));

/** Counts the records of each device in a part that are older than a time of that device. */
export async function countOlder(
  path: string,
  form: PartForm,
  { deviceOf, beforeMs }: { deviceOf(row: PartRow): string; beforeMs(device: string): number | undefined },
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for await (const row of partRows(path, form, ["device", "time"])) {
    const device = deviceOf(row);
    const limitMs = beforeMs(device);
    if (limitMs !== undefined && timeOf(row) < limitMs) counts.set(device, (counts.get(device) ?? 0) + 1);
  }
  return counts;
}

/** Rows that are held at a time. */
const ROWS = 1_000;

/** Reads the rows of a part once, from its first device to its last. */
export class PartReader {
  readonly #rows: AsyncGenerator<PartRow, void, undefined>;
  readonly #deviceOf: (row: PartRow) => string;
  #row: PartRow | undefined;
  #isBegun = false;

  constructor(path: string, form: PartForm, deviceOf: (row: PartRow) => string) {
    this.#rows = partRows(path, form);
    this.#deviceOf = deviceOf;
  }

  /** The records of a device that are older than a time. Devices are asked for in the order of their ids. */
  async *windows(device: string, beforeMs: number): AsyncGenerator<Window, void, undefined> {
    if (!this.#isBegun) await this.#next();
    this.#isBegun = true;
    let records: DataRecord[] = [];
    for (; this.#row !== undefined && this.#deviceOf(this.#row) <= device; await this.#next()) {
      const isMeant = this.#deviceOf(this.#row) === device && timeOf(this.#row) < beforeMs;
      if (isMeant) records.push(recordOf(this.#row));
      if (records.length < ROWS) continue;
      yield { records, nextMs: undefined };
      records = [];
    }
    if (records.length > 0) yield { records, nextMs: undefined };
  }

  async close(): Promise<void> {
    await this.#rows.return();
  }

  async #next(): Promise<void> {
    const { value, done } = await this.#rows.next();
    this.#row = done === true ? undefined : value;
  }
}

/** The record that a row was written from. Cells of CSV stay texts, and become the same cells again. */
function recordOf({ time, created_at: created, location, metadata, ...rest }: PartRow): DataRecord {
  const row: object = {
    ...rest,
    time: new Date(String(time)),
    ...(created === undefined || created === "" ? {} : { created_at: new Date(String(created)) }),
    ...(location === undefined ? {} : { location: jsonIn(location) }),
    ...(metadata === undefined ? {} : { metadata: jsonIn(metadata) }),
  };
  return row as DataRecord;
}

/** Parquet and CSV hold objects as JSON. */
function jsonIn(cell: unknown): unknown {
  return typeof cell === "string" && cell !== "" ? JSON.parse(cell) : cell;
}
