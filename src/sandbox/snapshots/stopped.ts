import { existsSync, readdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { realClock } from "../core/clock.ts";
import { openDirectory } from "../store/open.ts";
import { DataDirectoryError } from "../store/storage-errors.ts";
import type { Migration } from "../store/types.ts";
import { DATABASE_NAME } from "./content.ts";
import { SnapshotStore } from "./snapshots.ts";
import type { StoppedSandbox } from "./stored-state.ts";

/** Files an import creates in a directory without a sandbox. */
const MADE = ["sandbox.db", "sandbox.db-wal", "sandbox.db-shm", "sandbox.lock", "blobs", "snapshots"];

/** Removes everything that was created in a directory without a sandbox. @param before names in it, if it existed */
function undo(dataDir: string, before: readonly string[] | undefined): void {
  const made = MADE.filter((name) => before?.includes(name) !== true);
  for (const name of made) rmSync(join(dataDir, name), { recursive: true, force: true });
  if (before === undefined && readdirSync(dataDir).length === 0) rmdirSync(dataDir);
}

/** Opens a data directory without a server; see `openStoppedSandbox`. */
export function openStopped(
  directory: string,
  migrations: readonly Migration[],
  options: { readonly create: boolean },
): StoppedSandbox {
  const dataDir = resolve(directory);
  const isNew = !existsSync(join(dataDir, DATABASE_NAME));
  if (isNew && !options.create) throw new DataDirectoryError(`There is no sandbox in ${dataDir}. Check the folder.`);
  const before =
    statSync(dataDir, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(dataDir) : undefined;
  const storage = openDirectory(dataDir, migrations, realClock.now());
  const store = new SnapshotStore({
    db: storage.db,
    clock: realClock,
    migrations,
    blobDirectory: () => storage.blobs.directory(),
    dataDir: storage.dataDir,
    onReplaced: () => {},
  });
  let isFilled = !isNew;
  return {
    snapshots: store.snapshots,
    exportTo: (file) => store.exportTo(file),
    importFrom: async (file) => {
      await store.importFrom(file);
      isFilled = true;
    },
    close: () => {
      store.close();
      storage.close();
      if (!isFilled) undo(dataDir, before);
    },
  };
}
