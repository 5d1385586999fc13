import type { JobItem, JobWork } from "../../kit/jobs/job.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { countFile } from "./count-file.ts";
import { coverOf, partPath } from "./dataset-parts.ts";
import { countDevices } from "./dataset-rows.ts";
import type { DatasetArgs, DatasetFile, DatasetRow, DatasetShared } from "./dataset-types.ts";
import { DatasetWriter, type DeviceSource } from "./dataset-writer.ts";
import { periodRange, type Split } from "./periods.ts";
import { countRange, deviceSources, merged, type TimeRange } from "./sources.ts";

/** Counts that are asked for at a time. */
export const COUNT_LANES = 4;

/** Writes the parts of an item. */
export async function writeItem(work: JobWork, shared: DatasetShared, item: JobItem<DatasetArgs>): Promise<DatasetRow> {
  const { devices, periodMs } = item.args;
  const range = cut({ fromMs: shared.fromMs ?? undefined, toMs: shared.toMs }, shared.split, periodMs);
  const writer = new DatasetWriter(work, shared, item);
  try {
    const sources = devices.flatMap((device) => sourcesOf(work, shared, item, { device, toMs: range.toMs }));
    const split = periodMs === undefined ? shared.split : null;
    const parts = await writer.write(sources, range, { split, periodMs });
    const files: DatasetFile[] = [];
    for (const part of parts) files.push(await writer.publish(part));
    const counts = shared.isVerified ? await compare(work, shared, item, { writer, files, range }) : {};
    const covers = shared.table === null ? {} : { covers: coverOf(item.args, shared.split, periodMs) };
    return { ...aboutItem(shared, item), files, records: recordsOf(files), ...covers, ...counts };
  } finally {
    await writer.cleanUp();
  }
}

export const recordsOf = (files: readonly DatasetFile[]): number =>
  files.reduce((sum, { records }) => sum + records, 0);

/** What a report says an item is about. */
export function aboutItem(
  { split }: DatasetShared,
  { args }: JobItem<DatasetArgs>,
): Pick<DatasetRow, "device" | "part" | "devices"> {
  const { devices, part, periodMs } = args;
  if (part === undefined) return { device: devices[0] ?? "" };
  return { part: partPath(args, split, periodMs), devices: devices.length };
}

/** What a device has on the platform. A bucket is sorted by device and time, whatever the variables. */
export function sourcesOf(
  { client }: JobWork,
  shared: DatasetShared,
  { args }: JobItem<DatasetArgs>,
  { device, toMs }: { readonly device: string; readonly toMs: number },
): readonly DeviceSource[] {
  const sources = deviceSources(client, { id: device, toMs }, shared);
  const isMerged = args.part !== undefined && sources.length > 1;
  return (isMerged ? [merged(sources)] : sources).map((source) => ({ device, source }));
}

/** Records of a device here and there. */
export interface CountPair {
  readonly device: string;
  readonly here: number;
  readonly there: number;
}

/** What a row says of compared counts. */
export function comparison(
  pairs: readonly CountPair[],
  isBucket: boolean,
): Pick<DatasetRow, "counted" | "there" | "differing"> {
  const differing = pairs.filter(({ here, there }) => here !== there);
  const sum = (of: "here" | "there"): number => pairs.reduce((all, pair) => all + pair[of], 0);
  const named = differing.map(({ device, here, there }) => `${device} ${here}/${there}`).join(" ");
  return { counted: sum("here"), there: sum("there"), ...(isBucket && named !== "" ? { differing: named } : {}) };
}

interface Written {
  readonly writer: DatasetWriter;
  readonly files: readonly DatasetFile[];
  readonly range: TimeRange;
}

/** Counts what lies there against the platform, device by device. */
async function compare(
  { client }: JobWork,
  shared: DatasetShared,
  { args: { devices, part } }: JobItem<DatasetArgs>,
  { writer, files, range }: Written,
): Promise<Partial<DatasetRow>> {
  const counted = new Map<string, number>();
  const add = (device: string, count: number): void => void counted.set(device, (counted.get(device) ?? 0) + count);
  for (const { file } of files) {
    await writer.store.withFile(file, async (path) => {
      if (part !== undefined) await countDevices(path, shared, add);
      else add(devices[0] ?? "", await countFile(path, shared.format, shared.csv.header));
    });
  }
  const pairs = await mapLanes(devices, COUNT_LANES, async (device) => {
    const there = await countRange(client, device, shared.selection, range);
    return { device, here: counted.get(device) ?? 0, there };
  });
  return comparison(pairs, part !== undefined);
}

/** The part of a range that is in a period. */
function cut(range: TimeRange, split: Split | null, periodMs: number | undefined): TimeRange {
  return split === null || periodMs === undefined ? range : periodRange(split, periodMs, range);
}
