import { countOf } from "../../../text/count.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, stoppedError } from "../failures/command-error.ts";
import type { RunEnd } from "./run-items.ts";

/**
 * The failure of a run in which some items failed, or were not done.
 *
 * @param message how many of how many: `2 of 5 devices failed.`
 */
export const partialError = (
  message: string,
  details: {
    readonly why?: string;
    readonly next: string;
    readonly cause?: unknown;
    /** Where all failed for one reason, which has a code and an exit code of its own. */
    readonly code?: string;
    readonly exit?: 1 | 7;
  },
): CommandError => new CommandError(message, { code: "batch.partial", exit: 8, ...details });

/** Throws what ended a run before its end. */
export function throwStop(stop: RunEnd["stop"]): void {
  if (stop === undefined) return;
  throw stop.cause ?? stoppedError("Stopped.", "Interrupted by the user.");
}

/** Ends the command where the run did not come to its end: says how far it came, and throws why. */
export function throwInterrupted(
  ctx: CommandContext,
  { stop, results }: Pick<RunEnd, "stop" | "results">,
  unit: readonly [string, string],
): void {
  if (stop === undefined) return;
  const amount = countOf(results.size, ...unit);
  ctx.say.warning(`Interrupted after ${amount}; run the same command with --resume to continue.`);
  throw ctx.signal.aborted || stop.cause === undefined ? stoppedError("Stopped.") : stop.cause;
}
