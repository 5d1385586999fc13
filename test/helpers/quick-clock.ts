import { setImmediate } from "node:timers/promises";
import type { CommandClock } from "../../src/commands/kit/context.ts";

/** Enough for a request to a server in this process, and its answer. */
const ROUNDS = 100;

/**
 * A clock for `runHere` whose waits move it instead of waiting: each takes some rounds of the event loop.
 *
 * @param during happens in each wait
 */
export function quickClock(during?: () => unknown): CommandClock {
  let aheadMs = 0;
  return {
    now: () => Date.now() + aheadMs,
    elapsed: () => Math.round(performance.now()) + aheadMs,
    async sleep(ms) {
      aheadMs += ms;
      await during?.();
      for (let round = 0; round < ROUNDS; round += 1) await setImmediate();
    },
  };
}
