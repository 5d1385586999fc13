import { afterMs } from "../long-wait.ts";
import type { EntrySource, StreamEntry } from "./entry.ts";

/** Longest wait for the stream to open beside that time: nobody waits for ever for one out of reach. */
const OPEN_MS = 15_000;

/** The source as it is, but ended after a time. The time to connect is not part of it: a slow machine would hear nothing. */
export function endAfter(source: EntrySource, forMs: number | undefined): EntrySource {
  if (forMs === undefined) return source;
  const lastMs = forMs;
  async function* entries(): AsyncGenerator<StreamEntry> {
    let stopTimer = afterMs(OPEN_MS + lastMs, () => source.close());
    let hasBegun = false;
    try {
      for await (const entry of source.entries) {
        if (!hasBegun && entry.type !== "retry") {
          hasBegun = true;
          stopTimer();
          stopTimer = afterMs(lastMs, () => source.close());
        }
        yield entry;
      }
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
