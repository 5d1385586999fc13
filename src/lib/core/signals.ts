import { allowListeners } from "#listener-limit";

const nothing = (): void => undefined;

/** Calls the listener once when the signal is aborted, at once if it is already. The result removes the listener. */
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

/** A signal that others, or its owner, abort. */
export interface LinkedSignal {
  readonly signal: AbortSignal;
  abort(reason?: unknown): void;
  /** Removes the listeners from the other signals. */
  release(): void;
}

/**
 * A signal that is aborted with the first of the given ones. `AbortSignal.any` does the same, but on Node 20 it leaves
 * some memory behind on the given signals with every call.
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
