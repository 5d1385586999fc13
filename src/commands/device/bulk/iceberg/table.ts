import type { CommandContext } from "../../../kit/context.ts";
import { conflictError } from "../../../kit/failures/command-error.ts";
import { partOf } from "../dataset-parts.ts";
import type { DatasetFile, DatasetTable } from "../dataset-types.ts";
import type { DatasetStore } from "../store.ts";
import { decodeAvro, encodeAvro } from "./avro.ts";
import { expired, removeExpired } from "./expire.ts";
import {
  ADDED,
  type Bound,
  type DataFile,
  DELETED,
  EXISTING,
  entriesOf,
  intBytes,
  type ManifestEntry,
  manifestListSchema,
  manifestProperties,
  manifestSchema,
  microseconds,
} from "./manifests.ts";
import {
  addVersion,
  hintAt,
  JOB,
  METADATA,
  newMetadata,
  readTable,
  type Table,
  type TableSnapshot,
  withSnapshot,
} from "./metadata.ts";
import { checkTable } from "./plan.ts";
import { partitionFields, partitionValue, type TableSchema, tableSchema } from "./schema.ts";

/** What a job adds to a table. */
export interface TableCommit extends DatasetTable {
  readonly files: readonly DatasetFile[];
  /** Whether the job has read again what a file of the table holds, by its path without the ending. */
  covers(part: string): boolean;
}

/** Other jobs that were first, one after the other, before it is given up. */
const MOST_CONFLICTS = 100;
/** Files that a manifest lists at most: engines read several side by side. */
const MANIFEST_FILES = 8_000;

/** Adds the files of a job to the table, instead of those it had for the same parts: all at once, or none. */
export async function commitTable(ctx: CommandContext, store: DatasetStore, commit: TableCommit): Promise<void> {
  for (let attempt = 1; attempt <= MOST_CONFLICTS; attempt += 1) {
    const table = await readTable(store);
    checkTable(store, table, commit);
    if (await new Commit(ctx, store, commit, table).run()) return;
  }
  throw conflictError(`The table in ${store.shown} was changed by others again and again.`, {
    code: "table.busy",
    next: 'Run the command again, or "iot job retry" for a job in a queue.',
  });
}

/** An attempt on top of one version of the table. */
class Commit {
  readonly #ctx: CommandContext;
  readonly #store: DatasetStore;
  readonly #commit: TableCommit;
  readonly #before: Table | undefined;
  readonly #table: Table;
  readonly #schema: TableSchema;
  /** What to remove if another job is first. */
  readonly #written: string[] = [];

  constructor(ctx: CommandContext, store: DatasetStore, commit: TableCommit, before: Table | undefined) {
    this.#ctx = ctx;
    this.#store = store;
    this.#commit = commit;
    this.#before = before;
    this.#table = before ?? { version: 0, metadata: newMetadata(commit.location, commit.form, ctx.clock.now()) };
    this.#schema = tableSchema(commit.form);
  }

  /** @returns false if another job was first */
  async run(): Promise<boolean> {
    const { version, metadata } = this.#table;
    if (metadata.snapshots.some(({ summary }) => summary[JOB] === this.#commit.job)) return this.#nothing();
    const snapshotId = newSnapshotId();
    const entries = await this.#entries(snapshotId);
    if (entries.every(({ status }) => status === EXISTING)) return this.#nothing();
    const atMs = Math.max(this.#ctx.clock.now(), metadata["last-updated-ms"]);
    const kept = metadata.snapshots.filter((snapshot) => !expired(snapshot, atMs));
    const snapshot = await this.#snapshot(snapshotId, atMs, entries);
    const isFirst = await addVersion(this.#store, version + 1, withSnapshot(this.#table, snapshot, kept));
    if (!isFirst) {
      for (const name of this.#written) await this.#store.remove(name);
      return false;
    }
    const gone = metadata.snapshots.filter((one) => expired(one, atMs));
    if (gone.length > 0) await removeExpired(this.#store, this.#commit.location, gone, [...kept, snapshot]);
    return true;
  }

  /** The table has all of it. Without a table an empty one is made, so that engines find its columns. */
  async #nothing(): Promise<boolean> {
    if (this.#before === undefined) return addVersion(this.#store, 1, this.#table.metadata);
    await hintAt(this.#store, this.#before.version);
    return true;
  }

  /** All files of the table, and those that leave it. */
  async #entries(snapshotId: number): Promise<readonly ManifestEntry[]> {
    const { location, files, covers } = this.#commit;
    const sequence = this.#table.metadata["last-sequence-number"] + 1;
    const added = new Map(files.map((file) => [`${location}/${file.file}`, file]));
    const entries: ManifestEntry[] = [];
    for (const entry of await this.#live()) {
      const { file_path: path } = entry.data_file;
      const isSame = added.delete(path);
      const isReplaced = !isSame && covers(partOf(path.slice(location.length + 1)));
      entries.push(
        isReplaced ? { ...entry, status: DELETED, snapshot_id: snapshotId } : { ...entry, status: EXISTING },
      );
    }
    const ids = { snapshot_id: snapshotId, sequence_number: sequence, file_sequence_number: sequence };
    for (const [path, file] of added) entries.push({ status: ADDED, ...ids, data_file: this.#dataFile(path, file) });
    return entries;
  }

  /** The files of the current snapshot. */
  async #live(): Promise<readonly ManifestEntry[]> {
    const { metadata } = this.#table;
    const current = metadata.snapshots.find((one) => one["snapshot-id"] === metadata["current-snapshot-id"]);
    if (current === undefined) return [];
    const entries = await readEntries(this.#store, this.#commit.location, current);
    return entries.filter(({ status }) => status !== DELETED);
  }

  #dataFile(path: string, { file, records, bytes, bounds = {} }: DatasetFile): DataFile {
    const { split } = this.#commit.form;
    const limits = (end: 0 | 1): Bound[] =>
      this.#schema.fields.flatMap(({ id, name, type }) => {
        const value = bounds[name]?.[end];
        if (value === undefined) return [];
        return [{ key: id, value: type === "timestamptz" ? microseconds(Date.parse(value)) : Buffer.from(value) }];
      });
    return {
      ...{ content: 0, file_path: path, file_format: "PARQUET" },
      partition: split === null ? {} : { [`time_${split}`]: partitionValue(partOf(file), split) },
      ...{ record_count: records, file_size_in_bytes: bytes },
      lower_bounds: limits(0),
      upper_bounds: limits(1),
    };
  }

  /** Writes the manifests of a snapshot and the list of them. */
  async #snapshot(id: number, atMs: number, entries: readonly ManifestEntry[]): Promise<TableSnapshot> {
    const { location, form, job } = this.#commit;
    const { metadata } = this.#table;
    const sequence = metadata["last-sequence-number"] + 1;
    const fields = partitionFields(form);
    const [schema, properties] = [manifestSchema(fields), manifestProperties(this.#schema, fields)];
    const rows: object[] = [];
    for (let at = 0; at < entries.length; at += MANIFEST_FILES) {
      const some = entries.slice(at, at + MANIFEST_FILES);
      const name = `${METADATA}/${crypto.randomUUID()}-m${rows.length}.avro`;
      const bytes = await this.#write(name, schema, properties, some);
      rows.push(manifestRow(`${location}/${name}`, bytes, { id, sequence, entries: some, field: fields[0]?.name }));
    }
    const name = `${METADATA}/snap-${id}-${crypto.randomUUID()}.avro`;
    const parent = metadata["current-snapshot-id"] === -1 ? undefined : metadata["current-snapshot-id"];
    const about = { "snapshot-id": String(id), "sequence-number": String(sequence), "format-version": "2" };
    const parentText = parent === undefined ? {} : { "parent-snapshot-id": String(parent) };
    await this.#write(name, manifestListSchema, { ...about, ...parentText }, rows);
    return {
      "snapshot-id": id,
      ...(parent === undefined ? {} : { "parent-snapshot-id": parent }),
      "sequence-number": sequence,
      "timestamp-ms": atMs,
      "manifest-list": `${location}/${name}`,
      summary: { ...summaryOf(entries), [JOB]: job },
      "schema-id": 0,
    };
  }

  async #write(
    name: string,
    schema: object,
    properties: Readonly<Record<string, string>>,
    rows: readonly object[],
  ): Promise<number> {
    const content = await encodeAvro(schema, properties, rows);
    this.#written.push(name);
    await this.#store.create(name, content);
    return content.length;
  }
}

/** Every number that JSON holds exactly is an id; two of a table are never the same. */
const newSnapshotId = (): number => Number(BigInt.asUintN(52, crypto.getRandomValues(new BigUint64Array(1))[0] ?? 1n));

/** The files that the manifests of a snapshot list. */
async function readEntries(
  store: DatasetStore,
  location: string,
  { "manifest-list": list }: TableSnapshot,
): Promise<readonly ManifestEntry[]> {
  const read = (path: unknown) => store.withFile(String(path).slice(location.length + 1), decodeAvro);
  const entries: ManifestEntry[] = [];
  for (const { manifest_path: path } of await read(list)) entries.push(...entriesOf(await read(path)));
  return entries;
}

interface ManifestAbout {
  readonly id: number;
  readonly sequence: number;
  readonly entries: readonly ManifestEntry[];
  /** Name of the partition, if there is one. */
  readonly field: string | undefined;
}

/** A manifest in the list of a snapshot. */
function manifestRow(path: string, bytes: number, { id, sequence, entries, field }: ManifestAbout): object {
  const counted = (status: ManifestEntry["status"]) => {
    const some = entries.filter((entry) => entry.status === status);
    return { files: some.length, rows: some.reduce((sum, { data_file: file }) => sum + file.record_count, 0) };
  };
  const [existing, added, deleted] = [counted(EXISTING), counted(ADDED), counted(DELETED)];
  const values = field === undefined ? [] : entries.map(({ data_file: { partition } }) => partition[field] ?? 0);
  const limit = (most: (one: number, other: number) => number): Buffer => intBytes(values.reduce((a, b) => most(a, b)));
  const least = (one: number, other: number): number => Math.min(one, other);
  const bounds = { lower_bound: field && limit(least), upper_bound: field && limit((a, b) => Math.max(a, b)) };
  return {
    ...{ manifest_path: path, manifest_length: bytes, partition_spec_id: 0, content: 0, sequence_number: sequence },
    min_sequence_number: entries.map((entry) => entry.sequence_number).reduce(least),
    added_snapshot_id: id,
    ...{ added_files_count: added.files, existing_files_count: existing.files, deleted_files_count: deleted.files },
    ...{ added_rows_count: added.rows, existing_rows_count: existing.rows, deleted_rows_count: deleted.rows },
    partitions: field === undefined ? [] : [{ contains_null: false, contains_nan: false, ...bounds }],
  };
}

/** What a snapshot has changed. */
function summaryOf(entries: readonly ManifestEntry[]): Record<string, string> {
  const totals = (...statuses: readonly ManifestEntry["status"][]) => {
    const files = entries.filter(({ status }) => statuses.includes(status)).map((entry) => entry.data_file);
    const sum = (of: "record_count" | "file_size_in_bytes") => String(files.reduce((all, file) => all + file[of], 0));
    return { files: String(files.length), records: sum("record_count"), bytes: sum("file_size_in_bytes") };
  };
  const [added, deleted, all] = [totals(ADDED), totals(DELETED), totals(ADDED, EXISTING)];
  const operation = deleted.files === "0" ? "append" : added.files === "0" ? "delete" : "overwrite";
  return {
    operation,
    ...{ "added-data-files": added.files, "added-records": added.records, "added-files-size": added.bytes },
    ...{ "deleted-data-files": deleted.files, "deleted-records": deleted.records, "removed-files-size": deleted.bytes },
    ...{ "total-data-files": all.files, "total-records": all.records, "total-files-size": all.bytes },
    ...{ "total-delete-files": "0", "total-position-deletes": "0", "total-equality-deletes": "0" },
  };
}
