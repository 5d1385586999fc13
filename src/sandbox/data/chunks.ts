import type { ChunkPeriod, DataDevice } from "./types.ts";

const DAY_MS = 86_400_000;

/** Marks rows on the mutable side, which has no chunks. */
export const MUTABLE_SIDE = -1;

/** Start of the UTC period that contains a time: weeks start on Monday, quarters on 1 January, April, July, October. */
export function periodStart(period: ChunkPeriod, atMs: number): number {
  const date = new Date(atMs);
  date.setUTCHours(0, 0, 0, 0);
  if (period === "week") date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  if (period === "month") date.setUTCDate(1);
  if (period === "quarter") date.setUTCMonth(date.getUTCMonth() - (date.getUTCMonth() % 3), 1);
  return date.getTime();
}

/** The start of the period `count` periods away from the one that starts at `startMs`. */
function shiftPeriod(period: ChunkPeriod, startMs: number, count: number): number {
  if (period === "day") return startMs + count * DAY_MS;
  if (period === "week") return startMs + count * 7 * DAY_MS;
  const date = new Date(startMs);
  date.setUTCMonth(date.getUTCMonth() + count * (period === "month" ? 1 : 3));
  return date.getTime();
}

/** First time whose rows are stored: the current period and `chunkRetention` older ones. */
export function retentionStart(device: DataDevice, nowMs: number): number {
  const period = device.chunkPeriod ?? "month";
  return shiftPeriod(period, periodStart(period, nowMs), -(device.chunkRetention ?? 0));
}

/** Last time an immutable row can have: the end of tomorrow, UTC. */
export function immutableEnd(nowMs: number): number {
  return periodStart("day", nowMs) + 2 * DAY_MS - 1;
}

/** A chunk in lists: bounds have the offset `+00:00`. */
export interface Chunk {
  /** `{first second}_{last second}`. */
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly amount: number;
}

const withOffset = (ms: number): string => new Date(ms).toISOString().replace("Z", "+00:00");

export function describeChunk(period: ChunkPeriod, startMs: number, amount: number): Chunk {
  const endMs = shiftPeriod(period, startMs, 1) - 1;
  const id = `${startMs / 1000}_${Math.floor(endMs / 1000)}`;
  return { id, from: withOffset(startMs), to: withOffset(endMs), amount };
}
