/**
 * Items of several sources as they come, those of one in its order. A source is read on only when its item was taken, so
 * that a slow reader slows the sources down. The first failure ends it.
 */
export async function* merged<T>(sources: readonly AsyncIterable<T>[]): AsyncGenerator<T, void, undefined> {
  const waiting: { readonly item: T; taken(): void }[] = [];
  let running = sources.length;
  let failure: { readonly cause: unknown } | undefined;
  let wake: () => void = () => undefined;
  const pump = async (source: AsyncIterable<T>): Promise<void> => {
    for await (const item of source) {
      await new Promise<void>((taken) => {
        waiting.push({ item, taken });
        wake();
      });
    }
  };
  for (const source of sources) {
    void pump(source)
      .catch((cause: unknown) => {
        failure ??= { cause };
      })
      .finally(() => {
        running -= 1;
        wake();
      });
  }
  for (;;) {
    const next = waiting.shift();
    if (next !== undefined) {
      yield next.item;
      next.taken();
    } else if (failure !== undefined) throw failure.cause;
    else if (running === 0) return;
    else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
