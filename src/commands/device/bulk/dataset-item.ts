import { rm } from "node:fs/promises";
import type { JobItem, JobWork } from "../../kit/jobs/job.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { partName } from "../../kit/rows/part-file.ts";
import { countFile } from "./count-file.ts";
import { partPath } from "./dataset-parts.ts";
import { countDevices } from "./dataset-rows.ts";
import { type DatasetStore, storeOf } from "./dataset-store.ts";
import type { DatasetArgs, DatasetFile, DatasetRow, DatasetShared } from "./dataset-types.ts";
import { fileForm } from "./export-file.ts";
import { writeExportFiles } from "./export-files.ts";
import { periodEnd, type Split } from "./periods.ts";
import { countRange, deviceSources, merged, type RecordSource, type TimeRange, windowsOf } from "./sources.ts";

/** Counts that are asked for at a time. */
const LANES = 4;

/** A file on this machine that is to become a part. */
interface Written {
  /** Path below the dataset. */
  readonly file: string;
  /** Records of each device that has some. */
  readonly devices: Map<string, number>;
}

/** Writes the parts of an item. */
export class DatasetItem {
  readonly #work: JobWork;
  readonly #shared: DatasetShared;
  readonly #item: JobItem<DatasetArgs>;
  readonly #range: TimeRange;
  readonly #store: DatasetStore;
  /** By the path on this machine. */
  readonly #written = new Map<string, Written>();
  #current = new Map<string, number>();

  constructor(work: JobWork, shared: DatasetShared, item: JobItem<DatasetArgs>) {
    this.#work = work;
    this.#shared = shared;
    this.#item = item;
    this.#range = cut({ fromMs: shared.fromMs ?? undefined, toMs: shared.toMs }, shared.split, item.args.periodMs);
    this.#store = storeOf(work.ctx, work.folder);
  }

  async run(): Promise<DatasetRow> {
    const { devices, periodMs, part } = this.#item.args;
    const { format, columns, csv, split, isVerified } = this.#shared;
    try {
      const form = await fileForm(format, columns, csv);
      const sources = devices.flatMap((device) => this.#sourcesOf(device));
      const groups = [{ sources, pathOf: (ms = periodMs) => this.#begin(ms) }];
      const job = { groups, fromMs: this.#range.fromMs, form, keepsEmpty: false };
      const done = await writeExportFiles({ ...job, split: periodMs === undefined ? split : null });
      const files: DatasetFile[] = [];
      for (const { file, records } of done) files.push(await this.#publish(file, records));
      const records = files.reduce((sum, file) => sum + file.records, 0);
      const path = partPath(this.#item.args, split, periodMs);
      const about = part === undefined ? { device: devices[0] ?? "" } : { part: path, devices: devices.length };
      return { ...about, files, records, ...(isVerified ? await this.#counts(files) : {}) };
    } finally {
      const left = [...this.#written.keys()].flatMap((path) => [path, partName(path)]);
      await Promise.all(left.map((path) => rm(path, { force: true })));
    }
  }

  /** A new file, which has a path of its own until it is whole: another worker may be doing the same item. */
  #begin(periodMs: number | undefined): string {
    const { format, split } = this.#shared;
    const file = `${partPath(this.#item.args, split, periodMs)}.${format}`;
    const path = this.#store.unfinished(`${this.#item.id}.${periodMs ?? "data"}.${crypto.randomUUID()}`);
    this.#current = new Map();
    this.#written.set(path, { file, devices: this.#current });
    return path;
  }

  /** What a device has, counted as it is written. A bucket is sorted by device and time, whatever the variables. */
  #sourcesOf(device: string): readonly RecordSource[] {
    const sources = deviceSources(this.#work.client, { id: device, toMs: this.#range.toMs }, this.#shared);
    const isMerged = this.#item.args.part !== undefined && sources.length > 1;
    return (isMerged ? [merged(sources)] : sources).map((source) => ({
      ...source,
      windows: (fromMs, toMs) => this.#counted(device, windowsOf(source, fromMs, toMs)),
    }));
  }

  async *#counted(device: string, windows: ReturnType<typeof windowsOf>): ReturnType<typeof windowsOf> {
    for await (const window of windows) {
      const { length } = window.records;
      if (length > 0) this.#current.set(device, (this.#current.get(device) ?? 0) + length);
      yield window;
    }
  }

  async #publish(path: string, records: number): Promise<DatasetFile> {
    const { file, devices } = this.#written.get(path) ?? { file: "", devices: [] };
    return { file, records, ...(await this.#store.publish(path, file)), devices: Object.fromEntries(devices) };
  }

  /** Counts what lies there against the platform, device by device. */
  async #counts(files: readonly DatasetFile[]): Promise<Pick<DatasetRow, "counted" | "there" | "differing">> {
    const { args } = this.#item;
    const counted = await this.#countFiles(files);
    const there = await mapLanes(args.devices, LANES, (device) =>
      countRange(this.#work.client, device, this.#shared.selection, this.#range),
    );
    const pairs = args.devices.map((device, at) => ({ device, here: counted.get(device) ?? 0, there: there[at] ?? 0 }));
    const differing = pairs
      .filter((pair) => pair.here !== pair.there)
      .map((pair) => `${pair.device} ${pair.here}/${pair.there}`);
    const sum = (of: "here" | "there"): number => pairs.reduce((all, pair) => all + pair[of], 0);
    const isNamed = args.part !== undefined && differing.length > 0;
    return { counted: sum("here"), there: sum("there"), ...(isNamed ? { differing: differing.join(" ") } : {}) };
  }

  async #countFiles(files: readonly DatasetFile[]): Promise<Map<string, number>> {
    const { format, csv } = this.#shared;
    const { devices, part } = this.#item.args;
    const counts = new Map<string, number>();
    let all = 0;
    for (const { file } of files) {
      await this.#store.withFile(file, async (path) => {
        if (part === undefined) all += await countFile(path, format, csv.header);
        else await countDevices(path, this.#shared, counts);
      });
    }
    return part === undefined ? new Map([[devices[0] ?? "", all]]) : counts;
  }
}

/** The part of a range that is in a period. */
function cut({ fromMs, toMs }: TimeRange, split: Split | null, periodMs: number | undefined): TimeRange {
  if (split === null || periodMs === undefined) return { fromMs, toMs };
  return { fromMs: Math.max(fromMs ?? periodMs, periodMs), toMs: Math.min(toMs, periodEnd(split, periodMs) - 1) };
}
