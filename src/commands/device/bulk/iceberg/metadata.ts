import { isObject, type JsonObject, parseObject } from "../../../kit/files/files.ts";
import type { DatasetStore } from "../store.ts";
import { nameMapping, partitionFields, type TableForm, tableSchema } from "./schema.ts";

/** Folder of a table for what is not data. */
export const METADATA = "metadata";
const HINT = `${METADATA}/version-hint.text`;
const metadataName = (version: number): string => `${METADATA}/v${version}.metadata.json`;

/** The property of a snapshot that says which job has made it. */
export const JOB = "iot.job";
/** The property of a table that says what its files hold. */
const FORM = "iot.form";

export interface TableSnapshot {
  readonly "snapshot-id": number;
  readonly "parent-snapshot-id"?: number;
  readonly "sequence-number": number;
  readonly "timestamp-ms": number;
  readonly "manifest-list": string;
  readonly summary: Readonly<Record<string, string>>;
  readonly "schema-id": number;
}

/** The parts of a table's metadata that change. The others stay as they are. */
export interface TableMetadata extends JsonObject {
  readonly location: string;
  readonly "last-sequence-number": number;
  readonly "last-updated-ms": number;
  readonly "current-snapshot-id": number;
  readonly snapshots: readonly TableSnapshot[];
  readonly "snapshot-log": readonly object[];
  readonly "metadata-log": readonly object[];
  readonly properties: Readonly<Record<string, string>>;
}

export interface Table {
  readonly version: number;
  readonly metadata: TableMetadata;
}

/** The form in one string, which two tables share that hold the same. */
const formText = (form: object): string => JSON.stringify(form);

/** The metadata of a table that has no files yet. */
export function newMetadata(location: string, form: TableForm, nowMs: number): TableMetadata {
  const schema = tableSchema(form);
  const fields = partitionFields(form);
  return {
    "format-version": 2,
    "table-uuid": crypto.randomUUID(),
    location,
    "last-sequence-number": 0,
    "last-updated-ms": nowMs,
    "last-column-id": Math.max(...schema.fields.map(({ id }) => id)),
    "current-schema-id": 0,
    schemas: [schema],
    "default-spec-id": 0,
    "partition-specs": [{ "spec-id": 0, fields }],
    "last-partition-id": 999 + fields.length,
    "default-sort-order-id": 0,
    "sort-orders": [{ "order-id": 0, fields: [] }],
    properties: {
      "schema.name-mapping.default": nameMapping(schema),
      "write.format.default": "parquet",
      [FORM]: formText(form),
    },
    "current-snapshot-id": -1,
    refs: {},
    snapshots: [],
    "snapshot-log": [],
    "metadata-log": [],
  };
}

/** What a table was made with; undefined if it was not made by this program. */
export function formIn({ metadata }: Table): Partial<TableForm> | undefined {
  const text = metadata.properties[FORM];
  return text === undefined ? undefined : parseObject(text, FORM);
}

/** Why a table is not one that a job of this form may add to; undefined where it is. */
export function foreignReason({ metadata }: Table, location: string, form: TableForm): string | undefined {
  const { properties, snapshots } = metadata;
  if (properties[FORM] === undefined || snapshots.some(({ summary }) => summary[JOB] === undefined))
    return "Another program has changed it.";
  if (metadata.location !== location) return `It was made as ${metadata.location}, which its files are named by.`;
  return properties[FORM] === formText(form) ? undefined : "It was made with other flags.";
}

/** The newest version of a table. */
export async function readTable(store: DatasetStore): Promise<Table | undefined> {
  const hint = Number.parseInt((await store.readText(HINT)) ?? "0", 10) || 0;
  let found: Table | undefined;
  // A job that was killed may have added a version that the hint does not name yet.
  for (let version = Math.max(1, hint); ; version += 1) {
    const text = await store.readText(metadataName(version));
    if (text === undefined) return found;
    found = { version, metadata: metadataIn(parseObject(text, `${store.shown}/${metadataName(version)}`)) };
  }
}

/** Of a table that is not ours the parts may have any form: `foreignReason` says so then. */
function metadataIn(read: JsonObject): TableMetadata {
  const lists = ["snapshots", "snapshot-log", "metadata-log"].map((name) => [name, arrayOf(read[name])]);
  const objects = Object.fromEntries([
    ...lists,
    ["properties", isObject(read["properties"]) ? read["properties"] : {}],
  ]);
  return { ...read, ...objects } as TableMetadata;
}

const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Adds a version, if no other job was first. */
export async function addVersion(store: DatasetStore, version: number, metadata: TableMetadata): Promise<boolean> {
  const isFirst = await store.create(metadataName(version), `${JSON.stringify(metadata, null, 1)}\n`);
  if (isFirst) await hintAt(store, version);
  return isFirst;
}

/** Readers begin at the hint. */
export async function hintAt(store: DatasetStore, version: number): Promise<void> {
  const text = String(version);
  if ((await store.readText(HINT)) !== text) await store.writeText(HINT, text);
}

/** The metadata with one more snapshot. */
export function withSnapshot(
  { version, metadata }: Table,
  snapshot: TableSnapshot,
  kept: readonly TableSnapshot[],
): TableMetadata {
  const { "snapshot-id": id, "timestamp-ms": atMs } = snapshot;
  const before = {
    "timestamp-ms": metadata["last-updated-ms"],
    "metadata-file": `${metadata.location}/${metadataName(version)}`,
  };
  const snapshots = [...kept, snapshot];
  const ids = new Set(snapshots.map((one) => one["snapshot-id"]));
  const log = [...metadata["snapshot-log"], { "snapshot-id": id, "timestamp-ms": atMs }];
  return {
    ...metadata,
    "last-sequence-number": snapshot["sequence-number"],
    "last-updated-ms": atMs,
    "current-snapshot-id": id,
    refs: { main: { "snapshot-id": id, type: "branch" } },
    snapshots,
    "snapshot-log": log.filter((entry) => ids.has((entry as { readonly "snapshot-id": number })["snapshot-id"])),
    "metadata-log": version === 0 ? [] : [...metadata["metadata-log"], before].slice(-100),
  };
}
