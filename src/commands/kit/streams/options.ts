import { existsSync } from "node:fs";
import type { Input, Options } from "../command/options.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import { checkWritable } from "../files/out-file.ts";

/** Flags of every command that follows a stream. */
export const liveOptionSpecs = [
  { name: "for", kind: "duration", summary: "stop after this time" },
  { name: "count", kind: "integer", summary: "stop after this many records" },
  {
    name: "since",
    kind: "instant",
    summary: "start with the records stored since then: -10m, today",
    conflicts: ["replay"],
  },
  {
    name: "save",
    file: "out",
    value: "file",
    summary: "record everything that arrives to a file for --replay",
    conflicts: ["replay"],
  },
  { name: "replay", file: "in", value: "file", summary: "replay a recording instead of connecting" },
  {
    name: "speed",
    value: "factor",
    summary: "speed of --replay: 1 original, 10 ten times as fast, 0 no waiting",
    needs: ["replay"],
  },
] as const satisfies Options;

export interface LiveFlags {
  readonly forMs: number | undefined;
  readonly count: number;
  readonly sinceMs: number | undefined;
  readonly save: string | undefined;
  readonly replay: string | undefined;
  readonly speed: number;
}

export function liveFlags(ctx: CommandContext, { options }: Input<[], typeof liveOptionSpecs>): LiveFlags {
  const { for: forMs, count = Number.POSITIVE_INFINITY, since, save, replay } = options;
  // One that is there is written as it is: it may be a pipe.
  if (save !== undefined && !existsSync(ctx.path(save))) checkWritable(ctx, ctx.path(save));
  return { forMs, count, sinceMs: since?.getTime(), save, replay, speed: speedOf(options.speed) ?? 1 };
}

function speedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const speed = /^\d+(\.\d+)?x?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (speed >= 0 && speed <= 100_000) return speed;
  throw usageError(`--speed must be a number from 0 to 100,000, not "${text}".`, {
    next: "Use 1, 0.5, 10, or 0 for no waiting.",
  });
}
