import type { Principal } from "../core/principal.ts";
import { toDataDevice } from "../data/device.ts";
import type { DataStore } from "../data/store.ts";
import type { WireRow } from "../data/types.ts";
import type { Signals } from "../signals.ts";
import type { Collections, EntityDocument } from "../store/document.ts";

/** What storing rows requires. */
export interface ArrivalParts extends Collections {
  readonly data: DataStore;
  readonly signals: Signals;
}

/** Incoming rows of a device. */
export interface Arrival {
  readonly device: EntityDocument;
  /** The body of a POST: one row or a list. */
  readonly body: unknown;
  readonly nowMs: number;
  /** Their sender; undefined for the sandbox itself. */
  readonly principal?: Principal;
}

/** Stores rows on a device and notifies all listeners: the only path of incoming data. Returns the rows as stored. */
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
