import type { Principal } from "../core/principal.ts";
import { toDataDevice } from "../data/device.ts";
import type { DataStore } from "../data/store.ts";
import type { WireRow } from "../data/types.ts";
import type { Signals } from "../signals.ts";
import type { Collections, EntityDocument } from "../store/document.ts";

/** What storing rows takes. */
export interface ArrivalParts extends Collections {
  readonly data: DataStore;
  readonly signals: Signals;
}

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
export function storeArrival(app: ArrivalParts, arrival: Arrival): WireRow[] {
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
