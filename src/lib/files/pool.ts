import { linkSignals } from "../core/signals.ts";

/**
 * Runs the same task on several lanes concurrently. The first failure aborts the signal of all lanes; it is thrown once
 * every lane has stopped.
 */
export async function runLanes(
  lanes: number,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stop = linkSignals(outer);
  const failures: unknown[] = [];
  const run = async (): Promise<void> => {
    try {
      await work(stop.signal);
    } catch (error) {
      failures.push(error);
      stop.abort(error);
    }
  };
  await Promise.all(Array.from({ length: lanes }, run));
  stop.release();
  if (failures.length > 0) throw failures[0];
}

/** Runs one task at a time, in order. A failed task does not stop the next. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn;
    return turn;
  }
}
