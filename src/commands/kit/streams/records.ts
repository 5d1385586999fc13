import { cleanLine } from "../../../text/clean.ts";
import type { LiveItem, LiveRow } from "../../../tui/live/types.ts";
import { isObject, type JsonObject } from "../files/files.ts";
import type { EventEntry, StreamEntry } from "./entry.ts";

/** Longest value on one line of the screen. */
const MAX_VALUE = 400;

/** What of a stream is wanted. */
export interface RecordFilter {
  /** Devices and resources: id and name. */
  readonly names: ReadonlyMap<string, string>;
  /** Only these variables; empty: all. Capitals do not matter. */
  readonly variables: readonly string[];
  /** The condition of `where`, for titles. */
  readonly whereTexts?: readonly string[];
  /** Only the records it accepts; the name is that of the device. Channels without records are left out then. */
  where?(record: JsonObject, name: string | undefined): boolean;
}

/** One record of a stream, and the channel that brought it. */
export interface StreamRecord {
  readonly channel: string;
  /** Id after the dot of the channel, when there is one. */
  readonly resource: string | undefined;
  readonly record: JsonObject;
}

/**
 * The records in an event: those of a data channel one by one, the payload of any other channel as one. Undefined for what
 * cannot be read.
 */
export function recordsOf(entry: EventEntry, { names, variables, where }: RecordFilter): StreamRecord[] | undefined {
  const [channel = "", resource] = splitChannel(entry.channel);
  if (entry.channel === undefined) return undefined;
  if (!channel.endsWith("_data")) {
    if (variables.length > 0 || where !== undefined) return [];
    return [{ channel, resource, record: { timestamp: entry.timestamp, payload: entry.payload } }];
  }
  const list: readonly unknown[] = Array.isArray(entry.payload) ? entry.payload : [entry.payload];
  if (!list.every(isObject)) return undefined;
  const isNamed = ({ variable }: JsonObject): boolean =>
    variables.length === 0 || variables.some((name) => name.toLowerCase() === String(variable).toLowerCase());
  const isWanted = (record: JsonObject): boolean =>
    isNamed(record) && (where?.(record, names.get(deviceOf({ resource, record }) ?? "")) ?? true);
  return list.filter(isWanted).map((record) => ({ channel, resource, record }));
}

/** Id of the device of a record; of other channels, that of the resource. */
export const deviceOf = ({ resource, record }: Omit<StreamRecord, "channel">): string | undefined =>
  typeof record["device"] === "string" ? record["device"] : resource;

function splitChannel(channel: string | undefined): [channel: string | undefined, resource: string | undefined] {
  const dot = channel?.indexOf(".") ?? -1;
  return dot < 0 ? [channel, undefined] : [channel?.slice(0, dot), channel?.slice(dot + 1)];
}

export const eventText = (value: unknown): string =>
  typeof value === "string" ? value : value === undefined || value === null ? "" : (JSON.stringify(value) ?? "");

function timeOf(record: JsonObject, entry: EventEntry): number {
  for (const text of [record["time"], entry.timestamp]) {
    const ms = typeof text === "string" || text instanceof Date ? new Date(text).getTime() : Number.NaN;
    if (!Number.isNaN(ms)) return ms;
  }
  return entry.atMs;
}

/** As `StreamRecord`, for people: every text cleaned and on one line. */
export function liveRow(found: StreamRecord, entry: EventEntry, { names }: RecordFilter): LiveRow {
  const { channel, record } = found;
  const id = deviceOf(found);
  const isData = channel.endsWith("_data");
  const value = isData ? (record["value"] ?? (channel === "device_data" ? undefined : record)) : record["payload"];
  return {
    atMs: entry.atMs,
    timeMs: timeOf(record, entry),
    device: cleanLine(id === undefined ? "" : (names.get(id) ?? id), 100),
    variable: cleanLine(isData ? eventText(record["variable"] ?? channel) : channel, 100),
    value: cleanLine(eventText(value), MAX_VALUE),
    unit: cleanLine(eventText(record["unit"]), 30),
    ...(typeof value === "number" && Number.isFinite(value) ? { number: value } : {}),
    record: isData ? record : { channel: entry.channel, ...record },
  };
}

/** An entry for the live view. */
export function liveItem(entry: StreamEntry, wanted: RecordFilter): LiveItem {
  if (entry.type === "open") return { type: "open" };
  if (entry.type === "gap") return { type: "gap", lostAtMs: entry.lostAtMs, resumedAtMs: entry.resumedAtMs };
  if (entry.type === "retry") {
    const { delayMs, failures, reason } = entry;
    return { type: "retry", delayMs, failures, reason: cleanLine(reason, 200) };
  }
  const records = recordsOf(entry, wanted);
  if (records === undefined) return { type: "lost", count: 1 };
  return { type: "rows", rows: records.map((one) => liveRow(one, entry, wanted)) };
}
