import { defined } from "../../lib/core/defined.ts";
import { RequestError } from "../../lib/core/errors.ts";
import type { Channel } from "../../lib/realtime/channels.ts";
import type { CommandContext } from "../kit/context.ts";
import { attemptsOf } from "../kit/say/attempts.ts";
import type { EntrySource, StreamEntry } from "./entry.ts";

/**
 * What the event stream of the platform brings on these channels. It connects again by itself.
 *
 * @param mustOpen without a screen nobody sees the tries: a platform that was never reached ends the entries with the error
 */
export async function networkSource(
  ctx: CommandContext,
  channels: readonly Channel[],
  mustOpen: boolean,
): Promise<EntrySource> {
  const connection = await ctx.connection();
  const { openEventStream } = await import("../../lib/realtime/event-stream.ts");
  const stream = openEventStream({
    ...ctx.clientOptions(),
    channels,
    token: connection.token,
    region: { api: connection.api, sse: connection.events },
  });

  const attempts = attemptsOf(ctx);

  async function* entries(): AsyncGenerator<StreamEntry> {
    let isReached = !mustOpen;
    for await (const item of stream) {
      const isUseless = item.type === "retry" && !isReached && item.failures >= attempts;
      if (isUseless && item.error instanceof RequestError) throw item.error;
      if (item.type !== "retry") isReached = true;
      const atMs = Date.now();
      switch (item.type) {
        case "open":
          yield { type: "open", atMs };
          break;
        case "message": {
          const { channel, timestamp, payload } = item;
          yield { type: "event", atMs, ...defined({ channel, timestamp }), payload };
          break;
        }
        case "gap":
          yield { type: "gap", atMs, lostAtMs: item.lostAt.getTime(), resumedAtMs: item.resumedAt.getTime() };
          break;
        case "retry":
          yield {
            type: "retry",
            atMs,
            delayMs: item.delayMs,
            failures: item.failures,
            reason: item.error.message,
          };
      }
    }
  }

  return { entries: entries(), close: () => stream.close(), now: () => Date.now() };
}
