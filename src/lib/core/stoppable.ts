import { type LinkedSignal, linkSignals } from "./signals.ts";

type Done = IteratorReturnResult<undefined>;
const done: Done = { done: true, value: undefined };

/**
 * A stream whose `return` ends at once what the stream is waiting for: a plain generator finishes its pending `next`
 * first, and one that never stops would go on asking.
 *
 * @param outer the caller's signal; it ends the stream with `CancelledError`
 * @param start begins the stream; the signal it is given ends its requests and waits
 */
export function stoppable<Page>(
  outer: AbortSignal | undefined,
  start: (signal: AbortSignal) => AsyncGenerator<Page, void, undefined>,
): AsyncGenerator<Page, void, undefined> {
  let link: LinkedSignal | undefined;
  let pages: AsyncGenerator<Page, void, undefined> | undefined;
  let isStopped = false;

  const next = async (): Promise<IteratorResult<Page, undefined>> => {
    if (isStopped) return done;
    link ??= linkSignals(outer);
    pages ??= start(link.signal);
    try {
      const result = await pages.next();
      if (result.done !== true && !isStopped) return result;
    } catch (error) {
      link.release();
      if (!isStopped) throw error;
    }
    link.release();
    return done;
  };

  const stop = async (): Promise<Done> => {
    isStopped = true;
    link?.abort();
    link?.release();
    await pages?.return();
    return done;
  };

  const stream = {
    next,
    return: stop,
    async throw(error: unknown): Promise<never> {
      await stop();
      throw error;
    },
    [Symbol.asyncIterator]: () => stream,
    async [Symbol.asyncDispose](): Promise<void> {
      await stop();
    },
  };
  return stream;
}
