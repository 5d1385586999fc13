import type { App } from "../app.ts";
import type { Level } from "./usage.ts";

const BYTES_PER_MB = 1_000_000;

/** How much there is now of what is not counted but measured. */
export function measure(
  { collection, data, files }: Pick<App, "collection" | "data" | "files">,
  profile: string,
): Readonly<Record<Level, number>> {
  const devices = collection("device").all(profile);
  return {
    data_records: devices.reduce((sum, device) => sum + data.amount(device.id), 0),
    run_users: collection("run_user").count(profile),
    file_storage: Math.round((files.usage(profile) / BYTES_PER_MB) * 100) / 100,
  };
}
