/** Text that arrives faster or slower than it is read. */

/** Characters that may wait before the source is asked to pause. */
const highWater = 1024 * 1024;

interface Waiter {
  resolve(result: IteratorResult<string>): void;
  reject(error: unknown): void;
}

/** One producer, one reader. The producer learns from `push` when to pause; `onDrain` tells it to go on. */
export class TextQueue implements AsyncIterable<string> {
  #waiting: string[] = [];
  #length = 0;
  #reader: Waiter | undefined;
  #ended = false;
  #error: unknown;
  #paused = false;
  readonly #onDrain: () => void;
  readonly #onLeave: () => void;

  constructor(onDrain: () => void, onLeave: () => void) {
    this.#onDrain = onDrain;
    this.#onLeave = onLeave;
  }

  /** Answers false when the producer should pause. */
  push(text: string): boolean {
    if (this.#ended || text === "") return true;
    const reader = this.#reader;
    if (reader !== undefined) {
      this.#reader = undefined;
      reader.resolve({ done: false, value: text });
      return true;
    }
    this.#waiting.push(text);
    this.#length += text.length;
    this.#paused = this.#length > highWater;
    return !this.#paused;
  }

  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#reader = undefined;
    this.#finish(reader);
  }

  #finish(reader: Waiter): void {
    const error = this.#error;
    this.#error = undefined;
    if (error === undefined) reader.resolve({ done: true, value: undefined });
    else reader.reject(error);
  }

  [Symbol.asyncIterator](): AsyncIterator<string> {
    return {
      next: () =>
        new Promise<IteratorResult<string>>((resolve, reject) => {
          if (this.#waiting.length > 0) {
            const value = this.#waiting.length === 1 ? (this.#waiting[0] ?? "") : this.#waiting.join("");
            this.#waiting = [];
            this.#length = 0;
            resolve({ done: false, value });
            if (this.#paused) {
              this.#paused = false;
              this.#onDrain();
            }
            return;
          }
          if (this.#ended) this.#finish({ resolve, reject });
          else this.#reader = { resolve, reject };
        }),
      return: () => {
        this.#ended = true;
        this.#waiting = [];
        this.#error = undefined;
        this.#onLeave();
        return Promise.resolve({ done: true, value: undefined });
      },
    };
  }
}
