/** The items in parts of at most this size: one part per request. */
export function inParts<Item>(items: readonly Item[], size: number): Item[][] {
  const parts: Item[][] = [];
  for (let at = 0; at < items.length; at += size) parts.push(items.slice(at, at + size));
  return parts;
}

/**
 * Processes items concurrently and returns the results in the order of the items. The first failure stops it, once
 * running items have finished.
 */
export async function mapLanes<Item, Result>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  await eachInLanes(items.entries(), Math.min(lanes, items.length), async ([index, item]) => {
    results[index] = await work(item, index);
  });
  return results;
}

/**
 * As `mapLanes`, for items that come one after the other and whose results are the caller's affair. Once the signal is
 * aborted, no item is begun; what is running ends first.
 *
 * @returns false where the signal left items undone
 */
export async function eachInLanes<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  lanes: number,
  work: (item: Item) => Promise<void>,
  signal?: AbortSignal,
): Promise<boolean> {
  const waiting = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  let failure: { readonly cause: unknown } | undefined;
  let isOver = false;
  async function lane(): Promise<void> {
    while (failure === undefined && !isOver && signal?.aborted !== true) {
      try {
        const { done, value } = await waiting.next();
        if (done === true) isOver = true;
        else await work(value);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, lanes) }, lane));
  await waiting.return?.();
  if (failure !== undefined) throw failure.cause;
  return isOver;
}
