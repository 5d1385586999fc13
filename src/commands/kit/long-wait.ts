/** Node takes a longer timer for one of 1 ms. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Calls `done` after a time of any length, by the monotonic clock: a clock that is set back or forward changes nothing.
 * Infinite times never end.
 *
 * @returns ends the wait
 */
export function afterMs(ms: number, done: () => void): () => void {
  const endMs = performance.now() + ms;
  const wait = (leftMs: number) => setTimeout(look, Math.min(Math.max(0, Math.ceil(leftMs)), LONGEST_TIMER_MS));
  const look = (): void => {
    const leftMs = endMs - performance.now();
    if (leftMs > 0) timer = wait(leftMs);
    else done();
  };
  let timer = wait(ms);
  return () => clearTimeout(timer);
}

/** Waits a time of any length; rejects with the reason of the signal when that is aborted. */
export function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const stop = (): void => {
      end();
      reject(signal.reason);
    };
    const end = afterMs(ms, () => {
      signal.removeEventListener("abort", stop);
      resolve();
    });
    signal.addEventListener("abort", stop, { once: true });
  });
}
