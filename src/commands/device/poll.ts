import type { Input, Options } from "../kit/command/options.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, stoppedError } from "../kit/failures/command-error.ts";
import { createProgress } from "../kit/say/progress.ts";

const FIRST_MS = 250;
const MOST_MS = 5_000;

/** Flags of commands that wait for what the platform does after its response. */
export const waitOptions = (most = "10m") =>
  [
    { name: "wait", summary: "wait until it is done" },
    { name: "wait-timeout", kind: "duration", summary: "maximum time to wait", default: most },
  ] as const satisfies Options;

export type WaitInput = Input<[], ReturnType<typeof waitOptions>>;

/** Polls at growing intervals until there is a result. Exits with 10 on timeout. */
export async function pollFor<T>(
  ctx: CommandContext,
  { options, texts }: WaitInput,
  what: string,
  look: () => Promise<T | undefined>,
): Promise<T> {
  const endMs = ctx.clock.elapsed() + options.waitTimeout;
  const progress = createProgress(ctx, [`Waiting for ${what},`, "checks"]);
  try {
    for (let waitMs = FIRST_MS, asked = 0; ; waitMs = Math.min(MOST_MS, waitMs * 1.5)) {
      if (ctx.signal.aborted) throw stoppedError("Stopped.", "The platform continues in the background.");
      const found = await look();
      if (found !== undefined) return found;
      asked += 1;
      progress.at(asked);
      const leftMs = endMs - ctx.clock.elapsed();
      if (leftMs <= 0) throw tooLate(what, String(texts?.["waitTimeout"]));
      await ctx.clock.sleep(Math.min(waitMs, leftMs));
    }
  } finally {
    progress.end();
  }
}

function tooLate(what: string, limit: string): Error {
  return new CommandError(`Timed out after ${limit} waiting for ${what}.`, {
    code: "wait.timeout",
    exit: 10,
    why: "The platform accepted the request. It may still be working, or it failed without reporting it.",
    next: "Check again later, wait longer with --wait-timeout, or follow the device with iot device inspect.",
  });
}
