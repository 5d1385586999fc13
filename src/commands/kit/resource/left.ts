import { countOf } from "../../../text/count.ts";
import type { CommandContext } from "../context.ts";
import { messageOf } from "./batch.ts";

/**
 * Counts what a deletion has left, once it is over: that this fails does not make the deletion fail.
 *
 * @returns null where it could not be counted; a warning says why
 */
export async function countLeft(
  ctx: CommandContext,
  what: string,
  count: () => Promise<number>,
): Promise<number | null> {
  try {
    return await count();
  } catch (error) {
    ctx.say.warning(`The ${what} that are left could not be counted: ${messageOf(error)}`);
    return null;
  }
}

/** Says what is there after everything was deleted. @param check the command that counts again */
export function warnLeft(ctx: CommandContext, left: number, one: string, check: string): void {
  ctx.say.warning(
    `${countOf(left, one)} ${left === 1 ? "is" : "are"} there after the deletion: new, or the platform is still deleting, which takes up to 30 seconds. "${check}" counts again.`,
  );
}
