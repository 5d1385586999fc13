import type { CommandContext } from "../kit/context.ts";
import { checkWritable } from "../kit/files/out-file.ts";
import { showAge } from "../kit/output/times.ts";
import { showPath } from "../kit/settings/paths.ts";
import { type Follow, followStream } from "../kit/streams/follow.ts";
import { CLOCK_MS } from "../kit/streams/resume.ts";
import { type CursorScope, openCursor } from "./cursor.ts";
import { deliver } from "./deliver.ts";
import { openSink } from "./sinks/open.ts";

/** Where records go, and what is noted about them. */
export interface Destination {
  readonly to: string;
  readonly deadLetter: string | undefined;
  readonly cursor: string | undefined;
  readonly lookbackMs: number;
}

/** Sends what arrives to an engine instead of printing it, and continues where the last run ended. */
export async function streamTo(
  ctx: CommandContext,
  follow: Omit<Follow, "print">,
  { to, deadLetter, cursor: named, lookbackMs }: Destination,
  scope: Omit<CursorScope, "to">,
): Promise<void> {
  if (deadLetter !== undefined) checkWritable(ctx, ctx.path(deadLetter));
  const { replay, sinceMs } = follow.flags;
  const sink = await openSink(ctx, to);
  try {
    if (replay !== undefined) return await sendAll(ctx, follow, () => undefined);
    const file = await openCursor(ctx, named, { ...scope, to });
    const start = sinceMs === undefined ? { storedMs: Date.now() - CLOCK_MS } : { storedMs: 0, fromMs: sinceMs };
    const cursor = file.found ?? start;
    // A run that is killed before the first acknowledgement begins here, too.
    if (file.found === undefined) file.save(start);
    else sayFrom(ctx, file.path, file.found.storedMs);
    const resume = { cursor, isLater: file.found !== undefined || sinceMs !== undefined, lookbackMs };
    await sendAll(ctx, { ...follow, resume }, file.save);
  } finally {
    await sink.close();
  }

  async function sendAll(
    context: CommandContext,
    followed: Omit<Follow, "print">,
    save: (cursor: { readonly storedMs: number }) => void,
  ): Promise<void> {
    const print: Follow["print"] = (arrivals, _, close) =>
      deliver(context, arrivals, { sink, to, deadLetter, close, save });
    await followStream(context, { ...followed, isPlain: true, print });
  }
}

function sayFrom(ctx: CommandContext, path: string, storedMs: number): void {
  const age = showAge(new Date(storedMs), { form: "relative", nowMs: ctx.clock.now() });
  const from = storedMs === 0 ? "in the middle of what was stored" : `with what was stored since ${age}`;
  ctx.say.info(`Continuing ${from}. To start over, remove ${showPath(path)}.`);
}
