import { ApiError } from "../../lib/core/errors.ts";
import type { CommandContext } from "./context.ts";

type Surroundings = Pick<CommandContext, "io" | "flags" | "say" | "clock">;

const MINUTE_MS = 60_000;
/** Shorter waits are not worth a word. */
const SHOWN_FROM_MS = 2_000;
/** Minutes that are waited for before a limit ends the command. */
const MOST_WAITS = 5;

/**
 * Waits, and says so: on a terminal as a countdown, elsewhere in one line (contract, section 11). Rejects when the user
 * ends the command meanwhile.
 */
export async function countDown(ctx: Surroundings, waitMs: number): Promise<void> {
  const { io, flags, say, clock } = ctx;
  const redraws = io.stderrIsTerminal && !flags.accessible && flags.progress && !flags.quiet;
  if (waitMs < SHOWN_FROM_MS) return clock.sleep(waitMs);
  if (!redraws) {
    say.info(`The rate limit was reached; going on in ${Math.ceil(waitMs / 1_000)} s.`);
    return clock.sleep(waitMs);
  }
  const endMs = clock.now() + waitMs;
  try {
    for (let leftMs = waitMs; leftMs > 0; leftMs = endMs - clock.now()) {
      io.writeError(`\r\u001b[2KThe rate limit was reached; going on in ${Math.ceil(leftMs / 1_000)} s`);
      await clock.sleep(Math.min(leftMs, 1_000));
    }
  } finally {
    io.writeError("\r\u001b[2K");
  }
}

/**
 * Makes a call, and makes it again in the next minute while the platform answers that this one has had enough. The
 * refusal that is left after five waits is thrown (exit 9).
 */
export async function withinLimits<T>(ctx: Surroundings, call: () => Promise<T>): Promise<T> {
  for (let waits = 0; ; waits += 1) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429 || waits === MOST_WAITS) throw error;
      await countDown(ctx, error.retryAfterMs ?? MINUTE_MS - (ctx.clock.now() % MINUTE_MS));
    }
  }
}
