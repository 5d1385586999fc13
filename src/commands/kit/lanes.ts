/** The items in parts of at most this size: one part per request. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

/**
 * Works on items several at a time and gives the results in the order of the items. The first failure ends it, once
 * what is running has ended.
 */
export async function mapLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  let failure: { readonly cause: unknown } | undefined;
  async function lane(): Promise<void> {
    while (next < items.length && failure === undefined) {
      const index = next;
      next += 1;
      try {
        results[index] = await work(items[index] as Item, index);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(lanes, items.length)) }, lane));
  if (failure !== undefined) throw failure.cause;
  return results;
}

/**
 * As `mapLanes`, for items that come one after the other and whose results are the caller's affair. Rejects with the
 * reason of the signal once that is aborted and what is running has ended.
 */
export async function eachInLanes<Item>(
  items: AsyncIterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const waiting = items[Symbol.asyncIterator]();
  let failure: { readonly cause: unknown } | undefined;
  async function lane(): Promise<void> {
    while (failure === undefined) {
      try {
        signal.throwIfAborted();
        const { done, value } = await waiting.next();
        if (done === true) return;
        await work(value);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane));
  await waiting.return?.();
  if (failure !== undefined) throw failure.cause;
}
