import { type LinkedSignal, linkSignals } from "./signals.ts";

type Done = IteratorReturnResult<undefined>;
const done: Done = { done: true, value: undefined };

/**
 * An async generator whose `return` aborts the pending request immediately: a plain generator would finish its pending
 * `next` first.
 *
 * @param outer signal of the caller; aborting it throws `CancelledError`
 * @param start starts the stream; its signal aborts requests and waits
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
