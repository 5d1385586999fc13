import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../context.ts";
import { showLimit } from "./waiting.ts";

type Surroundings = Pick<CommandContext, "say" | "status" | "clock">;

const MINUTE_MS = 60_000;
/** Minutes that are waited for before a limit ends the command. */
const MOST_WAITS = 5;

/** Those whose engine waits by itself: all workers of a queue wait with the one that is refused. */
const passing = new WeakSet<Surroundings>();
export const passLimits = (ctx: Surroundings): unknown => passing.add(ctx);

/**
 * Makes a call, and makes it again in the next minute while the platform answers that this one has had enough. The
 * refusal that is left after five waits is thrown (exit 9).
 */
export async function withinLimits<T>(ctx: Surroundings, call: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || waits === MOST_WAITS || passing.has(ctx)) throw error;
      const waitMs = error.retryAfterMs ?? MINUTE_MS - (ctx.clock.now() % MINUTE_MS);
      showLimit(ctx, waitMs);
      await ctx.clock.sleep(waitMs);
    }
  }
}
