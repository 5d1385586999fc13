import type { FleetState } from "../../tui/fleet/types.ts";
import { isObject } from "../kit/files/files.ts";

/** A device as it is printed. */
export interface DeviceStateRow {
  readonly id: string;
  readonly name: string;
  readonly state: FleetState;
  readonly last_input: Date | null;
  /** Last value of the battery variable; null when there is none or it was not read. */
  readonly battery: number | null;
  readonly tags: readonly { readonly key: string; readonly value: string }[];
}

/** When a device is what. */
export interface Thresholds {
  readonly silentMs: number;
  readonly offlineMs: number;
  /** Whether the last value of the battery variable is low. */
  isLow(battery: number): boolean;
}

const worstFirst: readonly FleetState[] = ["offline", "silent", "low battery", "never", "inactive", "ok"];
const calm: readonly FleetState[] = ["ok", "inactive"];

export const needsAttention = ({ state }: DeviceStateRow): boolean => !calm.includes(state);

/** A device of the platform's list, which holds only the fields asked for. */
export interface ListedDevice {
  readonly id: string;
  readonly name: string;
  readonly active?: unknown;
  readonly last_input?: unknown;
  readonly tags?: unknown;
}

export function fleetRow(
  device: ListedDevice,
  battery: number | undefined,
  at: Thresholds,
  nowMs: number,
): DeviceStateRow {
  const input = dateOf(device.last_input);
  const { id, name } = device;
  return {
    id,
    name,
    state: stateOf(device, input, battery, at, nowMs),
    last_input: input,
    battery: battery ?? null,
    tags: tagsOf(device.tags),
  };
}

function stateOf(
  device: ListedDevice,
  input: Date | null,
  battery: number | undefined,
  at: Thresholds,
  nowMs: number,
): FleetState {
  if (device.active === false) return "inactive";
  if (input === null) return "never";
  const quietMs = nowMs - input.getTime();
  if (quietMs >= at.offlineMs) return "offline";
  if (quietMs >= at.silentMs) return "silent";
  return battery !== undefined && at.isLow(battery) ? "low battery" : "ok";
}

/** A date of the platform; null for `never`, nothing, and what is no date. */
export function dateOf(value: unknown): Date | null {
  const date = value instanceof Date ? value : new Date(typeof value === "string" ? value : Number.NaN);
  return Number.isNaN(date.getTime()) ? null : date;
}

function tagsOf(value: unknown): DeviceStateRow["tags"] {
  const tags: readonly unknown[] = Array.isArray(value) ? value : [];
  return tags.filter(isObject).map(({ key, value: text }) => ({ key: String(key), value: String(text) }));
}

/** Worst first; in one state those that have been quiet longest. */
export function inOrder(rows: readonly DeviceStateRow[]): DeviceStateRow[] {
  const weight = (row: DeviceStateRow): readonly [number, number] => [
    worstFirst.indexOf(row.state),
    row.last_input?.getTime() ?? 0,
  ];
  return rows
    .map((row) => ({ row, weight: weight(row) }))
    .sort((a, b) => a.weight[0] - b.weight[0] || a.weight[1] - b.weight[1] || (a.row.name < b.row.name ? -1 : 1))
    .map(({ row }) => row);
}

/** How many devices are in each state, worst first. */
export function countStates(rows: readonly Pick<DeviceStateRow, "state">[]): Record<FleetState, number> {
  const counts = Object.fromEntries(worstFirst.map((state) => [state, 0])) as Record<FleetState, number>;
  for (const { state } of rows) counts[state] += 1;
  return counts;
}
