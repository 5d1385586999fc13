import { defined } from "../../../lib/core/defined.ts";
import type { Channel } from "../../../lib/realtime/channels.ts";
import { cleanLine } from "../../../text/clean.ts";
import { countOf, countText } from "../../../text/count.ts";
import type { Quiet, WaitingText } from "../../../tui/live/quiet.ts";
import type { LiveOptions, LiveSummary } from "../../../tui/live/types.ts";
import { isScreenAsked, screenColor } from "../ask/terminal.ts";
import { lent } from "../ask/terminal-lent.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import type { EntrySource, EventEntry, Resume } from "./entry.ts";
import { endAfter, tap } from "./limits.ts";
import { networkSource } from "./network-source.ts";
import type { LiveFlags } from "./options.ts";
import { openRecorder, openReplay } from "./recording.ts";
import { liveItem, type RecordFilter, recordsOf, type StreamRecord } from "./records.ts";
import { saveRows } from "./save-rows.ts";
import { waitingFor } from "./waiting.ts";

/** Names a line shows of many. */
const MOST_NAMES = 5;

/** What is printed of one event: the records wanted of it, at least one. */
export interface Arrival {
  readonly entry: EventEntry;
  readonly records: readonly StreamRecord[];
}

export interface Follow {
  /** What to listen to; not asked for when a recording is played back. */
  readonly channels: readonly Channel[];
  /** Names of the channels as given, for titles and recordings. */
  readonly channelNames: readonly string[];
  readonly wanted: RecordFilter;
  readonly flags: LiveFlags;
  /** `--count` counts these: records, or events whatever they hold. */
  readonly counts: "records" | "events";
  /** Continues after what an earlier run delivered, and reads what was stored while a connection was lost. */
  readonly resume?: Resume;
  /** Lines everywhere, on a terminal too. */
  readonly isPlain?: boolean;
  /** Called with what is wanted, before it is printed. Only as lines. */
  act?(records: readonly StreamRecord[]): void;
  /** Ends the lines after an event. */
  hasEnough?(): boolean;
  /** Prints what arrives; `close` ends it. */
  print(arrivals: AsyncIterable<Arrival>, wanted: RecordFilter, close: () => void): Promise<void>;
}

/** Follows a stream on a screen where there is one, as lines everywhere else, and says at the end what came. */
export async function followStream(ctx: CommandContext, follow: Follow): Promise<LiveSummary> {
  const { flags } = follow;
  const replay = flags.replay === undefined ? undefined : await openReplay(ctx, flags.replay, flags.speed);
  const names = replay === undefined ? follow.wanted.names : new Map(Object.entries(replay.head.names));
  const wanted = { ...follow.wanted, names };
  const channelNames = replay?.head.channels ?? follow.channelNames;
  const recorder =
    flags.save === undefined
      ? undefined
      : await openRecorder(ctx, flags.save, { channels: channelNames, names: Object.fromEntries(names) });
  try {
    const hasScreen = follow.isPlain !== true && isScreenAsked(ctx, smallest);
    const place = flags.replay ?? (hasScreen ? await ctx.where() : (await ctx.connection()).label);
    const opened = replay ?? (await openSource(ctx, follow, !hasScreen));
    const recorded = recorder === undefined ? opened : tap(opened, (entry) => recorder.write(entry));
    const source = endAfter(recorded, flags.forMs);
    const watched = { source, wanted, channelNames, place };
    const summary = hasScreen
      ? await lent(ctx.status, () => onScreen(ctx, follow, watched))
      : await asLines(ctx, follow, watched);
    ctx.say.info(summaryText(summary));
    return summary;
  } finally {
    recorder?.close();
    if (recorder !== undefined)
      ctx.say.info(`Recorded ${countOf(recorder.count(), "event")} to ${flags.save}.`, flags.save);
  }
}

/** The stream of the platform, after what was stored where that is asked for. */
async function openSource(ctx: CommandContext, follow: Follow, mustOpen: boolean): Promise<EntrySource> {
  const { sinceMs } = follow.flags;
  if (follow.resume !== undefined) {
    const { resumedSource } = await import("./resume.ts");
    return resumedSource(ctx, follow.channels, { ...follow.resume, mustOpen, variables: follow.wanted.variables });
  }
  if (sinceMs === undefined) return networkSource(ctx, follow.channels, mustOpen);
  const devices = follow.channels.flatMap((one) => (one.channel === "device_data" ? [one.resource_id] : []));
  if (devices.length === 0) {
    throw usageError("--since needs a device_data channel.", {
      why: "Only device data is stored; past events of other channels are not available.",
      next: "Leave out --since, or add device_data:<id>.",
    });
  }
  const { announceHistory, withHistory } = await import("./history.ts");
  const history = { sinceMs, devices, variables: follow.wanted.variables };
  await announceHistory(ctx, history);
  return withHistory(ctx, await networkSource(ctx, follow.channels, mustOpen), history);
}

export interface Watched {
  readonly source: EntrySource;
  readonly wanted: RecordFilter;
  readonly channelNames: readonly string[];
  readonly place: string;
}

const smallest = { columns: 40, rows: 8 };

async function onScreen(ctx: CommandContext, follow: Follow, watched: Watched): Promise<LiveSummary> {
  const { openLiveView } = await import("../../../tui/index.ts");
  return openLiveView(liveOptions(ctx, follow, watched));
}

/** A recording waits for nobody. */
const waitingOf = (ctx: CommandContext, { channels, flags, wanted }: Pick<Follow, "channels" | "flags" | "wanted">) =>
  flags.replay === undefined ? waitingFor(ctx, channels, wanted.names) : {};

/** What the live view needs to show a source. */
export function liveOptions(
  ctx: CommandContext,
  { channels, flags, counts }: Pick<Follow, "channels" | "flags" | "counts">,
  { source, wanted, channelNames, place }: Watched,
): LiveOptions {
  async function* items() {
    let left = flags.count;
    for await (const entry of source.entries) {
      const item = liveItem(entry, wanted);
      if (item.type !== "rows") {
        yield item;
        continue;
      }
      const rows = counts === "records" ? item.rows.slice(0, left) : item.rows;
      if (rows.length === 0) continue;
      left -= counts === "records" ? rows.length : 1;
      yield { ...item, rows };
      if (left <= 0) break;
    }
    source.close();
  }
  const named = [...wanted.names.values()].map((name) => cleanLine(name, 100));
  return {
    title: {
      channel: cleanLine([[...new Set(channelNames)].join(", "), ...(wanted.whereTexts ?? [])].join(" where "), 100),
      names: named,
      place: cleanLine(place, 100),
    },
    waiting: waitingOf(ctx, { channels, flags, wanted }),
    items: items(),
    close: () => source.close(),
    now: () => source.now(),
    color: screenColor(ctx),
    ascii: ctx.flags.ascii,
    ...defined({ zone: ctx.flags.tz }),
    signal: ctx.signal,
    staysOpen: flags.replay !== undefined && flags.forMs === undefined && !Number.isFinite(flags.count),
    fileName: `stream-${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}.ndjson`,
    save: (path, rows) => saveRows(path, rows, ctx.path(path)),
  };
}

async function asLines(ctx: CommandContext, follow: Follow, watched: Watched): Promise<LiveSummary> {
  const { source, wanted, place } = watched;
  const summary = { received: 0, lost: 0, gaps: 0 };
  const what = namesText([...wanted.names.values()]) || watched.channelNames.join(", ");
  const { waitingText, whileQuiet } = await import("../../../tui/live/quiet.ts");
  const tell = quietLines(ctx, waitingText);
  let events = 0;
  let stopAsking = (): void => undefined;

  async function* arrivals(): AsyncGenerator<Arrival> {
    let left = follow.flags.count;
    let isFirst = true;
    try {
      for await (const entry of source.entries) {
        if (entry.type === "open" && isFirst) {
          ctx.say.info(`Watching ${what} in ${place}. Ctrl-C stops.`);
          isFirst = false;
          stopAsking = whileQuiet({ waiting: waitingOf(ctx, { ...follow, wanted }), received: () => events, tell });
        }
        if (entry.type === "retry")
          ctx.say.warning(`Not connected (${entry.reason}); retrying in ${(entry.delayMs / 1000).toFixed(0)} s.`);
        if (entry.type === "gap") {
          summary.gaps += 1;
          ctx.say.info("Reconnected; records in between may be missing.");
        }
        if (entry.type !== "event") continue;
        events += 1;
        const found = recordsOf(entry, wanted);
        if (found === undefined) summary.lost += 1;
        if (found === undefined) continue;
        if (found.length === 0 && follow.hasEnough?.() === true) return;
        if (found.length === 0) continue;
        const records = follow.counts === "records" ? found.slice(0, left) : found;
        const amount = follow.counts === "records" ? records.length : 1;
        summary.received += amount;
        left -= amount;
        follow.act?.(records);
        yield { entry, records };
        if (left <= 0 || follow.hasEnough?.() === true) return;
      }
    } finally {
      stopAsking();
      source.close();
    }
  }

  await follow.print(arrivals(), wanted, () => source.close());
  return summary;
}

/** Says what is known while nothing arrives: the last input at first, and each reason once. */
function quietLines(ctx: CommandContext, textOf: WaitingText): Quiet["tell"] {
  const said = new Set<string>();
  let isFirst = true;
  return ({ reasons, lastInputMs }) => {
    if (isFirst && lastInputMs !== undefined) ctx.say.info(textOf(lastInputMs, ctx.clock.now()));
    isFirst = false;
    for (const reason of reasons) if (!said.has(reason)) ctx.say.warning(reason);
    for (const reason of reasons) said.add(reason);
  };
}

/** Names of a few; of a fleet, how many more. */
function namesText(names: readonly string[]): string {
  const shown = names.length > MOST_NAMES + 1 ? names.slice(0, MOST_NAMES) : names;
  const more = names.length - shown.length;
  return [...shown.map((name) => `"${name}"`), ...(more > 0 ? [`${countText(more)} more`] : [])].join(", ");
}

function summaryText({ received, lost, gaps }: LiveSummary): string {
  const parts = [`${countOf(received, "record")} received`];
  if (lost > 0) parts.push(`${lost} could not be read`);
  if (gaps > 0) parts.push(`${countOf(gaps, "gap")} in the connection`);
  return `${parts.join("; ")}.`;
}
