import { type ManualClock, manualClock } from "../../../src/sandbox/core/clock.ts";
import { IdSource } from "../../../src/sandbox/core/ids.ts";
import { dataMigrations } from "../../../src/sandbox/data/migrations.ts";
import { parseDataQuery } from "../../../src/sandbox/data/query.ts";
import { DataStore, type DataStoreOptions } from "../../../src/sandbox/data/store.ts";
import type { DataDevice, WireRow } from "../../../src/sandbox/data/types.ts";
import { OpenDatabase } from "../../../src/sandbox/store/database.ts";
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

/** A data store over a database in memory, with a clock that stands still. */
export class TestStore extends DataStore {
  readonly clock: ManualClock;
  readonly #db: OpenDatabase;

  constructor(options: Omit<DataStoreOptions, "ids">) {
    const clock = manualClock(NOW_MS);
    const db = new OpenDatabase({ path: ":memory:" });
    migrate(db, dataMigrations, NOW_MS);
    super(db, clock, { ...options, ids: new IdSource(clock, 1) });
    this.clock = clock;
    this.#db = db;
  }

  /** Reads with parameters as a decoded query string has them. */
  ask(device: DataDevice, params: Record<string, unknown>): unknown {
    return this.read(device, parseDataQuery(params, this.clock.now()));
  }

  rows(device: DataDevice, params: Record<string, unknown>): WireRow[] {
    const rows = this.ask(device, params);
    if (!Array.isArray(rows)) throw new Error(`A list was expected, not ${JSON.stringify(rows)}`);
    return rows;
  }

  erase(device: DataDevice, params: Record<string, unknown>): number {
    return this.remove(device, parseDataQuery(params, this.clock.now()));
  }

  close(): void {
    this.#db.close();
  }
}

export function openStore(options: Omit<DataStoreOptions, "ids"> = {}): TestStore {
  return new TestStore(options);
}
