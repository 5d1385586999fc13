import { type ManualClock, manualClock } from "../../../src/sandbox/core/clock.ts";
import { createIds } from "../../../src/sandbox/core/ids.ts";
import { dataMigrations } from "../../../src/sandbox/data/migrations.ts";
import { parseDataQuery } from "../../../src/sandbox/data/query.ts";
import { createDataStore, type DataStore, type DataStoreOptions } from "../../../src/sandbox/data/store.ts";
import type { DataDevice, WireRow } from "../../../src/sandbox/data/types.ts";
import { openDatabase } from "../../../src/sandbox/store/database.ts";
import { migrate } from "../../../src/sandbox/store/migrations.ts";

export const NOW_MS = Date.parse("2026-05-14T10:30:00.000Z");

export const mutable: DataDevice = { id: "665000000000000000000001", type: "mutable" };
export const immutable: DataDevice = {
  id: "665000000000000000000002",
  type: "immutable",
  chunkPeriod: "month",
  chunkRetention: 2,
};
export const hybrid: DataDevice = {
  id: "665000000000000000000003",
  type: "hybrid",
  chunkPeriod: "day",
  chunkRetention: 3,
  mutableVariableRegex: "^setting_|_note$",
};

export interface TestStore extends DataStore {
  readonly clock: ManualClock;
  /** Reads with parameters as a decoded query string has them. */
  ask(device: DataDevice, params: Record<string, unknown>): unknown;
  rows(device: DataDevice, params: Record<string, unknown>): WireRow[];
  erase(device: DataDevice, params: Record<string, unknown>): number;
  close(): void;
}

/** A data store over a database in memory, with a clock that stands still. */
export function openStore(options: Omit<DataStoreOptions, "ids"> = {}): TestStore {
  const clock = manualClock(NOW_MS);
  const db = openDatabase({ path: ":memory:" });
  migrate(db, dataMigrations, NOW_MS);
  const store = createDataStore(db, clock, { ...options, ids: createIds(clock, 1) });
  const ask = (device: DataDevice, params: Record<string, unknown>): unknown =>
    store.read(device, parseDataQuery(params, clock.now()));
  return {
    ...store,
    clock,
    ask,
    rows(device, params) {
      const rows = ask(device, params);
      if (!Array.isArray(rows)) throw new Error(`A list was expected, not ${JSON.stringify(rows)}`);
      return rows;
    },
    erase: (device, params) => store.remove(device, parseDataQuery(params, clock.now())),
    close: () => db.close(),
  };
}
