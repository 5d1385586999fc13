import { ApiError, RequestError } from "../../../lib/core/errors.ts";
import type { Channel } from "../../../lib/realtime/channels.ts";
import type { CommandContext } from "../context.ts";
import { isObject } from "../files/files.ts";
import type { EntrySource, EventEntry, Resume, StreamCursor, StreamEntry } from "./entry.ts";
import { announceHistory, eventOf, type StoredRecord, stored, withoutDoubles } from "./history.ts";
import { connectionsFor, networkSource } from "./network-source.ts";

/** Events of one connection may change their order by this much on the way through the platform. */
const ORDER_MS = 10_000;
/** The same with several connections: one that has died is noticed after 45 s, while events of the others arrive. */
const CONNECTIONS_MS = 60_000;
/** The clocks of this machine and the platform may differ by this much. */
export const CLOCK_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
const MOST_WAIT_MS = 30_000;
/** Records that are remembered, so that a record from both sources is delivered once. */
const MOST_RECENT = 20_000;

interface Resumed extends Resume {
  readonly mustOpen: boolean;
  /** Only these; empty: all. */
  readonly variables: readonly string[];
}

/**
 * The stream of the platform. Device data that was stored since the cursor, or while a connection was lost, is read
 * and comes before the live events. Events are taken from the connection as they are read here, so that a slow reader
 * slows the platform down; what it then does not send counts as lost, and is read.
 */
export async function resumedSource(
  ctx: CommandContext,
  channels: readonly Channel[],
  resumed: Resumed,
): Promise<EntrySource> {
  const { cursor, isLater, lookbackMs, variables } = resumed;
  if (isLater) {
    const devices = devicesOf(channels);
    await announceHistory(ctx, { sinceMs: startOf(cursor, lookbackMs), devices, variables });
  }
  const state: State = {
    cursor,
    recent: new Set(cursor.ids),
    behind: new Set(),
    isSingle: connectionsFor(channels.length) === 1,
  };
  return networkSource(ctx, channels, resumed.mustOpen, (live, some) => {
    const part: Part = { ctx, live, devices: devicesOf(some), resumed, state, isClosed: false };
    const close = (): void => {
      part.isClosed = true;
      live.close();
    };
    return { ...live, entries: withRefills(part), close };
  });
}

/** What the connections have in common. */
interface State {
  /** Covers what was handed out so far. */
  cursor: StreamCursor;
  /** Ids of the last records, oldest first. */
  readonly recent: Set<string>;
  /** Connections that are lost, or whose missing records are still read: the cursor waits for them. */
  readonly behind: Set<object>;
  readonly isSingle: boolean;
}

interface Part {
  readonly ctx: CommandContext;
  readonly live: EntrySource;
  readonly devices: readonly string[];
  readonly resumed: Resumed;
  readonly state: State;
  isClosed: boolean;
}

const devicesOf = (channels: readonly Channel[]): string[] =>
  channels.flatMap((one) => (one.channel === "device_data" ? [one.resource_id] : []));

/** Oldest time to read. Of what was passed already, only so much that late records are found. */
function startOf({ storedMs, fromMs, past }: StreamCursor, lookbackMs: number): number {
  const usualMs = fromMs ?? Math.max(0, storedMs - lookbackMs);
  return past === undefined ? usualMs : Math.max(usualMs, Math.min(past.timeMs, past.storedMs - lookbackMs));
}

/** The entries of one connection, with what was stored while there was none. */
async function* withRefills(part: Part): AsyncGenerator<StreamEntry> {
  const { live, devices, resumed, state } = part;
  let isKnown = false;
  let mustRead = resumed.isLater;
  if (mustRead) state.behind.add(part);
  for await (const entry of live.entries) {
    const shown = entry.type === "event" ? liveEvent(entry, state) : entry;
    if (shown !== undefined) yield shown;
    // Before the first connection there is nothing to miss.
    if (entry.type === "retry" && isKnown) {
      mustRead = true;
      state.behind.add(part);
    }
    if (entry.type !== "open") continue;
    isKnown = true;
    if (mustRead && devices.length > 0) yield* refillAtLast(part);
    mustRead = false;
    state.behind.delete(part);
  }
}

/** A live event without the records that were read already, and where it leads. */
function liveEvent(entry: EventEntry, state: State): EventEntry | undefined {
  const rest = withoutDoubles(entry, state.recent);
  if (rest === undefined) return undefined;
  for (const id of recordIds(rest)) remember(state, id);
  const atMs = Date.parse(rest.timestamp ?? "") - (state.isSingle ? ORDER_MS : CONNECTIONS_MS);
  if (state.behind.size > 0 || !(atMs > state.cursor.storedMs)) return rest;
  state.cursor = { storedMs: atMs };
  return { ...rest, cursor: state.cursor };
}

function recordIds({ channel, payload }: EventEntry): string[] {
  if (channel?.startsWith("device_data.") !== true) return [];
  const list: readonly unknown[] = Array.isArray(payload) ? payload : [payload];
  return list.flatMap((record) => (isObject(record) && typeof record["id"] === "string" ? [record["id"]] : []));
}

function remember({ recent }: State, id: string): void {
  recent.add(id);
  const [oldest] = recent.size > MOST_RECENT ? recent : [];
  if (oldest !== undefined) recent.delete(oldest);
}

/** What was stored since the cursor. A platform that is away in the middle of it is waited for, as live events wait. */
async function* refillAtLast(part: Part): AsyncGenerator<StreamEntry> {
  const { reconnectDelayMs } = await import("../../../lib/realtime/timing.ts");
  for (let failures = 1; ; failures += 1) {
    try {
      yield* refill(part);
      return;
    } catch (error) {
      if (!isPassing(error) || part.isClosed) throw error;
      part.ctx.say.warning(`Not read: ${error.message}; retrying.`);
      await part.ctx.clock.sleep(reconnectDelayMs(FIRST_WAIT_MS, failures, MOST_WAIT_MS));
    }
  }
}

function isPassing(error: unknown): error is Error {
  if (error instanceof RequestError) return true;
  return error instanceof ApiError && (error.status >= 500 || error.status === 429 || error.status === 408);
}

/** What was stored since the cursor, in the order of its time. */
async function* refill(part: Part): AsyncGenerator<StreamEntry> {
  const { ctx, devices, resumed, state } = part;
  const from = state.cursor;
  const beganMs = Date.now() - CLOCK_MS;
  const sinceMs = startOf(from, resumed.lookbackMs);
  for await (const found of stored(ctx, { sinceMs, devices, variables: resumed.variables })) {
    if (part.isClosed) return;
    if (isDelivered(from, found) || state.recent.has(found.record.id)) continue;
    remember(state, found.record.id);
    const event = eventOf(found.device, found.record);
    // Of records with one time, some may still follow.
    const timeMs = found.record.time.getTime() - 1;
    const isFurther = state.isSingle && timeMs > (from.past?.timeMs ?? Number.NEGATIVE_INFINITY);
    if (isFurther) state.cursor = { ...from, past: { timeMs, storedMs: beganMs } };
    yield isFurther ? { ...event, cursor: state.cursor } : event;
  }
}

function isDelivered({ storedMs, past }: StreamCursor, { record }: StoredRecord): boolean {
  const createdMs = record.created_at?.getTime() ?? Number.POSITIVE_INFINITY;
  if (createdMs < storedMs) return true;
  return past !== undefined && record.time.getTime() <= past.timeMs && createdMs < past.storedMs;
}
