import { MAX_DATA_STREAM_QTY } from "../../../lib/core/limits.ts";
import { CommandError } from "../failures/command-error.ts";

/** A page this short is the last one; a longer one proves it by the page after it. */
const SURELY_LAST = 100;
const MOST_RESTARTS = 20;

/** A record as it is read. */
export interface DataRecord {
  readonly id: string;
  readonly time: Date;
  readonly device?: string;
  readonly variable?: string;
  readonly value?: unknown;
  readonly unit?: string;
  readonly group?: string;
  readonly location?: unknown;
  readonly metadata?: unknown;
  readonly created_at?: Date;
}

export const recordColumns = [
  "device",
  "id",
  "time",
  "variable",
  "value",
  "unit",
  "group",
  "location",
  "metadata",
  "created_at",
] as const;
export type RecordColumn = (typeof recordColumns)[number];

/** Records between two timestamps, oldest first; both ends are included. */
export interface RangeQuery {
  readonly fromMs: number | undefined;
  readonly toMs: number;
  readonly qty: number;
  readonly skip: number;
}

/** Records that are complete up to `nextMs`: every later read starts there. */
export interface Window {
  readonly records: readonly DataRecord[];
  /** Where to continue; undefined in the middle of a timestamp. */
  readonly nextMs: number | undefined;
}

type Read = (query: RangeQuery) => Promise<readonly DataRecord[]>;

function msOf(record: DataRecord | undefined): number {
  const ms = record?.time instanceof Date ? record.time.getTime() : Number.NaN;
  if (Number.isFinite(ms)) return ms;
  throw unexpected("A record has no time, so the records cannot be read in order.");
}

function unexpected(message: string): Error {
  return new CommandError(message, {
    code: "reply.unexpected",
    exit: 1,
    next: 'Run the command again with --debug to see the requests; "iot status" shows whether the platform responds.',
  });
}

/**
 * Reads a range by the time of its records. Each request asks for the rest of the range. Records older than the last
 * timestamp of the response are complete, because a response is one view of the server. The next request starts at that
 * timestamp, so nothing is read twice or left out, whatever arrives or vanishes meanwhile.
 *
 * A page shorter than requested does not count as the last one: a server may return less at a time.
 */
export async function* readWindows(
  read: Read,
  fromMs: number | undefined,
  toMs: number,
): AsyncGenerator<Window, void, undefined> {
  let atMs = fromMs;
  while (atMs === undefined || atMs <= toMs) {
    const records = await read({ fromMs: atMs, toMs, qty: MAX_DATA_STREAM_QTY, skip: 0 });
    checkOrder(records, atMs);
    if (records.length < SURELY_LAST) {
      yield { records, nextMs: toMs + 1 };
      return;
    }
    const lastMs = msOf(records.at(-1));
    if (lastMs === msOf(records[0])) {
      yield* readMoment(read, lastMs);
      atMs = lastMs + 1;
      continue;
    }
    yield { records: records.slice(0, firstOf(records, lastMs)), nextMs: lastMs };
    atMs = lastMs;
  }
}

function checkOrder(records: readonly DataRecord[], fromMs = Number.NEGATIVE_INFINITY): void {
  let beforeMs = fromMs;
  for (const record of records) {
    const ms = msOf(record);
    if (ms < beforeMs) throw unexpected("The platform returned the records out of order.");
    beforeMs = ms;
  }
}

function firstOf(records: readonly DataRecord[], ms: number): number {
  let start = records.length;
  while (start > 0 && msOf(records[start - 1]) === ms) start -= 1;
  return start;
}

/**
 * Reads a timestamp with `SURELY_LAST` records or more. Time cannot separate them, so they are counted. Each page
 * starts with the last record of the one before; if it does not, the timestamp is read again for missed records.
 */
async function* readMoment(read: Read, ms: number): AsyncGenerator<Window, void, undefined> {
  const given = new Set<string>();
  let skip = 0;
  let lastId: string | undefined;
  let restarts = 0;
  for (;;) {
    const page = await read({ fromMs: ms, toMs: ms, qty: MAX_DATA_STREAM_QTY, skip });
    if (lastId !== undefined && page[0]?.id !== lastId) {
      restarts += 1;
      if (restarts > MOST_RESTARTS)
        throw unexpected("Records with the same timestamp change faster than they can be read.");
      skip = 0;
      lastId = undefined;
      continue;
    }
    const records = page.filter(({ id }) => !given.has(id));
    for (const { id } of records) given.add(id);
    const isLast = page.length <= (lastId === undefined ? 0 : 1);
    if (isLast || page.length === 0) {
      yield { records, nextMs: ms + 1 };
      return;
    }
    yield { records, nextMs: undefined };
    skip += page.length - 1;
    lastId = page.at(-1)?.id;
  }
}
