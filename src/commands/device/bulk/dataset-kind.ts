import { rm } from "node:fs/promises";
import { partOf } from "../../../text/count.ts";
import type { DataSelection } from "../../kit/devices/data-read.ts";
import type { RecordColumn } from "../../kit/devices/windows.ts";
import { CommandError, conflictError, inputError } from "../../kit/failures/command-error.ts";
import { isObject } from "../../kit/files/files.ts";
import type { ItemResult, JobItem, JobKind, JobWork } from "../../kit/jobs/job.ts";
import { partName } from "../../kit/rows/part-file.ts";
import { countFile } from "./count-file.ts";
import { type DatasetStore, storeOf } from "./dataset-store.ts";
import { type CsvChoice, fileForm } from "./export-file.ts";
import { writeExportFiles } from "./export-files.ts";
import { periodEnd, periodName, type Split } from "./periods.ts";
import { countRange, deviceSources, type TimeRange } from "./sources.ts";
import type { StoredFile } from "./store.ts";

/** What all items of a dataset share. */
export type DatasetShared = {
  readonly format: "parquet" | "ndjson" | "csv";
  readonly split: Split | null;
  readonly columns: readonly RecordColumn[];
  readonly selection: DataSelection;
  /** The range, both ends included; the start is null for the first record there is. */
  readonly fromMs: number | null;
  readonly toMs: number;
  readonly csv: CsvChoice;
  readonly isVerified: boolean;
  /** Version of the manifest that was there at the start; null where there was none. */
  readonly manifest: string | null;
};

/** A device, or a period of it. */
export type DatasetArgs = {
  readonly device: string;
  /** Folder of the device below that of the dataset: `site=plant/device=5f…`. */
  readonly folder: string;
  /** Start of the one period the item is about. */
  readonly periodMs?: number;
};

interface DatasetFile extends StoredFile {
  readonly file: string;
  readonly records: number;
}

export type DatasetRow = {
  readonly device: string;
  readonly files: readonly DatasetFile[];
  readonly records: number;
  /** With `--verify`: records of the files as they lie on the disk, and of the platform. */
  readonly counted?: number;
  readonly there?: number;
};

export interface DatasetSummary {
  readonly files: number;
  readonly records: number;
  readonly bytes: number;
  /** With `--verify`: items whose counts differ. */
  readonly different: number;
}

export const MANIFEST = "_manifest.json";

export const datasetKind: JobKind<DatasetShared, DatasetArgs, DatasetRow> = {
  name: "device data export",
  version: 1,
  columns: ["device", "records", "counted", "there"],
  run: async (work, shared, item) => new DatasetItem(work, shared, item).run(),
  finish: writeManifest,
};

class DatasetItem {
  readonly #work: JobWork;
  readonly #shared: DatasetShared;
  readonly #item: JobItem<DatasetArgs>;
  readonly #range: TimeRange;
  readonly #store: DatasetStore;

  constructor(work: JobWork, shared: DatasetShared, item: JobItem<DatasetArgs>) {
    this.#work = work;
    this.#shared = shared;
    this.#item = item;
    this.#store = storeOf(work.ctx, work.folder);
    this.#range = cut({ fromMs: shared.fromMs ?? undefined, toMs: shared.toMs }, shared.split, item.args.periodMs);
  }

  async run(): Promise<DatasetRow> {
    const { device, periodMs } = this.#item.args;
    const { format, columns, csv, split, isVerified } = this.#shared;
    const { client } = this.#work;
    const { fromMs, toMs } = this.#range;
    // Each file has a path of its own until it is whole, for another worker may be doing the same item.
    const names = new Map<string, string>();
    const pathOf = (ms = periodMs): string => {
      const name = split === null || ms === undefined ? "data" : nameOf(split, ms);
      const path = this.#store.unfinished(`${this.#item.id}.${name}.${crypto.randomUUID()}`);
      names.set(path, name);
      return path;
    };
    try {
      const sources = deviceSources(client, { id: device, toMs }, this.#shared);
      const form = await fileForm(format, columns, csv);
      const job = { groups: [{ sources, pathOf }], fromMs, form, keepsEmpty: false };
      const done = await writeExportFiles({ ...job, split: periodMs === undefined ? split : null });
      const files: DatasetFile[] = [];
      for (const { file, records } of done) files.push(await this.#publish(file, names.get(file) ?? "", records));
      const records = files.reduce((sum, file) => sum + file.records, 0);
      return { device, files, records, ...(isVerified ? await this.#counts(files) : {}) };
    } finally {
      const left = [...names.keys()].flatMap((path) => [path, partName(path)]);
      await Promise.all(left.map((path) => rm(path, { force: true })));
    }
  }

  async #publish(path: string, name: string, records: number): Promise<DatasetFile> {
    const file = `${this.#item.args.folder}/${name}.${this.#shared.format}`;
    return { file, records, ...(await this.#store.publish(path, file)) };
  }

  async #counts(files: readonly DatasetFile[]): Promise<{ counted: number; there: number }> {
    const { format, csv, selection } = this.#shared;
    const there = await countRange(this.#work.client, this.#item.args.device, selection, this.#range);
    let counted = 0;
    for (const { file } of files)
      counted += await this.#store.withFile(file, (path) => countFile(path, format, csv.header));
    return { counted, there };
  }
}

/** The part of a range that is in a period. */
function cut({ fromMs, toMs }: TimeRange, split: Split | null, periodMs: number | undefined): TimeRange {
  if (split === null || periodMs === undefined) return { fromMs, toMs };
  return { fromMs: Math.max(fromMs ?? periodMs, periodMs), toMs: Math.min(toMs, periodEnd(split, periodMs) - 1) };
}

/** `month=2026-11`, as Hive, Spark and DuckDB name a partition. */
const nameOf = (split: Split, ms: number): string => `${split}=${periodName(split, ms)}`;

/** The files of a result, which comes from the queue as anybody may have changed it. */
function filesOf({ files }: DatasetRow): readonly DatasetFile[] {
  const isFile = (one: unknown): boolean =>
    isObject(one) && typeof one["file"] === "string" && [one["records"], one["bytes"]].every(Number.isSafeInteger);
  if (Array.isArray(files) && files.every(isFile)) return files;
  throw inputError("The result of an item does not name its files.", {
    code: "job.bad_result",
    why: "It was changed in the queue, or by another version of iot.",
    next: "Run the command again with --again.",
  });
}

/** The manifest says that all of the dataset is there, so it is written last; without it there is a part of one. */
async function writeManifest(
  { ctx, folder }: JobWork,
  shared: DatasetShared,
  results: AsyncIterable<ItemResult<DatasetRow>>,
): Promise<DatasetSummary> {
  const store = storeOf(ctx, folder);
  const files: DatasetFile[] = [];
  let different = 0;
  let failed = 0;
  for await (const result of results) {
    if (!("row" in result)) failed += 1;
    else {
      files.push(...filesOf(result.row));
      if (result.row.counted !== result.row.there) different += 1;
    }
  }
  files.sort((one, other) => (one.file < other.file ? -1 : 1));
  await checkThere(store, folder, files);
  const sum = (member: "records" | "bytes"): number => files.reduce((all, file) => all + file[member], 0);
  const totals = { records: sum("records"), bytes: sum("bytes") };
  await store.removeUnfinished();
  if (failed > 0) await store.remove(MANIFEST);
  else {
    const { format, split, columns, selection, fromMs, toMs } = shared;
    const range = { from: fromMs === null ? null : new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
    const head = JSON.stringify({ version: 1, format, split, columns, selection, ...range, ...totals });
    const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(",\n");
    const text = `${head.slice(0, -1)},\n  "files": [${lines === "" ? "" : `\n${lines}\n  `}]}\n`;
    // One that was killed right after this writes the same text again.
    const isWritten = await store.replaceText(MANIFEST, text, shared.manifest);
    if (!isWritten && (await store.readText(MANIFEST)) !== text) throw replacedMeanwhile(store);
  }
  return { files: files.length, ...totals, different };
}

const replacedMeanwhile = ({ shown }: DatasetStore): Error =>
  conflictError(`Another export has written the dataset in ${shown} meanwhile.`, {
    code: "dataset.changed",
    why: "Its manifest is not the one that was there at the start; it lists other files.",
    next: "Export to a path of its own, or run the command with --again once the other one has ended.",
  });

/** The files are looked for by one process of all: where the folder is not shared, some are missing. */
async function checkThere(store: DatasetStore, folder: string, files: readonly DatasetFile[]): Promise<void> {
  let missing = 0;
  for (const { file, bytes } of files) if ((await store.sizeOf(file)) !== bytes) missing += 1;
  if (missing === 0) return;
  throw new CommandError(
    `${partOf(missing, files.length, "file")} ${missing === 1 ? "is" : "are"} not in ${folder}, or not as written.`,
    {
      code: "dataset.files_missing",
      exit: 1,
      why: "All workers must write to the same folder; this one seems not to be shared, or was changed.",
      next: "Mount the folder on every machine (iot worker --folder), then export again with --again.",
    },
  );
}
