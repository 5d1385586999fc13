/** Results that may wait for the ones before them, per item. */
const MAX_WAITING = 256;

interface Lane<Result> {
  readonly results: Result[];
  error?: { readonly cause: unknown };
  isDone: boolean;
  /** Wakes whoever waits for the lane: its reader, or its writer. */
  wake: () => void;
}

/**
 * Runs several items at a time and gives their results in the order of the items. An item that runs ahead waits after
 * 256 results, so that memory stays bounded.
 */
export async function* inOrder<Item, Result>(
  items: readonly Item[],
  jobs: number,
  run: (item: Item) => AsyncIterable<Result>,
): AsyncGenerator<Result> {
  const lanes: Lane<Result>[] = [];
  let isLeft = false;

  async function fill(lane: Lane<Result>, item: Item): Promise<void> {
    try {
      for await (const result of run(item)) {
        lane.results.push(result);
        lane.wake();
        while (lane.results.length >= MAX_WAITING && !isLeft) await pause(lane);
        if (isLeft) return;
      }
    } catch (cause) {
      lane.error = { cause };
    } finally {
      lane.isDone = true;
      lane.wake();
    }
  }

  const running: Promise<void>[] = [];
  let next = 0;
  const startMore = (current: number): void => {
    for (; next < items.length && next < current + jobs; next += 1) {
      const lane: Lane<Result> = { results: [], isDone: false, wake: () => undefined };
      lanes[next] = lane;
      running.push(fill(lane, items[next] as Item));
    }
  };

  try {
    for (let current = 0; current < items.length; current += 1) {
      startMore(current);
      const lane = lanes[current];
      if (lane === undefined) continue;
      yield* drain(lane);
      delete lanes[current];
      if (lane.error !== undefined) throw lane.error.cause;
    }
  } finally {
    isLeft = true;
    for (const lane of Object.values(lanes)) lane.wake();
    await Promise.all(running);
  }
}

async function* drain<Result>(lane: Lane<Result>): AsyncGenerator<Result> {
  for (;;) {
    const ready = lane.results.splice(0);
    lane.wake();
    yield* ready;
    if (lane.results.length > 0) continue;
    if (lane.isDone) return;
    await pause(lane);
  }
}

function pause<Result>(lane: Lane<Result>): Promise<void> {
  return new Promise((resolve) => {
    const before = lane.wake;
    lane.wake = () => {
      lane.wake = () => undefined;
      before();
      resolve();
    };
  });
}
