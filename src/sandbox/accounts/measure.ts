import type { DataStore } from "../data/store.ts";
import type { FileStore } from "../files/store.ts";
import type { Collections } from "../store/document.ts";
import type { Level } from "./usage.ts";

const BYTES_PER_MB = 1_000_000;

export interface Measured extends Collections {
  readonly data: Pick<DataStore, "amount">;
  readonly files: Pick<FileStore, "usage">;
}

/** Current amounts of what is measured instead of counted. */
export function measure({ collection, data, files }: Measured, profile: string): Readonly<Record<Level, number>> {
  const devices = collection("device").all(profile);
  return {
    data_records: devices.reduce((sum, device) => sum + data.amount(device.id), 0),
    run_users: collection("run_user").count(profile),
    file_storage: Math.round((files.usage(profile) / BYTES_PER_MB) * 100) / 100,
  };
}
