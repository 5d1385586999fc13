import { RequestError } from "../../../lib/core/errors.ts";
import type { CommandContext } from "../context.ts";
import { stoppedError } from "../failures/command-error.ts";
import { mayHaveArrived } from "../failures/lost-write.ts";
import { networkReason } from "../failures/network-reason.ts";
import { partialError } from "../jobs/ending.ts";

/** Work on several things, one request each. */
export interface Batch<Item> {
  readonly items: readonly Item[];
  /** How messages name one: `device "Pump 3"`. */
  title(item: Item): string;
  /** What was done, past tense: `Deleted`. */
  readonly done: string;
  /** One and many: `["device", "devices"]`. */
  readonly unit: readonly [string, string];
  run(item: Item): Promise<unknown>;
  /** Prints what was done. */
  print(items: readonly Item[]): Promise<unknown>;
}

/**
 * Runs the items one after the other. One that fails is named and does not stop the others (exit 8); when all fail,
 * the first failure ends the command. After Ctrl-C the running request is finished and nothing more is started.
 */
export async function runBatch<Item>(ctx: CommandContext, batch: Batch<Item>): Promise<number> {
  const done: Item[] = [];
  const failures: unknown[] = [];
  for (const item of batch.items) {
    if (ctx.signal.aborted) break;
    try {
      await batch.run(item);
      done.push(item);
    } catch (error) {
      failures.push(error);
      if (batch.items.length > 1) ctx.say.warning(`${capital(batch.title(item))}: ${messageOf(error)}`);
    }
  }
  if (done.length === 0 && failures.length > 0 && !ctx.signal.aborted) throw failures[0];
  await batch.print(done);
  const [one] = done;
  const what = done.length === 1 && one !== undefined ? batch.title(one) : `${done.length} ${batch.unit[1]}`;
  await ctx.done(`${batch.done} ${what}`);
  if (done.length + failures.length < batch.items.length) {
    ctx.say.warning(
      `Stopped after ${done.length} of ${batch.items.length} ${batch.unit[1]}; run the command again for the rest.`,
    );
    throw stoppedError();
  }
  if (failures.length === 0) return 0;
  throw partialError(`${failures.length} of ${batch.items.length} ${batch.unit[1]} failed.`, {
    why: messageOf(failures[0]),
    next: "Run the command again for those named in the warnings.",
  });
}

export function messageOf(error: unknown): string {
  if (mayHaveArrived(error)) {
    const what = error instanceof RequestError ? "was lost" : "cannot be used";
    return `It may have arrived, but the response ${what} (${networkReason(error)}).`;
  }
  return error instanceof Error ? error.message : String(error);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
