import type { ChunkPeriod, DataDevice, StorageType } from "./types.ts";

const STORAGE_TYPES: readonly StorageType[] = ["mutable", "immutable", "hybrid", "legacy"];
const CHUNK_PERIODS: readonly ChunkPeriod[] = ["day", "week", "month", "quarter"];

/** Extracts the storage settings of a stored device. A device without a type is mutable. */
export function toDataDevice(device: { readonly id: string; readonly [key: string]: unknown }): DataDevice {
  const type = STORAGE_TYPES.find((known) => known === device["type"]) ?? "mutable";
  const chunkPeriod = CHUNK_PERIODS.find((known) => known === device["chunk_period"]);
  const chunkRetention = device["chunk_retention"];
  const mutableVariableRegex = device["mutable_variable_regex"];
  return {
    id: device.id,
    type,
    ...(chunkPeriod !== undefined && { chunkPeriod }),
    ...(typeof chunkRetention === "number" && { chunkRetention }),
    ...(typeof mutableVariableRegex === "string" && { mutableVariableRegex }),
  };
}
