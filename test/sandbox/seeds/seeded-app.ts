import { createApp, type FullApp } from "../../../src/sandbox/app.ts";
import { manualClock } from "../../../src/sandbox/clock.ts";
import { dataMigrations } from "../../../src/sandbox/data/migrations.ts";
import { createDataStore, type DataStore } from "../../../src/sandbox/data/store.ts";
import { openEphemeral } from "../../../src/sandbox/db/open.ts";
import { createFaults } from "../../../src/sandbox/faults.ts";
import { createIds } from "../../../src/sandbox/ids.ts";
import { createRequestLog } from "../../../src/sandbox/request-log.ts";
import { fillSandbox, loadSeed } from "../../../src/sandbox/seeds/index.ts";

export const NOW_MS = Date.parse("2026-05-14T10:37:21.500Z");

/** A seeded application without its server, at a moment that stands still. */
export function seededApp(seed = 7): { readonly app: FullApp<DataStore>; close(): void } {
  const clock = manualClock(NOW_MS);
  const ids = createIds(clock, seed);
  const storage = openEphemeral(dataMigrations, NOW_MS);
  const app = createApp<DataStore>({
    storage,
    clock,
    ids,
    faults: createFaults(),
    requestLog: createRequestLog(),
    host: "127.0.0.1",
    log: (message) => {
      throw new Error(message);
    },
    createData: createDataStore,
  });
  fillSandbox(app, loadSeed("demo"), seed);
  return { app, close: storage.close };
}
