import type { DataSelection } from "../../../kit/devices/data-read.ts";
import type { RecordColumn } from "../../../kit/devices/windows.ts";
import { type ParquetColumn, type ParquetTable, parquetColumns } from "../../../kit/rows/parquet-file.ts";
import type { Split } from "../periods.ts";

/** What a table of a dataset is made of: all of it decides what its files hold. */
export type TableForm = {
  readonly columns: readonly RecordColumn[];
  /** Keys of the tags that are columns. */
  readonly tags: readonly string[];
  readonly split: Split | null;
  readonly parts: number | null;
  readonly selection: DataSelection;
  /** Start of all records; with periods, each has its own. */
  readonly fromMs: number | null;
};

/** Ids never change: an engine that has read a table once knows its columns by them. */
const fieldIds: Readonly<Record<string, number>> = {
  device: 1,
  id: 2,
  time: 3,
  variable: 4,
  value: 5,
  value_text: 6,
  value_flag: 7,
  unit: 8,
  group: 9,
  location: 10,
  metadata: 11,
  created_at: 12,
};
const FIRST_TAG_ID = 101;
const PARTITION_ID = 1000;

const types: Readonly<Record<ParquetColumn["type"], string>> = {
  STRING: "string",
  DOUBLE: "double",
  BOOLEAN: "boolean",
  TIMESTAMP: "timestamptz",
};

interface TableField {
  readonly id: number;
  readonly name: string;
  readonly required: false;
  readonly type: string;
}

export interface TableSchema {
  readonly type: "struct";
  readonly "schema-id": number;
  readonly fields: readonly TableField[];
}

export interface PartitionField {
  readonly "source-id": number;
  readonly "field-id": number;
  readonly name: string;
  readonly transform: Split;
}

export function tableSchema({ columns, tags }: Pick<TableForm, "columns" | "tags">): TableSchema {
  const ofRecords = parquetColumns(columns).map(
    ({ name, type }): TableField => ({ id: fieldIds[name] ?? 0, name, required: false, type: types[type] }),
  );
  const ofTags = tags.map(
    (name, at): TableField => ({ id: FIRST_TAG_ID + at, name, required: false, type: types.STRING }),
  );
  return { type: "struct", "schema-id": 0, fields: [...ofRecords, ...ofTags] };
}

/** Files of a period are found by it. */
export function partitionFields({ split }: Pick<TableForm, "split">): readonly PartitionField[] {
  if (split === null) return [];
  const source = { "source-id": fieldIds["time"] ?? 0, "field-id": PARTITION_ID };
  return [{ ...source, name: `time_${split}`, transform: split }];
}

/** For files whose columns have no ids. */
export const nameMapping = ({ fields }: TableSchema): string =>
  JSON.stringify(fields.map(({ id, name }) => ({ "field-id": id, names: [name] })));

const pairPattern = /^([^=]+)=(.*)$/;
/** What Hive writes for an empty value. */
const NO_VALUE = "__HIVE_DEFAULT_PARTITION__";

/** The values of the tags in the path of a part: `site=plant/month=2026-11/part-007`. */
function tagsIn(path: string, tags: readonly string[]): Record<string, string | null> {
  const pairs = path.split("/").map((name) => pairPattern.exec(name) ?? []);
  const values = pairs.slice(0, tags.length).map(([, , value = NO_VALUE]) => value);
  return Object.fromEntries(
    tags.map((key, at) => [key, values[at] === NO_VALUE ? null : decodeURIComponent(values[at] ?? "")]),
  );
}

/** Days or months from 1970 on, for the period in the path of a part. */
export function partitionValue(path: string, split: Split): number {
  const [, year = "1970", month = "01", day = "01"] =
    /^(?:.*\/)?(?:day|month)=(\d+)-(\d+)(?:-(\d+))?(?:\/|$)/.exec(path) ?? [];
  if (split === "month") return (Number(year) - 1970) * 12 + Number(month) - 1;
  return Math.floor(Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000);
}

/** How the files of a part are written. */
export function parquetTable(form: TableForm, path: string): ParquetTable {
  const schema = tableSchema(form);
  const ids = Object.fromEntries(schema.fields.map(({ name, id }) => [name, id]));
  return { ids, constants: tagsIn(path, form.tags), schema };
}
