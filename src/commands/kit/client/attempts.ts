import type { CommandContext } from "../context.ts";

const USUAL_ATTEMPTS = 5;

/** Attempts per request, the first included: for commands that repeat a request themselves. */
export function attemptsOf({ flags, env }: Pick<CommandContext, "flags" | "env">): number {
  if (flags.retries !== undefined) return flags.retries + 1;
  return Number(env["TAGOIO_REQUEST_ATTEMPTS"]) || USUAL_ATTEMPTS;
}
