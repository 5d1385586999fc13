import { setMaxListeners } from "node:events";

/** How the program was asked to stop. */
export interface Stop {
  readonly signal: AbortSignal;
  /** 130 or 143 once a signal arrived. */
  exitCode(): 130 | 143 | undefined;
  /** Removes the signal handlers. */
  release(): void;
}

/**
 * First Ctrl-C or termination: `signal` is aborted and the command ends in its own way. Second: the process ends at once.
 *
 * @param outer aborts `signal` as well, where another command runs this one
 */
export function watchSignals(announce: (text: string) => void, outer?: AbortSignal): Stop {
  const controller = new AbortController();
  const abortToo = (): void => controller.abort(new DOMException("The command was cancelled", "AbortError"));
  if (outer?.aborted) abortToo();
  outer?.addEventListener("abort", abortToo, { once: true });
  // Every request of a command listens to it.
  setMaxListeners(0, controller.signal);
  let code: 130 | 143 | undefined;
  const stop = (next: 130 | 143) => (): void => {
    if (code !== undefined) process.exit(next);
    code = next;
    announce(next === 130 ? "Stopping; press Ctrl-C again to stop at once." : "Stopping.");
    controller.abort(new DOMException("The program was asked to stop", "AbortError"));
  };
  const handlers = { SIGINT: stop(130), SIGTERM: stop(143), SIGHUP: stop(143) } as const;
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
  return {
    signal: controller.signal,
    exitCode: () => code,
    release() {
      outer?.removeEventListener("abort", abortToo);
      for (const [name, handler] of Object.entries(handlers)) process.off(name, handler);
    },
  };
}
