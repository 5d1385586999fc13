/** Things that come when they come, for somebody who reads them one after the other. */
export function createLineQueue<T>(): { add(item: T): void; end(): void; readonly lines: AsyncIterable<T> } {
  const waiting: T[] = [];
  let isEnded = false;
  let wake: (() => void) | undefined;
  async function* lines(): AsyncGenerator<T> {
    for (;;) {
      while (waiting.length > 0) yield waiting.shift() as T;
      if (isEnded) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
  return {
    add(item) {
      waiting.push(item);
      wake?.();
    },
    end() {
      isEnded = true;
      wake?.();
    },
    lines: lines(),
  };
}
