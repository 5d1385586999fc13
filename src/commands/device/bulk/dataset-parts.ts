import { digest } from "../../kit/state/digest.ts";
import { periodName, type Split } from "./periods.ts";

/** What a part holds: the records of some devices, or those of a period. */
export interface PartPlace {
  /** Folder below that of the dataset: `site=plant`, or `site=plant/device=5f…` where a part has one device. */
  readonly folder: string;
  /** Name of the bucket of devices: `part-007`. */
  readonly part?: string;
}

/** `site=plant/month=2026-11/part-007`, `site=plant/device=5f…/month=2026-11`: as Hive, Spark and DuckDB name partitions. */
export function partPath({ folder, part }: PartPlace, split: Split | null, periodMs: number | undefined): string {
  const period = split === null || periodMs === undefined ? undefined : `${split}=${periodName(split, periodMs)}`;
  const names = part === undefined ? [folder, period ?? "data"] : [folder, period, part];
  return names.filter((name) => name !== undefined && name !== "").join("/");
}

/** Whether a path below a dataset is that of one of its parts. */
export const isPart = (file: string): boolean =>
  /^(?:[^/=]+=[^/]*\/)*(?:data|part-\d{3,}|(?:day|month)=[\d-]+)(?:\.[0-9a-f]{16})?\.(?:parquet|ndjson|csv)$/.test(
    file,
  );

/** The path of a part without its ending, and in a table without what says its content. */
export const partOf = (file: string): string => file.replace(/(\.[0-9a-f]{16})?\.[a-z]+$/, "");

/** What the path of a part says of it: the opposite of `partPath`. */
export function placeOf(
  file: string,
  { split, parts }: { readonly split: Split | null; readonly parts: number | null },
): { readonly place: PartPlace; readonly periodMs: number | undefined } {
  const names = partOf(file).split("/");
  const part = parts === null ? undefined : names.pop();
  const period = parts === null || split !== null ? names.pop() : undefined;
  const place = { folder: names.join("/"), ...(part === undefined ? {} : { part }) };
  return { place, periodMs: split === null ? undefined : Date.parse(period?.slice(split.length + 1) ?? "") };
}

/** The path of the part that an item writes, with `*` for the periods of one that writes several. */
export function coverOf(place: PartPlace, split: Split | null, periodMs: number | undefined): string {
  const path = partPath(place, split, periodMs ?? 0);
  return periodMs === undefined ? anyPeriod(path) : path;
}

/** Whether items have written a part again, or have found that it has no records any more. */
export const isCovered = (path: string, covers: ReadonlySet<string>): boolean =>
  covers.has(path) || covers.has(anyPeriod(path));

const anyPeriod = (path: string): string => path.replace(/^(|.*\/)(day|month)=[^/]+/, "$1$2=*");

/** The bucket of a device: the same in every run. */
export function bucketOf(device: string, parts: number): string {
  const bucket = Number.parseInt(digest(device).slice(0, 12), 16) % parts;
  return `part-${String(bucket).padStart(3, "0")}`;
}

/** Bytes of a record, about: what a measured value with its unit takes. */
const recordBytes = { parquet: 25, ndjson: 170, csv: 110 } as const;
/** Size of a part that engines read well. */
const PART_BYTES = 128e6;
/** From this size on, a part with one device is as good. */
const LARGE_PART_BYTES = 16e6;
/** Up to this many devices have parts of their own. */
const FEW_DEVICES = 500;
/** Items that keep several workers busy, and a killed one from losing much. */
const WORK_ITEMS = 64;
/** A bucket of fewer devices is not made for the sake of more items. */
const LEAST_DEVICES = 50;

/** About how much an export writes. */
export interface FleetSize {
  readonly devices: number;
  /** Devices of the partition that has the most. */
  readonly largest: number;
  readonly records: number;
  /** Days or months of the range; 1 without `--split`. */
  readonly periods: number;
}

/** Buckets of each partition; null where each device has parts of its own. */
export function bucketsFor(
  { devices, largest, records, periods }: FleetSize,
  format: keyof typeof recordBytes,
): number | null {
  const deviceBytes = (records / devices / periods) * recordBytes[format];
  if (devices <= FEW_DEVICES || deviceBytes >= LARGE_PART_BYTES) return null;
  const bySize = Math.ceil((deviceBytes * largest) / PART_BYTES);
  const byWork = Math.ceil(Math.min(WORK_ITEMS / periods, largest / LEAST_DEVICES));
  return Math.max(1, bySize, byWork);
}
