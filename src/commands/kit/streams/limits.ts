import { afterMs } from "../long-wait.ts";
import type { EntrySource, StreamEntry } from "./entry.ts";

/** The source as it is, but ended after a time. */
export function endAfter(source: EntrySource, forMs: number | undefined): EntrySource {
  if (forMs === undefined) return source;
  const lastMs = forMs;
  async function* entries(): AsyncGenerator<StreamEntry> {
    const stopTimer = afterMs(lastMs, () => source.close());
    try {
      yield* source.entries;
    } finally {
      stopTimer();
    }
  }
  return { ...source, entries: entries() };
}

/** Hands every entry to `see` on its way. */
export function tap(source: EntrySource, see: (entry: StreamEntry) => void): EntrySource {
  async function* entries(): AsyncGenerator<StreamEntry> {
    for await (const entry of source.entries) {
      see(entry);
      yield entry;
    }
  }
  return { ...source, entries: entries() };
}
