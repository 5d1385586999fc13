import type { Principal } from "./core/principal.ts";
import type { WireRow } from "./data/types.ts";
import type { EntityDocument } from "./store/document.ts";

export type ResourceEvent = "create" | "edit" | "delete";

/** Events inside the sandbox. */
export interface SignalMap {
  /** Rows were stored on a device, by itself, an analysis or a widget. */
  readonly dataStored: {
    readonly profile: string;
    readonly device: EntityDocument;
    readonly records: readonly WireRow[];
    readonly principal?: Principal;
  };
  /** Stored rows were edited or deleted. `amount` counts those that were found. */
  readonly dataChanged: {
    readonly profile: string;
    readonly device: EntityDocument;
    readonly event: "edit" | "delete";
    readonly amount: number;
  };
  /** `document` is the current record; for a deletion, the record before it. */
  readonly resourceChanged: {
    readonly profile: string;
    readonly kind: string;
    readonly event: ResourceEvent;
    readonly document: { readonly id: string } & Readonly<Record<string, unknown>>;
    readonly principal?: Principal;
  };
  /** All stored data was replaced: the sandbox was reset, or a snapshot restored. State in memory is invalid. */
  readonly everythingReplaced: Readonly<Record<string, never>>;
  /** A message was published on an MQTT topic, by a service, a network or an action. */
  readonly mqttPublished: {
    readonly profile: string;
    readonly topic: string;
    readonly message: unknown;
    readonly device?: EntityDocument;
    readonly principal?: Principal;
  };
  /** A button of a notification was pressed, by the account or a portal user. */
  readonly buttonPressed: { readonly notification: EntityDocument; readonly button: Readonly<Record<string, unknown>> };
  /** The clock was moved by hand. */
  readonly clockMoved: Readonly<Record<string, never>>;
  /** The sandbox stops: timers and calls must not outlive it. */
  readonly closing: Readonly<Record<string, never>>;
  /** Rows of an entity were added, edited or deleted. */
  readonly entityDataChanged: {
    readonly profile: string;
    readonly entity: { readonly id: string } & Readonly<Record<string, unknown>>;
    readonly event: ResourceEvent;
    readonly records: readonly Readonly<Record<string, unknown>>[];
  };
}

type SignalName = keyof SignalMap;

type Listeners = { readonly [Name in SignalName]: Set<(event: SignalMap[Name]) => void> };

/** The signals of one sandbox. */
export class Signals {
  readonly #log: (message: string) => void;
  readonly #listeners: Listeners = {
    dataStored: new Set(),
    dataChanged: new Set(),
    resourceChanged: new Set(),
    entityDataChanged: new Set(),
    everythingReplaced: new Set(),
    mqttPublished: new Set(),
    buttonPressed: new Set(),
    clockMoved: new Set(),
    closing: new Set(),
  };
  #quiet = false;

  constructor(log: (message: string) => void) {
    this.#log = log;
  }

  /** Calls `listener` for every later event; the returned function unsubscribes. */
  on<Name extends SignalName>(name: Name, listener: (event: SignalMap[Name]) => void): () => void {
    this.#listeners[name].add(listener);
    return () => {
      this.#listeners[name].delete(listener);
    };
  }

  /**
   * Sent inside the transaction of the request, after the write. Effects outside the database belong in
   * `db.afterCommit`: the request may still be undone. A listener that throws is logged and never affects the writer.
   */
  emit<Name extends SignalName>(name: Name, event: SignalMap[Name]): void {
    if (this.#quiet) return;
    for (const listener of this.#listeners[name]) {
      try {
        listener(event);
      } catch (error) {
        this.#log(
          `Defect in a listener of ${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
        );
      }
    }
  }

  /** Runs work without emitting its events: for seeding. */
  quietly<T>(work: () => T): T {
    const before = this.#quiet;
    this.#quiet = true;
    try {
      return work();
    } finally {
      this.#quiet = before;
    }
  }

  /** True when there is a listener: lets a hot path skip building an event. */
  heard(name: SignalName): boolean {
    return this.#listeners[name].size > 0;
  }
}
