import { isObject } from "../../kit/files/files.ts";
import type { StreamEntry } from "../entry.ts";
import { withoutDoubles } from "../history.ts";

/** Longer than a hand-over takes: ids of records are remembered for so long. */
const MEMORY_MS = 30_000;
/** Most ids of each kind told to the others. */
const MOST_IDS = 5_000;

interface Item {
  readonly entry: StreamEntry;
  /** Read from what is stored: may come by the stream, too. */
  readonly isStored: boolean;
  taken(): void;
}

/** Entries of all connections of a listener on their way to be printed, and the ids of the records that were. */
export class Inbox {
  readonly #items: Item[] = [];
  /** When they were printed here. */
  readonly #printed = new Map<string, number>();
  /** Ids of records that are not to be printed: others have, or they were read from what is stored. */
  readonly #skipped = new Map<string, number>();
  #end: { readonly failure?: unknown } | undefined;
  #wake: () => void = () => undefined;

  /** Resolves when the entry was printed: a slow reader slows the connections down. */
  put(entry: StreamEntry, isStored = false): Promise<void> {
    return new Promise((taken) => {
      this.#items.push({ entry, isStored, taken });
      this.#wake();
    });
  }

  end(end: { readonly failure?: unknown }): void {
    this.#end ??= end;
    this.#wake();
  }

  skip(ids: readonly string[]): void {
    for (const id of ids) this.#skipped.set(id, Date.now());
  }

  /** The last records printed by this listener and by those it took over from. */
  ids(): string[] {
    return [this.#skipped, this.#printed].flatMap((ids) => [...ids.keys()].slice(-MOST_IDS));
  }

  /** When the oldest entry that is not printed yet arrived. */
  oldestMs(): number {
    return this.#items[0]?.entry.atMs ?? Number.POSITIVE_INFINITY;
  }

  forget(): void {
    const oldMs = Date.now() - MEMORY_MS;
    for (const ids of [this.#printed, this.#skipped]) for (const [id, ms] of ids) if (ms < oldMs) ids.delete(id);
  }

  /** @param isOurs whether records of a channel are for this listener at the moment they would be printed */
  async *entries(isOurs: (channel: string | undefined) => boolean): AsyncGenerator<StreamEntry> {
    while (this.#end === undefined) {
      const [item] = this.#items;
      if (item === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      const { entry } = item;
      const wanted = entry.type !== "event" ? entry : isOurs(entry.channel) ? this.#fresh(item) : undefined;
      try {
        if (wanted !== undefined) yield wanted;
      } finally {
        this.#items.shift();
        item.taken();
      }
    }
    if ("failure" in this.#end) throw this.#end.failure;
  }

  #fresh({ entry, isStored }: Item): StreamEntry | undefined {
    const rest = withoutDoubles(entry, this.#skipped);
    if (rest?.type !== "event") return rest;
    const records: unknown[] = Array.isArray(rest.payload) ? rest.payload : [rest.payload];
    const ids = records.flatMap((record) => (isObject(record) ? [String(record["id"])] : []));
    for (const id of ids) this.#printed.set(id, Date.now());
    if (isStored) this.skip(ids);
    return rest;
  }
}
