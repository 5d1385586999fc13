import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolder } from "../../../lib/core/make-folder.ts";
import { CommandError } from "../../kit/failures/command-error.ts";
import { writeWhole } from "../../kit/files/files.ts";
import { replaceFile } from "../../kit/files/replace-file.ts";
import type { ItemResult, JobItem, JobKind, JobWork } from "../../kit/jobs/job.ts";
import { pathBelow } from "../../kit/jobs/path-below.ts";
import { openPart, partName, settlePart } from "../../kit/rows/part-file.ts";
import { type RowText, rowText } from "../../kit/rows/row-text.ts";
import type { DataSelection } from "../data-query.ts";
import { countRecords } from "../data-read.ts";
import { countFile } from "./count-file.ts";
import { deviceSources } from "./export-plan.ts";
import type { Source } from "./export-run.ts";
import { periodEnd, periodName, periodStart, type Split } from "./periods.ts";
import { type RecordColumn, readWindows } from "./windows.ts";

/** What all items of a dataset share. */
export type DatasetShared = {
  readonly format: "parquet" | "ndjson" | "csv";
  readonly split: Split | null;
  readonly columns: readonly RecordColumn[];
  readonly selection: DataSelection;
  /** The range, both ends included; the start is null for the first record there is. */
  readonly fromMs: number | null;
  readonly toMs: number;
  readonly csv: { readonly header: boolean; readonly csvSafe: boolean; readonly csvBom: boolean };
  readonly isVerified: boolean;
};

/** A device, or a period of it. */
export type DatasetArgs = {
  readonly device: string;
  /** Folder of the device below that of the dataset: `site=plant/device=5f…`. */
  readonly folder: string;
  /** Start of the one period the item is about. */
  readonly periodMs?: number;
};

interface DatasetFile {
  readonly file: string;
  readonly records: number;
  readonly bytes: number;
  readonly sha256: string;
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

/** Parts on their way. Spark leaves such a folder out as well. */
const UNFINISHED = "_temporary";
const MANIFEST = "_manifest.json";

export const datasetKind: JobKind<DatasetShared, DatasetArgs, DatasetRow> = {
  name: "device data export",
  version: 1,
  columns: ["device", "records", "counted", "there"],
  run: async (work, shared, item) => new DatasetItem(work, shared, item, await textOf(shared)).run(),
  finish: writeManifest,
};

const textOf = ({ format, columns, csv }: DatasetShared): Promise<RowText<RecordColumn>> =>
  rowText(format === "parquet" ? "ndjson" : format, { ...csv, columns });

/** Where a range starts and ends, both included; without a start, at the first record. */
interface Range {
  readonly fromMs: number | undefined;
  readonly toMs: number;
}

class DatasetItem {
  readonly #work: JobWork;
  readonly #shared: DatasetShared;
  readonly #item: JobItem<DatasetArgs>;
  readonly #text: RowText<RecordColumn>;
  readonly #sources: readonly Source[];
  readonly #range: Range;

  constructor(work: JobWork, shared: DatasetShared, item: JobItem<DatasetArgs>, text: RowText<RecordColumn>) {
    const { device: id, periodMs } = item.args;
    this.#work = work;
    this.#shared = shared;
    this.#item = item;
    this.#text = text;
    this.#sources = deviceSources(work.client, { id, toMs: shared.toMs }, shared);
    this.#range = cut({ fromMs: shared.fromMs ?? undefined, toMs: shared.toMs }, shared.split, periodMs);
  }

  async run(): Promise<DatasetRow> {
    const { device, periodMs } = this.#item.args;
    const { split } = this.#shared;
    const files =
      split === null
        ? [await this.#write("data", this.#range)]
        : periodMs !== undefined
          ? [await this.#write(nameOf(split, periodMs), this.#range)]
          : await this.#writePeriods(split);
    const kept = files.filter((file) => file !== undefined);
    const records = kept.reduce((sum, file) => sum + file.records, 0);
    return { device, files: kept, records, ...(this.#shared.isVerified ? await this.#verify(kept) : {}) };
  }

  /** A file for each period that has records. */
  async #writePeriods(split: Split): Promise<(DatasetFile | undefined)[]> {
    const files: (DatasetFile | undefined)[] = [];
    let firstMs = await this.#firstMoment(this.#range.fromMs);
    while (firstMs !== undefined) {
      files.push(await this.#write(nameOf(split, firstMs), cut(this.#range, split, periodStart(split, firstMs))));
      firstMs = await this.#firstMoment(periodEnd(split, firstMs));
    }
    return files;
  }

  /** Moment of the first record from a moment on. */
  async #firstMoment(fromMs: number | undefined): Promise<number | undefined> {
    const { toMs } = this.#range;
    if (fromMs !== undefined && fromMs > toMs) return undefined;
    const first = await Promise.all(this.#sources.map((source) => source.read({ fromMs, toMs, qty: 1, skip: 0 })));
    const moments = first.flatMap((records) => records.map(({ time }) => time.getTime()));
    return moments.length === 0 ? undefined : Math.min(...moments);
  }

  /** Writes a file under a name of its own and renames it, so that readers see nothing or all of it. */
  async #write(name: string, range: Range): Promise<DatasetFile | undefined> {
    const { folder } = this.#work;
    const file = `${this.#item.args.folder}/${name}.${this.#shared.format}`;
    const path = pathBelow(folder, file);
    const own = join(folder, UNFINISHED, `${this.#item.id}.${name}.${crypto.randomUUID()}`);
    try {
      const records = await this.#writePart(own, range);
      if (records === 0) return undefined;
      if (this.#shared.format === "parquet") {
        const { settleParquet } = await import("../../kit/rows/parquet-file.ts");
        await settleParquet(own, this.#shared.columns);
      } else await settlePart(own);
      const { bytes, sha256 } = await hashOf(own);
      makeFolder(dirname(path), 0o777);
      replaceFile(own, path);
      return { file, records, bytes, sha256 };
    } finally {
      await Promise.all([own, partName(own)].map((left) => rm(left, { force: true })));
    }
  }

  async #writePart(own: string, { fromMs, toMs }: Range): Promise<number> {
    const part = await openPart(own, 0);
    let count = 0;
    try {
      await part.write(this.#text.head);
      for (const source of this.#sources) {
        for await (const { records } of readWindows((query) => source.read(query), fromMs, toMs)) {
          if (records.length > 0) await part.write(this.#text.text(records, count === 0));
          count += records.length;
        }
      }
      await part.write(this.#text.tail(count === 0));
      await part.sync();
    } finally {
      await part.close();
    }
    return count;
  }

  async #verify(files: readonly DatasetFile[]): Promise<{ counted: number; there: number }> {
    const { format, csv, selection } = this.#shared;
    const { fromMs, toMs } = this.#range;
    const start = fromMs === undefined ? {} : { start_date: new Date(fromMs).toISOString() };
    const range = { ...selection, ...start, end_date: new Date(toMs).toISOString() };
    const there = await countRecords(this.#work.client, this.#item.args.device, range);
    let counted = 0;
    for (const { file } of files) counted += await countFile(pathBelow(this.#work.folder, file), format, csv.header);
    return { counted, there };
  }
}

/** The part of a range that is in a period. */
function cut({ fromMs, toMs }: Range, split: Split | null, periodMs: number | undefined): Range {
  if (split === null || periodMs === undefined) return { fromMs, toMs };
  return { fromMs: Math.max(fromMs ?? periodMs, periodMs), toMs: Math.min(toMs, periodEnd(split, periodMs) - 1) };
}

/** `month=2026-11`, as Hive, Spark and DuckDB name a partition. */
const nameOf = (split: Split, ms: number): string => `${split}=${periodName(split, ms)}`;

async function hashOf(path: string): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    bytes += chunk.byteLength;
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** The manifest says that all of the dataset is there, so it is written last; without it there is a part of one. */
async function writeManifest(
  { folder }: JobWork,
  shared: DatasetShared,
  results: AsyncIterable<ItemResult<DatasetRow>>,
): Promise<DatasetSummary> {
  const files: DatasetFile[] = [];
  let different = 0;
  let failed = 0;
  for await (const result of results) {
    if (!("row" in result)) failed += 1;
    else {
      files.push(...result.row.files);
      if (result.row.counted !== result.row.there) different += 1;
    }
  }
  files.sort((one, other) => (one.file < other.file ? -1 : 1));
  await checkThere(folder, files);
  const sum = (member: "records" | "bytes"): number => files.reduce((all, file) => all + file[member], 0);
  const totals = { records: sum("records"), bytes: sum("bytes") };
  const manifest = join(folder, MANIFEST);
  await rm(failed === 0 ? join(folder, UNFINISHED) : manifest, { recursive: true, force: true });
  if (failed === 0) {
    const { format, split, columns, selection, fromMs, toMs } = shared;
    const range = { from: fromMs === null ? null : new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
    const head = JSON.stringify({ version: 1, format, split, columns, selection, ...range, ...totals });
    const lines = files.map((file) => `    ${JSON.stringify(file)}`).join(",\n");
    const text = `${head.slice(0, -1)},\n  "files": [${lines === "" ? "" : `\n${lines}\n  `}]}\n`;
    writeWhole(manifest, text, { file: 0o666, folder: 0o777 });
  }
  return { files: files.length, ...totals, different };
}

/** The files are looked for by one process of all: where the folder is not shared, some are missing. */
async function checkThere(folder: string, files: readonly DatasetFile[]): Promise<void> {
  let missing = 0;
  for (const { file, bytes } of files) {
    const found = await stat(pathBelow(folder, file)).catch(() => undefined);
    if (found?.size !== bytes) missing += 1;
  }
  if (missing === 0) return;
  throw new CommandError(`${missing} of ${files.length} files are not in ${folder}, or not as they were written.`, {
    code: "dataset.files_missing",
    exit: 1,
    why: "All workers must write to the same folder; this one seems not to be shared, or was changed.",
    next: "Mount the folder on every machine (iot worker --folder), then export again with --again.",
  });
}
