import { REQUEST_ATTEMPTS } from "../../lib/core/limits.ts";
import type { CommandContext } from "./context.ts";

/** Attempts per request, the first included: for commands that repeat a request themselves. */
export function attemptsOf({ flags, env }: Pick<CommandContext, "flags" | "env">): number {
  if (flags.retries !== undefined) return flags.retries + 1;
  return Number(env["TAGOIO_REQUEST_ATTEMPTS"]) || REQUEST_ATTEMPTS;
}
