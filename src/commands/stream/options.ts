import { existsSync } from "node:fs";
import { option, optionNumber } from "../kit/command/arguments.ts";
import type { CommandInput, OptionSpec } from "../kit/command/define.ts";
import { parseDuration, parseInstant } from "../kit/command/values.ts";
import type { CommandContext } from "../kit/context.ts";
import { usageError } from "../kit/failures/command-error.ts";
import { checkWritable } from "../kit/files/out-file.ts";

/** Flags of every command that follows a stream. */
export const liveOptionSpecs: readonly OptionSpec[] = [
  { name: "for", value: "duration", summary: "stop after this time" },
  { name: "count", value: "n", summary: "stop after this many records" },
  { name: "since", value: "time", summary: "start with the records stored since then: -10m, today" },
  { name: "save", file: "out", value: "file", summary: "record everything that arrives to a file for --replay" },
  { name: "replay", file: "in", value: "file", summary: "replay a recording instead of connecting" },
  { name: "speed", value: "factor", summary: "speed of --replay: 1 original, 10 ten times as fast, 0 no waiting" },
];

export interface LiveFlags {
  readonly forMs: number | undefined;
  readonly count: number;
  readonly sinceMs: number | undefined;
  readonly save: string | undefined;
  readonly replay: string | undefined;
  readonly speed: number;
}

export function liveFlags(ctx: CommandContext, input: CommandInput, nowMs = Date.now()): LiveFlags {
  const forText = option(input, "for");
  const since = option(input, "since");
  if (since !== undefined && option(input, "replay") !== undefined) {
    throw usageError("--since and --replay cannot be used together.", { next: "Use one of them." });
  }
  const [save, replay] = [option(input, "save"), option(input, "replay")];
  if (save !== undefined && replay !== undefined) {
    throw usageError("--save and --replay cannot be used together.", { next: "Use one of them." });
  }
  // One that is there is written as it is: it may be a pipe.
  if (save !== undefined && !existsSync(ctx.path(save))) checkWritable(ctx, ctx.path(save));
  const speed = speedOf(option(input, "speed"));
  if (speed !== undefined && replay === undefined) {
    throw usageError("--speed needs --replay.", { next: "Add --replay <file>, or leave --speed out." });
  }
  return {
    forMs: forText === undefined ? undefined : parseDuration(forText, "--for"),
    count: optionNumber(input, "count", 1) ?? Number.POSITIVE_INFINITY,
    sinceMs: since === undefined ? undefined : parseInstant(since, "--since", nowMs).getTime(),
    save,
    replay,
    speed: speed ?? 1,
  };
}

function speedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const speed = /^\d+(\.\d+)?x?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (speed >= 0 && speed <= 100_000) return speed;
  throw usageError(`--speed must be a number from 0 to 100,000, not "${text}".`, {
    next: "Use 1, 0.5, 10, or 0 for no waiting.",
  });
}
