import type { DatasetStore } from "../store.ts";
import { decodeAvro } from "./avro.ts";
import { DELETED, entriesOf } from "./manifests.ts";
import type { TableSnapshot } from "./metadata.ts";

/** How long an earlier state of a table can be read, as Iceberg's own default. */
const KEPT_MS = 5 * 86_400_000;

export const expired = ({ "timestamp-ms": atMs }: TableSnapshot, nowMs: number): boolean => atMs < nowMs - KEPT_MS;

/** Removes the files that only expired snapshots have. */
export async function removeExpired(
  store: DatasetStore,
  location: string,
  gone: readonly TableSnapshot[],
  kept: readonly TableSnapshot[],
): Promise<void> {
  const needed = await filesOf(store, location, kept);
  for (const name of await filesOf(store, location, gone)) if (!needed.has(name)) await store.remove(name);
}

/** Names of all files of snapshots. */
async function filesOf(
  store: DatasetStore,
  location: string,
  snapshots: readonly TableSnapshot[],
): Promise<Set<string>> {
  const nameOf = (path: unknown): string => String(path).slice(location.length + 1);
  const names = new Set<string>();
  // What a killed run has removed before.
  const read = async (name: string) =>
    (await store.sizeOf(name)) === undefined ? [] : store.withFile(name, decodeAvro);
  for (const { "manifest-list": list } of snapshots) {
    for (const { manifest_path: path } of await read(nameOf(list))) {
      const manifest = nameOf(path);
      if (names.has(manifest)) continue;
      for (const entry of entriesOf(await read(manifest))) {
        if (entry.status !== DELETED) names.add(nameOf(entry.data_file.file_path));
      }
      names.add(manifest);
    }
    names.add(nameOf(list));
  }
  return names;
}
