import { onTestFinished, vi } from "vitest";

/** Timers of one delay, which run when the test says that it is over. */
export interface HeldTimers {
  /** How many wait. */
  readonly waiting: number;
  /** Moves `performance.now()` on by the delay, or more, and runs the timers that wait. */
  elapse(byMs?: number): void;
}

/**
 * Holds back every timer of this delay until the end of the test, so that a deadline passes neither too early nor too late
 * on a busy machine. All other timers run as always: servers and transports need theirs.
 */
export function holdTimers(delayMs: number): HeldTimers {
  if (vi.isMockFunction(globalThis.setTimeout)) throw new Error("Timers are held already");
  const held = new Map<unknown, () => void>();
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const now = performance.now.bind(performance);
  let elapsedMs = 0;
  const hold = (run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]): NodeJS.Timeout => {
    if (ms !== delayMs) return set(run, ms, ...args);
    const timer = set(() => undefined, 0);
    held.set(timer, () => run(...args));
    return timer;
  };
  const spies = [
    vi.spyOn(globalThis, "setTimeout").mockImplementation(hold as typeof setTimeout),
    vi.spyOn(globalThis, "clearTimeout").mockImplementation((timer) => {
      held.delete(timer);
      clear(timer);
    }),
    vi.spyOn(performance, "now").mockImplementation(() => now() + elapsedMs),
  ];
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  return {
    get waiting() {
      return held.size;
    },
    elapse(byMs = delayMs) {
      const due = [...held.values()];
      held.clear();
      elapsedMs += byMs;
      for (const run of due) run();
    },
  };
}
