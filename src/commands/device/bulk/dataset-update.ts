import type { DataRecord, Window } from "../../kit/devices/windows.ts";
import type { JobItem, JobWork } from "../../kit/jobs/job.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { spreadsheetText } from "../../kit/output/spreadsheet.ts";
import { aboutItem, COUNT_LANES, type CountPair, comparison, recordsOf, sourcesOf } from "./dataset-item.ts";
import { type Base, baseOf, beginChange, type PlaceParts, placeKey } from "./dataset-manifest.ts";
import { countOlder, PartReader } from "./dataset-rows.ts";
import type { DatasetArgs, DatasetFile, DatasetRow, DatasetShared } from "./dataset-types.ts";
import { DatasetWriter, type DeviceSource, type LocalPart } from "./dataset-writer.ts";
import { changedSlots, type Slot } from "./late.ts";
import { periodRange, periodStart, periodsBetween } from "./periods.ts";
import { countRange, type RecordSource, readRange, type TimeRange, windowsOf } from "./sources.ts";

/** A period of a device. */
interface PeriodSlot extends Slot {
  readonly periodMs: number | undefined;
}

/** What of a part is read again: the time from which on, by device. The rest of it is copied. */
type PartPlan = Map<string, number>;

/** Brings the parts of an item up to date: reads what is new or came late, and replaces the parts that it belongs to. */
export class DatasetUpdate {
  readonly #work: JobWork;
  readonly #shared: DatasetShared;
  readonly #item: JobItem<DatasetArgs>;
  readonly #base: Base;
  readonly #before: PlaceParts;
  readonly #writer: DatasetWriter;
  readonly #lookbackMs: number;
  /** By the start of the period. */
  readonly #plans = new Map<number | undefined, PartPlan>();
  readonly #files: DatasetFile[] = [];
  readonly #removed: string[] = [];
  readonly #pairs: CountPair[] = [];

  static async of(work: JobWork, shared: DatasetShared, item: JobItem<DatasetArgs>): Promise<DatasetUpdate> {
    const writer = new DatasetWriter(work, shared, item);
    const { mark = "", lookbackMs = 0 } = shared.since ?? {};
    return new DatasetUpdate({ work, shared, item, writer, lookbackMs, base: await baseOf(writer.store, mark) });
  }

  private constructor(of: {
    readonly work: JobWork;
    readonly shared: DatasetShared;
    readonly item: JobItem<DatasetArgs>;
    readonly writer: DatasetWriter;
    readonly lookbackMs: number;
    readonly base: Base;
  }) {
    this.#work = of.work;
    this.#shared = of.shared;
    this.#item = of.item;
    this.#writer = of.writer;
    this.#lookbackMs = of.lookbackMs;
    this.#base = of.base;
    this.#before = of.base.places.get(placeKey(of.item.args))?.parts ?? new Map();
  }

  async run(): Promise<DatasetRow> {
    const { devices, part } = this.#item.args;
    try {
      const older = await this.#olderCounts();
      await mapLanes(devices, COUNT_LANES, (device) => this.#planDevice(device, older));
      await this.#planBroken();
      for (const [periodMs, plan] of this.#plans) await this.#replace(periodMs, plan);
      const own = new Set(devices);
      const known = new Set([...this.#before.values()].flatMap((file) => Object.keys(file.devices)));
      return {
        ...aboutItem(this.#shared, this.#item),
        ...{ files: this.#files, removed: this.#removed, records: recordsOf(this.#files) },
        ...{ place: placeKey(this.#item.args), others: [...known].filter((device) => !own.has(device)) },
        ...(this.#shared.isVerified ? comparison(this.#pairs, part !== undefined) : {}),
      };
    } finally {
      await this.#writer.cleanUp();
    }
  }

  /** The time from which on a device is read again; undefined for one that is new. */
  #cutMs(device: string): number | undefined {
    const isKnown = [...this.#before.values()].some(({ devices }) => Object.hasOwn(devices, device));
    if (!isKnown) return undefined;
    const { until, toMs } = this.#base.manifest;
    return Math.max(
      (until.get(device) ?? toMs) + 1 - this.#lookbackMs,
      this.#shared.fromMs ?? Number.NEGATIVE_INFINITY,
    );
  }

  #rangeOf(periodMs: number | undefined): TimeRange {
    const { split, toMs, fromMs } = this.#shared;
    const range = { fromMs: fromMs ?? undefined, toMs };
    return split === null || periodMs === undefined ? range : periodRange(split, periodMs, range);
  }

  #deviceOf = (row: { readonly device?: unknown }): string =>
    this.#item.args.part === undefined ? (this.#item.args.devices[0] ?? "") : String(row.device);

  /** Records in the part of the period of a device's cut that are older than it. */
  async #olderCounts(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    if (this.#lookbackMs === 0) return counts;
    const cuts = new Map(this.#item.args.devices.map((device) => [device, this.#cutMs(device)]));
    for (const [periodMs, { file, devices }] of this.#before) {
      const { fromMs = Number.NEGATIVE_INFINITY, toMs } = this.#rangeOf(periodMs);
      const beforeMs = (device: string): number | undefined => {
        const cutMs = cuts.get(device);
        return cutMs !== undefined && cutMs > fromMs && cutMs <= toMs ? cutMs : undefined;
      };
      if (!Object.keys(devices).some((device) => beforeMs(device) !== undefined)) continue;
      if ((await this.#writer.store.sizeOf(file)) === undefined) continue;
      const found = await this.#writer.store.withFile(file, (path) =>
        countOlder(path, this.#shared, { deviceOf: this.#deviceOf, beforeMs }),
      );
      for (const [device, count] of found) counts.set(device, count);
    }
    return counts;
  }

  /** Compares the counts of the platform: those before the cut, where only late records matter, and those after it. */
  async #planDevice(device: string, older: ReadonlyMap<string, number>): Promise<void> {
    const cutMs = this.#cutMs(device);
    const count = (range: TimeRange): Promise<number> =>
      countRange(this.#work.client, device, this.#shared.selection, range);
    const [late, fresh]: [PeriodSlot[], PeriodSlot[]] = [[], []];
    for (const periodMs of await this.#periodsOf(device, cutMs, count)) {
      const { fromMs, toMs } = this.#rangeOf(periodMs);
      const known = this.#before.get(periodMs)?.devices[device] ?? 0;
      const isCut = cutMs !== undefined && (fromMs ?? Number.NEGATIVE_INFINITY) < cutMs && cutMs <= toMs;
      if (isCut) {
        const before = this.#lookbackMs === 0 ? known : (older.get(device) ?? 0);
        late.push({ periodMs, fromMs, toMs: cutMs - 1, known: before });
        fresh.push({ periodMs, fromMs: cutMs, toMs, known: known - before });
      } else (cutMs !== undefined && toMs < cutMs ? late : fresh).push({ periodMs, fromMs, toMs, known });
    }
    // What the platform deletes after its time stays in the dataset; what was deleted of the time that is read again does not.
    const came = await changedSlots(count, late, (there, known) => there > known);
    const changed = await changedSlots(count, fresh, (there, known) => there !== known);
    for (const { periodMs, fromMs } of [...changed, ...came]) this.#plan(periodMs, device, fromMs);
  }

  /** All periods of the range. Without a start, they begin with the first record that is there or is known. */
  async #periodsOf(
    device: string,
    cutMs: number | undefined,
    count: (range: TimeRange) => Promise<number>,
  ): Promise<readonly (number | undefined)[]> {
    const { split, fromMs, toMs } = this.#shared;
    if (split === null) return [undefined];
    if (fromMs !== null) return [...periodsBetween(split, fromMs, toMs)];
    const known = [...this.#before].filter(([, { devices }]) => Object.hasOwn(devices, device)).map(([ms = 0]) => ms);
    const firstMs = Math.min(...known, ...(cutMs === undefined ? [] : [periodStart(split, cutMs)]));
    const isEarlier = !Number.isFinite(firstMs) || (await count({ fromMs: undefined, toMs: firstMs - 1 })) > 0;
    if (!isEarlier) return [...periodsBetween(split, firstMs, toMs)];
    const query = { fromMs: undefined, toMs, qty: 1, skip: 0 };
    // One record of each variable.
    const found = await readRange(this.#work.client, device, this.#shared.selection, query);
    const times = found.map(({ time }) => time.getTime());
    return times.length === 0 ? [] : [...periodsBetween(split, Math.min(...times, firstMs), toMs)];
  }

  #plan(periodMs: number | undefined, device: string, fromMs = Number.NEGATIVE_INFINITY): void {
    const plan: PartPlan = this.#plans.get(periodMs) ?? new Map();
    this.#plans.set(periodMs, plan);
    plan.set(device, Math.min(fromMs, plan.get(device) ?? fromMs));
  }

  /** A part that is not as the manifest says is read again: it is gone, or an update that was killed has replaced it. */
  async #planBroken(): Promise<void> {
    for (const [periodMs, { file, bytes }] of this.#before) {
      if ((await this.#writer.store.sizeOf(file)) === bytes) continue;
      for (const device of this.#item.args.devices) this.#plan(periodMs, device);
    }
  }

  async #replace(periodMs: number | undefined, plan: PartPlan): Promise<void> {
    const before = this.#before.get(periodMs);
    const { store } = this.#writer;
    const isThere = before !== undefined && (await store.sizeOf(before.file)) !== undefined;
    const written = isThere
      ? await store.withFile(before.file, (path) => this.#write(periodMs, plan, path))
      : await this.#write(periodMs, plan, undefined);
    if (this.#shared.table !== null) return this.#addToTable(before, written);
    if (written === undefined) {
      if (before === undefined) return;
      await beginChange(store, this.#base);
      await store.remove(before.file);
      this.#removed.push(before.file);
      return;
    }
    await beginChange(store, this.#base);
    this.#files.push(await this.#writer.publish(written));
  }

  /** In a table the parts of before stay as they are: it has the new ones when the job has ended. */
  async #addToTable(before: DatasetFile | undefined, written: LocalPart | undefined): Promise<void> {
    const part = written && (await this.#writer.publish(written));
    if (part !== undefined && part.file !== before?.file) this.#files.push(part);
    if (before !== undefined && part?.file !== before.file) this.#removed.push(before.file);
  }

  /** @param path the part of before on this machine */
  async #write(periodMs: number | undefined, plan: PartPlan, path: string | undefined): Promise<LocalPart | undefined> {
    const range = this.#rangeOf(periodMs);
    const before = path === undefined ? undefined : new PartReader(path, this.#shared, this.#deviceOf);
    const known = path === undefined ? [] : this.#knownDevices(periodMs);
    const read = new Map<string, number>();
    const sources = [...new Set([...known, ...plan.keys()])].sort().flatMap((device): DeviceSource[] => {
      const readMs = plan.get(device) ?? Number.POSITIVE_INFINITY;
      const copied = before === undefined ? [] : [{ device, source: copySource(before, device, readMs) }];
      if (!plan.has(device)) return copied;
      const own = sourcesOf(this.#work, this.#shared, this.#item, { device, toMs: range.toMs });
      return [
        ...copied,
        ...own.map(({ source }) => ({ device, source: this.#newSource(source, device, readMs, read) })),
      ];
    });
    try {
      // Cells that are copied are safe already.
      const csv = { ...this.#shared.csv, csvSafe: false };
      const [part] = await this.#writer.write(sources, range, { split: null, periodMs, csv });
      await this.#compare(plan, range, read);
      return part;
    } finally {
      await before?.close();
    }
  }

  /** A part that a killed update has replaced may have other devices than the manifest says. */
  #knownDevices(periodMs: number | undefined): string[] {
    return [...Object.keys(this.#before.get(periodMs)?.devices ?? {}), ...this.#item.args.devices];
  }

  /** What the platform has of a device from a time on. */
  #newSource(source: RecordSource, device: string, readMs: number, read: Map<string, number>): RecordSource {
    const { format, csv } = this.#shared;
    const isMarked = format === "csv" && csv.csvSafe;
    async function* windows(fromMs: number | undefined, toMs: number): AsyncGenerator<Window, void, undefined> {
      const startMs = Math.max(fromMs ?? Number.NEGATIVE_INFINITY, readMs);
      for await (const window of windowsOf(source, Number.isFinite(startMs) ? startMs : undefined, toMs)) {
        read.set(device, (read.get(device) ?? 0) + window.records.length);
        yield isMarked ? { ...window, records: window.records.map(marked) } : window;
      }
    }
    return { ...source, windows };
  }

  /** With `--verify`: compares what was read with the count of the platform. */
  async #compare(plan: PartPlan, range: TimeRange, read: ReadonlyMap<string, number>): Promise<void> {
    if (!this.#shared.isVerified) return;
    const pairs = await mapLanes([...plan], COUNT_LANES, async ([device, readMs]) => {
      const fromMs = Math.max(range.fromMs ?? Number.NEGATIVE_INFINITY, readMs);
      const all = { ...range, fromMs: Number.isFinite(fromMs) ? fromMs : undefined };
      const there = await countRange(this.#work.client, device, this.#shared.selection, all);
      return { device, here: read.get(device) ?? 0, there };
    });
    this.#pairs.push(...pairs);
  }
}

/** The records of a device in a part of before that are older than a time. */
const copySource = (before: PartReader, device: string, olderMs: number): RecordSource => ({
  toMs: Number.POSITIVE_INFINITY,
  read: async () => [],
  windows: () => before.windows(device, olderMs),
});

const marked = (record: DataRecord): DataRecord => {
  const cells = Object.entries(record).map(([name, cell]) => [
    name,
    typeof cell === "string" ? spreadsheetText(cell) : cell,
  ]);
  return Object.fromEntries(cells) as DataRecord;
};
