import { createReadStream } from "node:fs";
import type { RecordColumn } from "../../kit/devices/windows.ts";
import { isObject } from "../../kit/files/files.ts";
import { csvRecords } from "../../kit/rows/csv.ts";
import { linesOf } from "../../kit/rows/lines.ts";
import type { Members } from "../../kit/rows/row-text.ts";
import type { DatasetShared } from "./dataset-types.ts";

type PartForm = Pick<DatasetShared, "format" | "columns" | "csv">;
export type PartRow = Members<RecordColumn>;

/**
 * The rows of a part this program has written, in their order, a row at a time.
 *
 * @param only the columns that are needed, where others cost time
 */
export async function* partRows(
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

/** Records of each device in a part, as it lies there. */
export async function countDevices(path: string, form: PartForm, counts: Map<string, number>): Promise<void> {
  for await (const row of partRows(path, form, ["device"])) {
    const device = String(row.device);
    counts.set(device, (counts.get(device) ?? 0) + 1);
  }
}
