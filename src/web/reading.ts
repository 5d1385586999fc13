import { ApiError } from "../index.ts";
import { failureOf } from "./text.ts";

/** A read with data already shown counts as late after this long: what is shown may have changed meanwhile. */
const LATE_MS = 3_000;

const MISSING: readonly number[] = [400, 404];

export interface ReadingState<T> {
  readonly data?: T | undefined;
  readonly error?: string | undefined;
  /** The platform has no such thing: nothing has this id, or nothing can have it. */
  readonly isMissing?: boolean | undefined;
  readonly isLoading: boolean;
  /** Since when the data may be out of date: reading it again failed, or takes long. */
  readonly staleSinceMs?: number | undefined;
}

/**
 * Reads the same thing again and again, with one request in flight. Reads asked for meanwhile become one, after it. What was
 * read stays until the next read succeeds.
 */
export class Reading<T> {
  readonly #load: (signal: AbortSignal) => Promise<T>;
  readonly #publish: (state: ReadingState<T>) => void;
  readonly #ended = new AbortController();
  #state: ReadingState<T> = { isLoading: true };
  #isReading = false;
  /** Changes since the read in flight started: its reply may not have them yet. */
  #changes: ((data: T) => T)[] = [];
  /** When the first read was asked for that has not started. */
  #askedMs: number | undefined;

  constructor(load: (signal: AbortSignal) => Promise<T>, publish: (state: ReadingState<T>) => void) {
    this.#load = load;
    this.#publish = publish;
  }

  reload(): void {
    this.#askedMs ??= Date.now();
    if (!this.#isReading) void this.#read(this.#askedMs);
  }

  /** Changes the data without reading it. */
  change(make: (data: T) => T): void {
    if (this.#isReading) this.#changes.push(make);
    const { data } = this.#state;
    if (data === undefined) return;
    const made = make(data);
    if (made !== data) this.#set({ ...this.#state, data: made });
  }

  stop(): void {
    this.#ended.abort();
  }

  #set(state: ReadingState<T>): void {
    this.#state = state;
    if (!this.#ended.signal.aborted) this.#publish(state);
  }

  async #read(askedMs: number): Promise<void> {
    this.#isReading = true;
    this.#askedMs = undefined;
    const { data, error } = this.#state;
    const sinceMs = data === undefined ? undefined : (this.#state.staleSinceMs ?? askedMs);
    if (error !== undefined) this.#set({ ...this.#state, isLoading: true });
    const late = setTimeout(() => this.#set({ ...this.#state, staleSinceMs: sinceMs }), LATE_MS);
    const state = await this.#load(this.#ended.signal).then(
      (found) => ({ data: this.#changes.reduce((known, make) => make(known), found), isLoading: false }),
      (failure) => ({
        ...this.#state,
        error: failureOf(failure),
        isMissing: failure instanceof ApiError && MISSING.includes(failure.status),
        isLoading: false,
        staleSinceMs: sinceMs,
      }),
    );
    clearTimeout(late);
    this.#isReading = false;
    this.#changes = [];
    this.#set(state);
    if (this.#askedMs !== undefined && !this.#ended.signal.aborted) this.reload();
  }
}
