import type { Resources } from "../../../index.ts";
import { batchClient, readingClient } from "../client/batch-client.ts";
import type { CommandContext } from "../context.ts";
import { announceReading } from "../devices/cost.ts";
import { countRecords, readData } from "../devices/data-read.ts";
import { type DataRecord, readWindows } from "../devices/windows.ts";
import { isObject } from "../files/files.ts";
import type { EntrySource, EventEntry, StreamEntry } from "./entry.ts";

/** What was stored before the stream opened. */
export interface History {
  readonly sinceMs: number;
  readonly devices: readonly string[];
  /** Only these; empty: all. */
  readonly variables: readonly string[];
}

/** Records may be dated ahead of now. */
const FAR_AHEAD_MS = Date.parse("2200-01-01T00:00:00Z");
/** Records held while they are merged: with many devices, a request takes fewer of each. */
const MOST_HELD = 50_000;
const LEAST_AT_ONCE = 500;
/** The clocks of this machine and the platform may differ by so much. */
const SKEW_MS = 5 * 60_000;

/** Shows what reading the history costs, before anything is opened. */
export async function announceHistory(ctx: CommandContext, history: History): Promise<void> {
  const client = await readingClient(ctx);
  let records = 0;
  for (const device of history.devices) {
    records += await countRecords(client, device, selectionOf(history));
  }
  await announceReading(ctx, client, records, false);
}

const selectionOf = ({ sinceMs, variables }: History) => ({
  start_date: new Date(sinceMs).toISOString(),
  ...(variables.length === 0 ? {} : { variables: [...variables] }),
});

/**
 * The records since a date, oldest first, and then live ones. The stream is opened first, and its records wait; a
 * record from both sources is yielded once. Nothing is missed in between.
 */
export function withHistory(ctx: CommandContext, live: EntrySource, history: History): EntrySource {
  let isClosed = false;
  async function* entries(): AsyncGenerator<StreamEntry> {
    const waiting = collect(live.entries);
    for (let entry = await waiting.next(); entry !== undefined; entry = await waiting.next()) {
      yield entry;
      if (entry.type === "open") break;
    }
    const openedMs = Date.now();
    // Only a record stored after the stream was opened can come by it, too.
    const twice = new Set<string>();
    for await (const { device, record } of stored(ctx, history)) {
      if (isClosed) return;
      if ((record.created_at?.getTime() ?? openedMs) >= openedMs - SKEW_MS) twice.add(record.id);
      yield eventOf(device, record);
    }
    for (let entry = await waiting.next(); entry !== undefined; entry = await waiting.next()) {
      const rest = withoutDoubles(entry, twice);
      if (rest !== undefined) yield rest;
    }
  }
  return {
    ...live,
    entries: entries(),
    close() {
      isClosed = true;
      live.close();
    },
  };
}

/** Takes entries as they come and hands them out one by one; undefined at the end. */
function collect(entries: AsyncIterable<StreamEntry>): { next(): Promise<StreamEntry | undefined> } {
  const queue: StreamEntry[] = [];
  let end: { readonly failure?: unknown } | undefined;
  let wake: (() => void) | undefined;
  const ring = (): void => wake?.();
  const pump = async (): Promise<void> => {
    for await (const entry of entries) {
      queue.push(entry);
      ring();
    }
  };
  pump().then(
    () => {
      end = {};
      ring();
    },
    (failure: unknown) => {
      end = { failure };
      ring();
    },
  );
  return {
    async next() {
      while (queue.length === 0 && end === undefined) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const entry = queue.shift();
      if (entry === undefined && end !== undefined && "failure" in end) throw end.failure;
      return entry;
    },
  };
}

export interface StoredRecord {
  readonly device: string;
  readonly record: DataRecord;
}

/** Records of all devices, merged by their time. */
export async function* stored(ctx: CommandContext, history: History): AsyncGenerator<StoredRecord, void, undefined> {
  const client = await batchClient(ctx);
  const names = history.variables.length === 0 ? [undefined] : history.variables;
  const most = Math.max(LEAST_AT_ONCE, Math.floor(MOST_HELD / (history.devices.length * names.length)));
  const readers = history.devices.flatMap((device) =>
    names.map((variable) => storedOf(client, history, { device, variable, most })),
  );
  const heads = await Promise.all(readers.map(async (reader) => ({ reader, head: await reader.next() })));
  for (;;) {
    let first: (typeof heads)[number] | undefined;
    for (const one of heads) {
      if (one.head.done === true) continue;
      if (first === undefined || first.head.done === true || one.head.value.record.time < first.head.value.record.time)
        first = one;
    }
    if (first === undefined || first.head.done === true) return;
    yield first.head.value;
    first.head = await first.reader.next();
  }
}

interface Reader {
  readonly device: string;
  readonly variable: string | undefined;
  /** Records of a request. */
  readonly most: number;
}

async function* storedOf(
  client: Resources,
  { sinceMs }: History,
  { device, variable, most }: Reader,
): AsyncGenerator<StoredRecord, void, undefined> {
  const narrowed = variable === undefined ? {} : { variables: [variable] };
  const windows = readWindows(
    async ({ fromMs = sinceMs, toMs, qty, skip }) => {
      const range = { start_date: new Date(fromMs).toISOString(), end_date: new Date(toMs).toISOString() };
      const query = { ...narrowed, ...range, details: true, ordination: "ascending", qty: Math.min(qty, most), skip };
      return (await readData(client, device, query)) as readonly DataRecord[];
    },
    sinceMs,
    FAR_AHEAD_MS,
  );
  for await (const { records } of windows) for (const record of records) yield { device, record };
}

export function eventOf(device: string, { created_at: _, time, ...record }: DataRecord): EventEntry {
  const moment = time.toISOString();
  const payload = [{ ...record, time: moment }];
  return { type: "event", atMs: Date.now(), channel: `device_data.${device}`, timestamp: moment, payload };
}

/** What an event has besides the records of these ids. */
export function withoutDoubles<Entry extends StreamEntry>(
  entry: Entry,
  twice: Pick<ReadonlySet<string>, "has" | "size">,
): Entry | undefined {
  if (entry.type !== "event" || twice.size === 0 || entry.channel?.startsWith("device_data.") !== true) return entry;
  const list: readonly unknown[] = Array.isArray(entry.payload) ? entry.payload : [entry.payload];
  const rest = list.filter((record) => !isObject(record) || !twice.has(String(record["id"])));
  if (rest.length === list.length) return entry;
  return rest.length === 0 ? undefined : { ...entry, payload: rest };
}
