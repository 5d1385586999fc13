import type { DataSelection } from "../../kit/devices/data-read.ts";
import type { RecordColumn } from "../../kit/devices/windows.ts";
import type { PartPlace } from "./dataset-parts.ts";
import type { CsvChoice } from "./export-file.ts";
import type { TableForm } from "./iceberg/schema.ts";
import type { TableBounds } from "./iceberg/table-file.ts";
import type { Split } from "./periods.ts";
import type { StoredFile } from "./store.ts";

/** What all items of a dataset share. */
export type DatasetShared = {
  readonly format: "parquet" | "ndjson" | "csv";
  readonly split: Split | null;
  /** Buckets of devices in each partition; null where each device has parts of its own. */
  readonly parts: number | null;
  readonly columns: readonly RecordColumn[];
  readonly selection: DataSelection;
  /** The range, both ends included; the start is null for the first record there is. */
  readonly fromMs: number | null;
  readonly toMs: number;
  readonly csv: CsvChoice;
  readonly isVerified: boolean;
  /** The table that the parts are added to. */
  readonly table: DatasetTable | null;
  /** Of a new dataset: version of the manifest that was there at the start; null where there was none. */
  readonly before?: string | null;
  /** Of an update: the mark of the manifest it began with, and how long before its end records are read again. */
  readonly since?: { readonly mark: string; readonly lookbackMs: number };
};

/** A table of a dataset. */
export type DatasetTable = {
  /** Of this job, in the table. */
  readonly job: string;
  /** Its address for all who read it, wherever a worker finds it. */
  readonly location: string;
  readonly form: TableForm;
};

/** A device or a bucket of them, or a period of it. */
export type DatasetArgs = PartPlace & {
  /** Sorted by id. */
  readonly devices: readonly string[];
  /** Start of the one period the item is about. */
  readonly periodMs?: number;
};

/** A part, as the manifest names it. */
export interface DatasetFile extends StoredFile {
  readonly file: string;
  readonly records: number;
  /** Records of each device that has some. */
  readonly devices: Readonly<Record<string, number>>;
  /** Of a table. The manifest does not have them. */
  readonly bounds?: TableBounds;
}

export type DatasetRow = {
  /** Of an item about one device. */
  readonly device?: string;
  /** Of an item about a bucket: its path and the number of its devices. */
  readonly part?: string;
  readonly devices?: number;
  readonly files: readonly DatasetFile[];
  readonly records: number;
  /** With `--verify`: records of the files as they lie there, and of the platform. */
  readonly counted?: number;
  readonly there?: number;
  /** Of a table: the part that was read, with `*` for all periods. */
  readonly covers?: string;
  /** Of an update: parts that are empty now, and in a table those that were replaced. */
  readonly removed?: readonly string[];
  /** Of an update: what of the dataset the item was about, and devices there that it was not about. */
  readonly place?: string;
  readonly others?: readonly string[];
  /** With `--verify`: devices of a bucket whose counts differ, with both: `5f… 119/120`. */
  readonly differing?: string;
};

export interface DatasetSummary {
  readonly files: number;
  readonly records: number;
  readonly bytes: number;
  /** With `--verify`: items whose counts differ. */
  readonly different: number;
}
