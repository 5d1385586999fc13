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
    }
  | { readonly type: "gap"; readonly atMs: number; readonly lostAtMs: number; readonly resumedAtMs: number }
  | {
      readonly type: "retry";
      readonly atMs: number;
      readonly delayMs: number;
      readonly failures: number;
      readonly reason: string;
    };

/** Entries, and how to end them. */
export interface EntrySource {
  readonly entries: AsyncIterable<StreamEntry>;
  /** Ends the entries at once and without an error. */
  close(): void;
  /** The clock of the entries; milliseconds. */
  now(): number;
}
