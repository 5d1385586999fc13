import { option, optionNumber } from "../kit/arguments.ts";
import { usageError } from "../kit/command-error.ts";
import type { CommandInput, OptionSpec } from "../kit/define.ts";
import { parseDuration } from "../kit/options.ts";

/** Flags of every command that follows a stream. */
export const liveOptionSpecs: readonly OptionSpec[] = [
  { name: "for", value: "duration", summary: "stop after this time" },
  { name: "count", value: "n", summary: "stop after this many records" },
  { name: "save", value: "file", summary: "record everything that arrives, to play it back later" },
  { name: "replay", value: "file", summary: "play a recording back instead of connecting" },
  { name: "speed", value: "factor", summary: "speed of --replay: 1 original, 10 ten times as fast, 0 without waiting" },
];

export interface LiveFlags {
  readonly forMs: number | undefined;
  readonly count: number;
  readonly save: string | undefined;
  readonly replay: string | undefined;
  readonly speed: number;
}

export function liveFlags(input: CommandInput): LiveFlags {
  const forText = option(input, "for");
  const [save, replay] = [option(input, "save"), option(input, "replay")];
  if (save !== undefined && replay !== undefined) {
    throw usageError("--save and --replay exclude each other.", { next: "Give one of the two." });
  }
  const speed = speedOf(option(input, "speed"));
  if (speed !== undefined && replay === undefined) {
    throw usageError("--speed is about --replay.", { next: "Add --replay <file>, or leave --speed out." });
  }
  return {
    forMs: forText === undefined ? undefined : parseDuration(forText, "--for"),
    count: optionNumber(input, "count", 1) ?? Number.POSITIVE_INFINITY,
    save,
    replay,
    speed: speed ?? 1,
  };
}

function speedOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const speed = /^\d+(\.\d+)?x?$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  if (speed >= 0 && speed <= 100_000) return speed;
  throw usageError(`--speed needs a factor, not "${text}".`, { next: "Write 1, 0.5, 10, or 0 to wait for nothing." });
}
