/** Most redraws at once after a rest, and per second while there is always something new: together ten in any second. */
const BURST = 3;
const PER_SECOND = 7;

export interface Pacer {
  /** Asks for one call of `draw`: at once when there was none for a while, otherwise as soon as it may be. */
  request(): void;
  stop(): void;
}

/**
 * Calls `draw` at most ten times in any second, and the first time without delay, so that a key takes effect
 * immediately.
 */
export function createPacer(draw: () => void, now: () => number = () => performance.now()): Pacer {
  let tokens = BURST;
  let filledMs = now();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStopped = false;

  function attempt(): void {
    timer = undefined;
    const nowMs = now();
    tokens = Math.min(BURST, tokens + ((nowMs - filledMs) * PER_SECOND) / 1_000);
    filledMs = nowMs;
    if (tokens < 1) {
      timer = setTimeout(attempt, Math.ceil(((1 - tokens) * 1_000) / PER_SECOND) + 1);
      return;
    }
    tokens -= 1;
    draw();
  }

  return {
    request() {
      if (timer === undefined && !isStopped) attempt();
    },
    stop() {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
