import { rm } from "node:fs/promises";
import type { JobItem, JobWork } from "../../kit/jobs/job.ts";
import { partName } from "../../kit/rows/part-file.ts";
import { partPath } from "./dataset-parts.ts";
import { type DatasetStore, storeOf } from "./dataset-store.ts";
import type { DatasetArgs, DatasetFile, DatasetShared } from "./dataset-types.ts";
import { type CsvChoice, fileForm } from "./export-file.ts";
import { writeExportFiles } from "./export-files.ts";
import { parquetTable } from "./iceberg/schema.ts";
import { tableBounds, tableFile } from "./iceberg/table-file.ts";
import type { Split } from "./periods.ts";
import { type RecordSource, type TimeRange, windowsOf } from "./sources.ts";
import { hashOf } from "./store.ts";

/** A whole file on this machine that is to become a part. */
export interface LocalPart {
  readonly path: string;
  /** Path below the dataset, without the ending. */
  readonly part: string;
  readonly records: number;
  /** Records of each device that has some. */
  readonly devices: ReadonlyMap<string, number>;
}

export interface DeviceSource {
  readonly device: string;
  readonly source: RecordSource;
}

/** Writes parts of an item, first with paths of their own on this machine: another worker may be doing the same item. */
export class DatasetWriter {
  readonly store: DatasetStore;
  readonly #shared: DatasetShared;
  readonly #item: JobItem<DatasetArgs>;
  readonly #begun = new Map<string, Pick<LocalPart, "part" | "devices">>();
  #current = new Map<string, number>();

  constructor({ ctx, folder }: JobWork, shared: DatasetShared, item: JobItem<DatasetArgs>) {
    this.store = storeOf(ctx, folder);
    this.#shared = shared;
    this.#item = item;
  }

  /**
   * Writes what the sources have in a range, one after the other.
   *
   * @param split with it, a part for each period that has records
   */
  async write(
    sources: readonly DeviceSource[],
    { fromMs }: Pick<TimeRange, "fromMs">,
    options: { readonly split: Split | null; readonly periodMs: number | undefined; readonly csv?: CsvChoice },
  ): Promise<readonly LocalPart[]> {
    const { format, columns, table } = this.#shared;
    const { split, periodMs, csv = this.#shared.csv } = options;
    const form = await fileForm(
      format,
      columns,
      csv,
      table === null ? undefined : parquetTable(table.form, this.#item.args.folder),
    );
    const groups = [
      {
        sources: sources.map((source) => this.#counting(source)),
        pathOf: (ms = periodMs) => this.#begin(ms),
      },
    ];
    const done = await writeExportFiles({ groups, fromMs, split, form, keepsEmpty: false });
    return done.flatMap(({ file: path, records }) => {
      const begun = this.#begun.get(path);
      return begun === undefined ? [] : [{ path, records, ...begun }];
    });
  }

  async publish({ path, part, records, devices }: LocalPart): Promise<DatasetFile> {
    const { format, table } = this.#shared;
    const file = table === null ? `${part}.${format}` : tableFile(part, (await hashOf(path)).sha256);
    const bounds = table === null ? {} : { bounds: await tableBounds(path) };
    return {
      file,
      records,
      ...(await this.store.publish(path, file)),
      devices: Object.fromEntries(devices),
      ...bounds,
    };
  }

  /** Removes what was not published. */
  async cleanUp(): Promise<void> {
    const left = [...this.#begun.keys()].flatMap((path) => [path, partName(path)]);
    await Promise.all(left.map((path) => rm(path, { force: true })));
  }

  #begin(periodMs: number | undefined): string {
    const path = this.store.unfinished(`${this.#item.id}.${periodMs ?? "data"}.${crypto.randomUUID()}`);
    this.#current = new Map();
    const part = partPath(this.#item.args, this.#shared.split, periodMs);
    this.#begun.set(path, { part, devices: this.#current });
    return path;
  }

  #counting({ device, source }: DeviceSource): RecordSource {
    return { ...source, windows: (fromMs, toMs) => this.#counted(device, windowsOf(source, fromMs, toMs)) };
  }

  async *#counted(device: string, windows: ReturnType<typeof windowsOf>): ReturnType<typeof windowsOf> {
    for await (const window of windows) {
      const { length } = window.records;
      if (length > 0) this.#current.set(device, (this.#current.get(device) ?? 0) + length);
      yield window;
    }
  }
}
