import type { Channel } from "../../lib/realtime/channels.ts";
import type { CommandContext } from "../kit/context.ts";
import type { EntrySource, StreamEntry } from "./entry.ts";

/** What the event stream of the platform brings on these channels. It connects again by itself. */
export async function networkSource(ctx: CommandContext, channels: readonly Channel[]): Promise<EntrySource> {
  const connection = await ctx.connection();
  const { openEventStream } = await ctx.library();
  const stream = openEventStream({
    ...ctx.clientOptions(),
    channels,
    token: connection.token,
    region: { api: connection.api, sse: connection.events },
  });

  async function* entries(): AsyncGenerator<StreamEntry> {
    for await (const item of stream) {
      const atMs = Date.now();
      switch (item.type) {
        case "open":
          yield { type: "open", atMs };
          break;
        case "message": {
          const { channel, timestamp, payload } = item;
          yield {
            type: "event",
            atMs,
            ...(channel === undefined ? {} : { channel }),
            ...(timestamp === undefined ? {} : { timestamp }),
            payload,
          };
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
