import { defined } from "../../../lib/core/defined.ts";
import { RequestError } from "../../../lib/core/errors.ts";
import type { Channel } from "../../../lib/realtime/channels.ts";
import { countText } from "../../../text/count.ts";
import { attemptsOf } from "../client/attempts.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { inParts } from "../lanes.ts";
import type { EntrySource, StreamEntry } from "./entry.ts";
import { merged } from "./merged.ts";

/** The URL contains the ids: with this many it is below 4 KB, which servers and proxies on the way accept. */
const CHANNELS_PER_CONNECTION = 100;
const MOST_CONNECTIONS = 20;
/** Most channels that one run listens to. */
const MOST_CHANNELS = CHANNELS_PER_CONNECTION * MOST_CONNECTIONS;

/** How many connections this many channels need. */
export const connectionsFor = (channels: number): number => Math.ceil(channels / CHANNELS_PER_CONNECTION);

/**
 * What the event stream of the platform sends on these channels, over as many connections as they need. It reconnects
 * by itself.
 *
 * @param around what a connection and its channels are wrapped in
 * @param mustOpen without a screen nobody sees the attempts: if the platform was never reached, the entries end with
 * the error
 */
export async function networkSource(
  ctx: CommandContext,
  channels: readonly Channel[],
  mustOpen: boolean,
  around: (source: EntrySource, channels: readonly Channel[]) => EntrySource = (source) => source,
): Promise<EntrySource> {
  if (channels.length > MOST_CHANNELS) {
    throw usageError(`${countText(channels.length)} channels are too many to listen to at once.`, {
      why: `One run opens at most ${MOST_CONNECTIONS} connections with ${CHANNELS_PER_CONNECTION} channels each: ${countText(MOST_CHANNELS)}.`,
      next: "Narrow the choice, for example with a second --tag, or split it over several runs.",
    });
  }
  const parts = inParts(channels, CHANNELS_PER_CONNECTION);
  const sources = await Promise.all(
    parts.map(async (part) => around(await connectionSource(ctx, part, mustOpen), part)),
  );
  const [only] = sources;
  if (only !== undefined && sources.length === 1) return only;
  return {
    entries: openTogether(merged(sources.map(({ entries }) => entries)), sources.length),
    close() {
      for (const source of sources) source.close();
    },
    now: () => Date.now(),
  };
}

/** Leaves out all but the last first opening: only then nothing is missed. */
async function* openTogether(entries: AsyncIterable<StreamEntry>, connections: number): AsyncGenerator<StreamEntry> {
  let opened = 0;
  for await (const entry of entries) {
    if (entry.type === "open") opened += 1;
    if (entry.type !== "open" || opened >= connections) yield entry;
  }
}

async function connectionSource(
  ctx: CommandContext,
  channels: readonly Channel[],
  mustOpen: boolean,
): Promise<EntrySource> {
  const connection = await ctx.connection();
  const { openEventStream } = await import("../../../lib/realtime/event-stream.ts");
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
