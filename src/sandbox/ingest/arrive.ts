import { toDataDevice } from "../data/device.ts";
import type { DataStore } from "../data/store.ts";
import type { WireRow } from "../data/types.ts";
import type { SandboxApp } from "../sandbox-app.ts";
import type { EntityDocument, Principal } from "../types.ts";

/** Rows on their way to a device. */
export interface Arrival {
  readonly device: EntityDocument;
  /** The body of a POST: one row or a list. */
  readonly body: unknown;
  readonly nowMs: number;
  /** Who sent them; nobody when the sandbox itself did. */
  readonly principal?: Principal;
}

/** Stores rows on a device and tells everybody: the one way data comes in. Answers the rows as stored. */
export function storeArrival(app: SandboxApp<DataStore>, arrival: Arrival): WireRow[] {
  const { device, body, nowMs, principal } = arrival;
  const records = app.data.write(toDataDevice(device), body);
  app.collection("device").touch(device.id, { last_input: new Date(nowMs).toISOString() });
  app.signals.emit("dataStored", {
    profile: device.profile,
    device,
    records,
    ...(principal !== undefined && { principal }),
  });
  return records;
}
