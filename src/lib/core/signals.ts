import { allowListeners } from "#listener-limit";

const nothing = (): void => undefined;

/** Calls the listener once when the signal is aborted, at once if it already is. Returns a function to remove it. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    listener();
    return nothing;
  }
  allowListeners(signal);
  signal.addEventListener("abort", listener, { once: true });
  return () => signal.removeEventListener("abort", listener);
}

/** A signal that other signals, or its owner, abort. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Removes the listeners from the other signals. */
  release(): void;
}

/**
 * Returns a signal that aborts with the first of the given ones. `AbortSignal.any` does the same, but on Node 20 every
 * call leaks some memory on the given signals.
 */
export function linkSignals(...signals: readonly (AbortSignal | undefined)[]): LinkedSignal {
  const controller = new AbortController();
  const removers = signals.map((one) => onAbort(one, () => controller.abort(one?.reason)));
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release() {
      for (const remove of removers) remove();
    },
  };
}
