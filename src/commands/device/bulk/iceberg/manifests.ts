import { inputError } from "../../../kit/failures/command-error.ts";
import { isObject, type JsonObject } from "../../../kit/files/files.ts";
import type { PartitionField, TableSchema } from "./schema.ts";

const optional = (type: unknown, id: number, name: string) => ({
  name,
  type: ["null", type],
  default: null,
  "field-id": id,
});
const required = (type: unknown, id: number, name: string) => ({ name, type, "field-id": id });
const list = (items: unknown, id: number) => ({ type: "array", items, "element-id": id });

/** Values by the id of a column. Avro's own maps have strings as keys. */
const byColumn = (value: string, keyId: number, valueId: number) => ({
  type: "array",
  items: {
    type: "record",
    name: `k${keyId}_v${valueId}`,
    fields: [required("int", keyId, "key"), required(value, valueId, "value")],
  },
  logicalType: "map",
});

/** The schema of the files that list data files (version 2 of the format). */
export function manifestSchema(partition: readonly PartitionField[]): object {
  const parts = partition.map(({ name, transform, "field-id": id }) =>
    optional(transform === "day" ? { type: "int", logicalType: "date" } : "int", id, name),
  );
  const file = [
    required("int", 134, "content"),
    required("string", 100, "file_path"),
    required("string", 101, "file_format"),
    required({ type: "record", name: "r102", fields: parts }, 102, "partition"),
    required("long", 103, "record_count"),
    required("long", 104, "file_size_in_bytes"),
    optional(byColumn("long", 117, 118), 108, "column_sizes"),
    optional(byColumn("long", 119, 120), 109, "value_counts"),
    optional(byColumn("long", 121, 122), 110, "null_value_counts"),
    optional(byColumn("long", 138, 139), 137, "nan_value_counts"),
    optional(byColumn("bytes", 126, 127), 125, "lower_bounds"),
    optional(byColumn("bytes", 129, 130), 128, "upper_bounds"),
    optional("bytes", 131, "key_metadata"),
    optional(list("long", 133), 132, "split_offsets"),
    optional(list("int", 136), 135, "equality_ids"),
    optional("int", 140, "sort_order_id"),
  ];
  return {
    type: "record",
    name: "manifest_entry",
    fields: [
      required("int", 0, "status"),
      optional("long", 1, "snapshot_id"),
      optional("long", 3, "sequence_number"),
      optional("long", 4, "file_sequence_number"),
      required({ type: "record", name: "r2", fields: file }, 2, "data_file"),
    ],
  };
}

/** The schema of the file that lists the manifests of a snapshot. */
export const manifestListSchema: object = {
  type: "record",
  name: "manifest_file",
  fields: [
    required("string", 500, "manifest_path"),
    required("long", 501, "manifest_length"),
    required("int", 502, "partition_spec_id"),
    required("int", 517, "content"),
    required("long", 515, "sequence_number"),
    required("long", 516, "min_sequence_number"),
    required("long", 503, "added_snapshot_id"),
    required("int", 504, "added_files_count"),
    required("int", 505, "existing_files_count"),
    required("int", 506, "deleted_files_count"),
    required("long", 512, "added_rows_count"),
    required("long", 513, "existing_rows_count"),
    required("long", 514, "deleted_rows_count"),
    optional(
      list(
        {
          type: "record",
          name: "r508",
          fields: [
            required("boolean", 509, "contains_null"),
            optional("boolean", 518, "contains_nan"),
            optional("bytes", 510, "lower_bound"),
            optional("bytes", 511, "upper_bound"),
          ],
        },
        508,
      ),
      507,
      "partitions",
    ),
    optional("bytes", 519, "key_metadata"),
  ],
};

export const EXISTING = 0;
export const ADDED = 1;
export const DELETED = 2;

/** A data file in a manifest. */
export interface ManifestEntry {
  readonly status: typeof EXISTING | typeof ADDED | typeof DELETED;
  readonly snapshot_id: number;
  readonly sequence_number: number;
  readonly file_sequence_number: number;
  readonly data_file: DataFile;
}

export interface DataFile {
  readonly content: 0;
  readonly file_path: string;
  readonly file_format: "PARQUET";
  readonly partition: Readonly<Record<string, number>>;
  readonly record_count: number;
  readonly file_size_in_bytes: number;
  readonly lower_bounds: readonly Bound[] | null;
  readonly upper_bounds: readonly Bound[] | null;
}

export interface Bound {
  readonly key: number;
  readonly value: Buffer;
}

/** The files of a manifest that this program has written. */
export function entriesOf(rows: readonly JsonObject[]): readonly ManifestEntry[] {
  return rows.map((row) => {
    const file = row["data_file"];
    const isEntry =
      isObject(file) &&
      typeof file["file_path"] === "string" &&
      [file["record_count"], file["file_size_in_bytes"], row["sequence_number"]].every(Number.isSafeInteger);
    if (isEntry) return row as unknown as ManifestEntry;
    throw inputError("A manifest of the table cannot be read.", {
      code: "table.foreign",
      why: "Another program has written it.",
      next: "Export to a path of its own.",
    });
  });
}

/** What a manifest says of its files. */
export const manifestProperties = (schema: TableSchema, partition: readonly PartitionField[]) => ({
  schema: JSON.stringify(schema),
  "schema-id": "0",
  "partition-spec": JSON.stringify(partition),
  "partition-spec-id": "0",
  "format-version": "2",
  content: "data",
});

/** A number as Iceberg writes the bounds of dates and of timestamps. */
export function intBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

export function microseconds(ms: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(ms) * 1000n);
  return bytes;
}
