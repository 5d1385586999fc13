import { type App, type AppParts, createApp } from "../../../src/sandbox/app.ts";
import { manualClock } from "../../../src/sandbox/core/clock.ts";
import { IdSource } from "../../../src/sandbox/core/ids.ts";
import { FaultInjector } from "../../../src/sandbox/http/faults.ts";
import { RequestLog } from "../../../src/sandbox/http/request-log.ts";
import { migrations } from "../../../src/sandbox/migrations.ts";
import { kinds } from "../../../src/sandbox/resources.ts";
import { fillSandbox, loadSeed } from "../../../src/sandbox/seeds/index.ts";
import { openEphemeral } from "../../../src/sandbox/store/open.ts";

export const NOW_MS = Date.parse("2026-05-14T10:37:21.500Z");

interface AppUnderTest {
  readonly app: App;
  close(): Promise<void>;
}

/** A seeded application without its server, at a moment that stands still. */
export function seededApp(seed = 7, parts: Pick<AppParts, "strict"> = {}): AppUnderTest {
  const made = bareApp(seed, parts);
  fillSandbox(made.app, loadSeed("demo"), seed);
  return made;
}

/** As `seededApp`, with nothing in it: the demo account takes a second. */
export function bareApp(seed = 7, parts: Pick<AppParts, "strict"> = {}): AppUnderTest {
  const clock = manualClock(NOW_MS);
  const ids = new IdSource(clock, seed);
  const storage = openEphemeral(migrations, NOW_MS);
  const app = createApp({
    storage,
    clock,
    ids,
    kinds,
    faults: new FaultInjector(),
    requestLog: new RequestLog(),
    host: "127.0.0.1",
    log: (message) => {
      throw new Error(message);
    },
    ...parts,
  });
  const close = async (): Promise<void> => {
    await app.jobs.close();
    storage.close();
  };
  return { app, close };
}
