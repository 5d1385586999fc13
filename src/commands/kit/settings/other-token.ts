import { ApiError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../context.ts";
import { CommandError } from "../failures/command-error.ts";

/**
 * Runs a call that only another kind of token opens. Where the platform rejects the token in use although it is a good
 * one, the failure (exit 5) says what helps.
 *
 * @param what whose token is needed: `a network`
 */
export async function withOtherToken<T>(
  ctx: CommandContext,
  { what, next }: { readonly what: string; readonly next: string },
  call: () => Promise<T>,
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401 || !(await mayListDevices(ctx))) throw error;
    throw new CommandError(`The token in use is not ${what} token.`, {
      code: "auth.permission",
      exit: 5,
      why: `${error.method} ${new URL(error.url).pathname} returned ${error.status}: "${error.message}".`,
      next,
      cause: error,
    });
  }
}

/** Distinguishes a profile token from an unknown one. */
async function mayListDevices(ctx: CommandContext): Promise<boolean> {
  try {
    await (await ctx.client()).devices.list({ amount: 1 });
    return true;
  } catch {
    return false;
  }
}
