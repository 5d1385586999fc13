/** How far a stream was delivered, so that a later run continues there. Times are milliseconds since 1970. */
export interface StreamCursor {
  /** What the platform stored before this date was delivered. */
  readonly storedMs: number;
  /** Oldest time of the records to read. Without it, as long before `storedMs` as records may be late. */
  readonly fromMs?: number;
  /** In the middle of reading: what is dated up to `timeMs` and was stored before `storedMs` was delivered as well. */
  readonly past?: { readonly timeMs: number; readonly storedMs: number };
  /** The last records that were delivered. */
  readonly ids?: readonly string[];
}

/** Where to continue. */
export interface Resume {
  readonly cursor: StreamCursor;
  /** Whether an earlier run delivered up to there: what was stored since is read first. */
  readonly isLater: boolean;
  /** How much older than its arrival the time of a record may be. */
  readonly lookbackMs: number;
}

/** One thing that happened on a stream, as it is recorded and played back. Times are milliseconds since 1970. */
export type StreamEntry =
  | { readonly type: "open"; readonly atMs: number }
  | {
      readonly type: "event";
      readonly atMs: number;
      /** Channel as the server names it, e.g. `device_data.{id}`; absent when the event had no envelope. */
      readonly channel?: string;
      /** When the platform sent it, as ISO text. */
      readonly timestamp?: string;
      readonly payload: unknown;
      /** Where a later run continues once this event and all before it were delivered. */
      readonly cursor?: StreamCursor;
    }
  | { readonly type: "gap"; readonly atMs: number; readonly lostAtMs: number; readonly resumedAtMs: number }
  | {
      readonly type: "retry";
      readonly atMs: number;
      readonly delayMs: number;
      readonly failures: number;
      readonly reason: string;
    };

export type EventEntry = Extract<StreamEntry, { type: "event" }>;

/** Entries, and how to end them. */
export interface EntrySource {
  readonly entries: AsyncIterable<StreamEntry>;
  /** Ends the entries at once and without an error. */
  close(): void;
  /** The clock of the entries; milliseconds. */
  now(): number;
}
