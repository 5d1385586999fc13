import { createRandom } from "../../lib/core/random.ts";
import type { Series } from "../../schema/seed/history.ts";
import type { App } from "../app.ts";
import { PlatformError } from "../core/platform-error.ts";
import { storeArrival } from "../ingest/arrive.ts";
import { createNextRows } from "./history.ts";
import type { LoadedSeed } from "./index.ts";

/** A device that goes on sending. */
interface Sender {
  readonly id: string;
  nextRows(): readonly object[];
}

/**
 * The devices of a seed go on sending: each tick is the next sample of their series, stored with the present time.
 * Stops with the sandbox. A device that was deleted or is not active is left out, and so is one that is full.
 *
 * @param perSecond samples of each device
 */
export function startSending(app: App, { layers }: LoadedSeed, seed: number, perSecond: number): void {
  const senders = layers.flatMap((layer) =>
    layer.of("devices").flatMap(({ record: { id, history = [] } }): Sender[] => {
      const series = history.find((part): part is Series => "variables" in part);
      if (series === undefined) return [];
      const random = createRandom(seed, `live ${id}`);
      return [{ id, nextRows: createNextRows(series, random, app.clock.now()) }];
    }),
  );
  const timer = setInterval(() => {
    for (const sender of senders) send(app, sender);
  }, 1000 / perSecond);
  app.signals.on("closing", () => clearInterval(timer));
}

function send(app: App, { id, nextRows }: Sender): void {
  const device = app.collection("device").get(id);
  if (device?.["active"] !== true) return;
  const nowMs = app.clock.now();
  const time = new Date(nowMs).toISOString();
  const body = nextRows().map((row) => ({ ...row, time }));
  try {
    app.db.transaction(() => storeArrival(app, { device, body, nowMs }));
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
  }
}
