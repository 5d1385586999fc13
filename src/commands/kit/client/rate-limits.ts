import type { Limiter, Transport } from "../../../index.ts";
import type { TransportReply } from "../../../lib/http/transport.ts";
import type { CommandClock, CommandContext, RateLimits } from "../context.ts";
import { once } from "../once.ts";
import { showLimit } from "../say/waiting.ts";

type Surroundings = Pick<CommandContext, "say" | "status" | "clock">;

const MINUTE_MS = 60_000;
/** Waits of one request before the client gets the 429. */
const MOST_WAITS = 5;

/** The limits of a process that has them to itself. */
export const ownLimits = (clock: CommandClock): RateLimits => ({
  waits: true,
  limiter: once(() => limiterOf(clock, 1)),
});

/** The limits of one of `parts` workers for the same profile. After a 429, the queue makes all of them wait. */
export const workerLimits = (clock: CommandClock, parts: number): RateLimits => ({
  waits: false,
  limiter: once(() => limiterOf(clock, parts)),
});

async function limiterOf(clock: CommandClock, parts: number): Promise<Limiter> {
  const [{ createLimiter }, { rates }] = await Promise.all([
    import("../../../lib/http/limiter.ts"),
    import("../../../lib/core/rates.ts"),
  ]);
  const limits = Object.entries(rates).map(([name, { perMinute }]) => [
    name,
    Math.max(1, Math.floor(perMinute.scale / parts)),
  ]);
  // The library counts differences only: no change of the system's time may move them.
  const steady = { now: clock.elapsed, sleep: clock.sleep };
  return createLimiter({ clock: steady, limits: Object.fromEntries(limits) });
}

/**
 * A transport that waits after 429 and sends the request again: the platform has not carried it out. Waits as long as
 * the response says, otherwise until the next minute, and returns the sixth 429 (exit 9).
 */
export function waitingTransport(ctx: Surroundings, inner: Transport): Transport {
  return {
    name: inner.name,
    stream: (request) => inner.stream(request),
    async send(request) {
      for (let waits = 0; ; waits += 1) {
        const reply = await inner.send(request);
        if (reply.status !== 429 || waits === MOST_WAITS) return reply;
        await waitForLimit(ctx, reply);
      }
    },
  };
}

async function waitForLimit(ctx: Surroundings, reply: TransportReply): Promise<void> {
  const { retryAfter } = await import("../../../lib/http/envelope.ts");
  const waitMs = retryAfter(reply) ?? MINUTE_MS - (ctx.clock.now() % MINUTE_MS);
  showLimit(ctx, waitMs);
  await ctx.clock.sleep(waitMs);
}
