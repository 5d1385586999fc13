import type { Io } from "../io.ts";

/** Gathers small pieces of one turn into one write, and waits when the reader is slow. */
export interface Sink {
  push(text: string): Promise<void>;
  end(): Promise<void>;
}

const fullBytes = 64 * 1024;

/** Everything pushed is written before the event loop turns, so a line is never held back for a later one. */
export function createSink(io: Pick<Io, "write">): Sink {
  let waiting = "";
  let writing: Promise<void> = Promise.resolve();
  let timer: NodeJS.Immediate | undefined;
  let hasFailed = false;

  const flush = (): Promise<void> => {
    clearImmediate(timer);
    timer = undefined;
    if (waiting !== "") {
      const text = waiting;
      waiting = "";
      writing = writing.then(() => io.write(text));
      // The failure is reported by the next push or by end(); until then it must not count as unhandled.
      writing.catch(() => {
        hasFailed = true;
      });
    }
    return writing;
  };

  return {
    async push(text) {
      if (hasFailed) return writing;
      waiting += text;
      if (waiting.length >= fullBytes) {
        await flush();
        return;
      }
      timer ??= setImmediate(flush);
    },
    end: flush,
  };
}
