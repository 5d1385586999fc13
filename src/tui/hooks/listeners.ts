/** Listeners of a model that a screen draws, and a timer that runs while there are any. */
export class Listeners {
  readonly #all = new Set<() => void>();
  readonly #tick: () => void;
  readonly #everyMs: number;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(tick: () => void, everyMs: number) {
    this.#tick = tick;
    this.#everyMs = everyMs;
  }

  /** Returns how the listener leaves again. */
  add(listener: () => void): () => void {
    this.#all.add(listener);
    this.#timer ??= setInterval(this.#tick, this.#everyMs);
    return () => {
      this.#all.delete(listener);
      if (this.#all.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  call(): void {
    for (const listener of this.#all) listener();
  }
}
