import { MUTABLE_RECORDS } from "../../lib/core/limits.ts";
import { createRandom } from "../../lib/core/random.ts";
import type { Series } from "../../schema/seed/history.ts";
import type { Clock } from "../core/clock.ts";
import { PlatformError } from "../core/platform-error.ts";
import { toDataDevice } from "../data/device.ts";
import { parseDataQuery } from "../data/query.ts";
import type { DataDevice } from "../data/types.ts";
import type { ArrivalParts } from "../ingest/arrive.ts";
import { storeArrival } from "../ingest/arrive.ts";
import type { SandboxDatabase } from "../store/types.ts";
import { createNextRows } from "./history.ts";
import type { LoadedSeed } from "./index.ts";

interface SendingParts extends ArrivalParts {
  readonly clock: Clock;
  readonly db: SandboxDatabase;
}

/** A device that sends data continuously. */
interface Sender {
  readonly id: string;
  nextRows(nowMs: number): readonly object[];
}

/**
 * The devices of a seed continue to send: each tick is what their series is at the current time, so that a chart goes on as
 * its history was.
 * Stops with the sandbox. A deleted or inactive device is skipped; one with mutable storage that is full loses its
 * oldest records, as nothing else deletes them.
 *
 * @param perSecond samples of each device
 */
export function startSending(app: SendingParts, { layers }: LoadedSeed, seed: number, perSecond: number): void {
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

/** Oldest records that a full device loses at once: a tenth, so that it does not happen with every row. */
const CLEARED_RECORDS = MUTABLE_RECORDS / 10;

function send(app: SendingParts, { id, nextRows }: Sender): void {
  const device = app.collection("device").get(id);
  if (device?.["active"] !== true) return;
  const nowMs = app.clock.now();
  const time = new Date(nowMs).toISOString();
  const body = nextRows(nowMs).map((row) => ({ ...row, time }));
  try {
    app.db.transaction(() => {
      makeRoom(app, toDataDevice(device), body.length);
      storeArrival(app, { device, body, nowMs });
    });
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error;
  }
}

function makeRoom({ data, clock }: SendingParts, device: DataDevice, added: number): void {
  if (device.type === "immutable" || data.amount(device.id, "mutable") + added <= MUTABLE_RECORDS) return;
  data.remove(device, parseDataQuery({ qty: CLEARED_RECORDS, ordination: "ascending" }, clock.now()));
}
