import { batchClient } from "../../kit/client/batch-client.ts";
import type { CommandContext } from "../../kit/context.ts";
import { announceReading } from "../../kit/devices/cost.ts";
import { countRecords, readData } from "../../kit/devices/data-read.ts";
import { devicePages, type FleetDevice, fleetOf } from "../../kit/devices/fleet.ts";
import { notFoundError } from "../../kit/failures/command-error.ts";
import { failureOf } from "../../kit/jobs/failure.ts";
import type { JobItem } from "../../kit/jobs/job.ts";
import { mapLanes } from "../../kit/lanes.ts";
import { digest } from "../../kit/state/digest.ts";
import type { Base } from "./dataset-manifest.ts";
import { bucketOf, type FleetSize } from "./dataset-parts.ts";
import type { DatasetArgs, DatasetShared } from "./dataset-types.ts";
import type { ExportChoice } from "./export-choice.ts";
import { periodName, periodsBetween, type Split } from "./periods.ts";

interface DatasetDevice extends FleetDevice {
  readonly tags?: readonly { readonly key: string; readonly value: string }[];
}

/** The devices of the command line, a page at a time. */
async function* devicesOf(
  ctx: CommandContext,
  { named, tags }: Pick<ExportChoice, "named" | "tags">,
): AsyncGenerator<readonly DatasetDevice[]> {
  if (tags.length === 0) yield await fleetOf(ctx, named, []);
  else yield* devicePages(await ctx.client(), { tags }, ["tags"]);
}

/** The partition of a device. */
type Home = (device: DatasetDevice) => string;

/**
 * The items of a dataset: a device or a bucket of them, in each period where the range has a start. Those of an update are
 * about all periods.
 */
export async function* itemsOf(
  ctx: CommandContext,
  choice: ExportChoice,
  shared: Pick<DatasetShared, "split" | "fromMs" | "toMs" | "parts" | "since">,
  base?: Base,
): AsyncGenerator<JobItem<DatasetArgs>> {
  const { split, fromMs, toMs, parts, since } = shared;
  const homes = base === undefined ? new Map<string, string>() : homesIn(base);
  const home: Home = (device) => homes.get(device.id) ?? partitionOf(device, choice);
  const wholes = parts === null ? deviceItems(ctx, choice, home) : bucketItems(ctx, choice, { parts, home });
  for await (const { id, args } of wholes) {
    if (split === null || fromMs === null || since !== undefined) yield { id, args };
    else
      for (const periodMs of periodsBetween(split, fromMs, toMs))
        yield { id: `${id}.${periodName(split, periodMs)}`, args: { ...args, periodMs } };
  }
}

/** Where a dataset has its devices. They stay there, for their records would be there twice otherwise. */
function homesIn({ places }: Base): Map<string, string> {
  const homes = new Map<string, string>();
  for (const { place, parts } of places.values()) {
    const folder = place.part === undefined ? place.folder.replace(/\/?device=[^/]*$/, "") : place.folder;
    for (const { devices } of parts.values()) for (const device of Object.keys(devices)) homes.set(device, folder);
  }
  return homes;
}

async function* deviceItems(
  ctx: CommandContext,
  choice: ExportChoice,
  home: Home,
): AsyncGenerator<JobItem<DatasetArgs>> {
  for await (const page of devicesOf(ctx, choice)) {
    for (const device of page) {
      const folder = [home(device), `device=${partitionText(device.id)}`].filter(Boolean).join("/");
      yield { id: device.id, args: { devices: [device.id], folder } };
    }
  }
}

async function* bucketItems(
  ctx: CommandContext,
  choice: ExportChoice,
  { parts, home }: { readonly parts: number; readonly home: Home },
): AsyncGenerator<JobItem<DatasetArgs>> {
  const buckets = new Map<string, { readonly folder: string; readonly part: string; readonly ids: Set<string> }>();
  for await (const page of devicesOf(ctx, choice)) {
    for (const device of page) {
      const [folder, part] = [home(device), bucketOf(device.id, parts)];
      const id = folder === "" ? part : `${part}.${digest(folder).slice(0, 16)}`;
      const bucket = buckets.get(id) ?? { folder, part, ids: new Set() };
      buckets.set(id, bucket);
      bucket.ids.add(device.id);
    }
  }
  for (const [id, { folder, part, ids }] of buckets) yield { id, args: { folder, part, devices: [...ids].sort() } };
}

/** `site=plant`: the tags asked for, in their order. */
function partitionOf({ tags: own = [] }: DatasetDevice, choice: Pick<ExportChoice, "tags">): string {
  const keys = partitionKeys(choice);
  const parts = keys.map((key) => [key, own.find((tag) => tag.key === key)?.value ?? ""]);
  return parts.map((words) => words.map((word = "") => partitionText(word)).join("=")).join("/");
}

export const partitionKeys = ({ tags }: Pick<ExportChoice, "tags">): string[] => [
  ...new Set(tags.map(({ key }) => key)),
];

/** As Hive writes a value: what has a meaning in paths is escaped. */
const partitionText = (text: string): string =>
  text === "" ? "__HIVE_DEFAULT_PARTITION__" : encodeURIComponent(text).replace(/[*'()~!]/g, escaped);
const escaped = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** Devices that are counted before a fleet is read; the others are taken to be like these. */
const MOST_COUNTED = 100;

/** A device that cannot be read fails as an item later; it does not keep the others from being exported. */
function uncounted(error: unknown): number {
  if (failureOf(error) === "item") return 0;
  throw error;
}

/** Says about how much will be read, and asks. Resolves to that. */
export async function announce(
  ctx: CommandContext,
  choice: Pick<ExportChoice, "named" | "tags" | "selection" | "split">,
  range: Pick<DatasetShared, "fromMs" | "toMs">,
): Promise<FleetSize> {
  const client = await batchClient(ctx);
  const lanes = ctx.flags.concurrency ?? 4;
  const partitions = new Map<string, number>();
  const counted: number[] = [];
  const some: string[] = [];
  let devices = 0;
  for await (const page of devicesOf(ctx, choice)) {
    devices += page.length;
    for (const device of page) {
      const folder = partitionOf(device, choice);
      partitions.set(folder, (partitions.get(folder) ?? 0) + 1);
    }
    const ids = page.slice(0, MOST_COUNTED - some.length).map(({ id }) => id);
    some.push(...ids);
    counted.push(...(await mapLanes(ids, lanes, (id) => countRecords(client, id, choice.selection).catch(uncounted))));
  }
  if (devices === 0)
    throw notFoundError("No device has this tag.", {
      code: "device.not_found",
      next: 'Run "iot device list --fields name,tags" to see the tags in use.',
    });
  const records = Math.round((counted.reduce((sum, count) => sum + count, 0) / counted.length) * devices);
  await announceReading(ctx, client, records, false);
  const { split = null, selection } = choice;
  const firstMs = async (id: string): Promise<number> => {
    const [first] = await readData(client, id, { ...selection, qty: 1, ordination: "ascending" }).catch(() => []);
    return first?.time instanceof Date ? first.time.getTime() : range.toMs;
  };
  // A fleet that was counted as a whole is too small for buckets.
  const isSearched = split !== null && range.fromMs === null && devices > MOST_COUNTED;
  const fromMs = isSearched ? Math.min(...(await mapLanes(some, lanes, firstMs))) : (range.fromMs ?? range.toMs);
  return {
    devices,
    largest: [...partitions.values()].reduce((most, count) => Math.max(most, count), 0),
    records,
    periods: periodCount(split, fromMs, range.toMs),
  };
}

const periodCount = (split: Split | null, fromMs: number, toMs: number): number =>
  split === null ? 1 : Math.max(1, [...periodsBetween(split, fromMs, toMs)].length);
