import { countOf, partOf } from "../../text/count.ts";
import type { CommandContext } from "../kit/context.ts";
import { stoppedError } from "../kit/failures/command-error.ts";
import { partialError } from "../kit/jobs/ending.ts";
import { runItems } from "../kit/jobs/run-items.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { createProgress } from "../kit/say/progress.ts";
import { noJournal } from "../kit/state/journal.ts";

/** Work on several files at a time. */
export interface Transfers<Item, Result extends object> {
  readonly items: readonly Item[];
  /** Files at a time. */
  readonly jobs: number;
  /** The activity: `Uploading`. */
  readonly verb: string;
  /** Bytes in all, as far as they are known. */
  totalBytes(): number | undefined;
  title(item: Item): string;
  run(item: Item, onBytes: (done: number) => void): Promise<Result>;
}

/** What became of the files. */
export interface TransferOutcome<Item, Result> {
  readonly done: readonly Result[];
  readonly failed: readonly { readonly item: Item; readonly error: unknown }[];
  /** Items that were not begun, because the program was asked to stop. */
  readonly left: number;
}

/** Runs the transfers. One that fails is named and does not stop the others; how far each came is in its own journal. */
export async function runTransfers<Item, Result extends object>(
  ctx: CommandContext,
  { items, jobs, verb, totalBytes, title, run }: Transfers<Item, Result>,
): Promise<TransferOutcome<Item, Result>> {
  const progress = createProgress(ctx, [verb, "bytes"]);
  const bytes = new Map<string, number>();
  let sum = 0;
  const failed: { readonly item: Item; readonly error: unknown }[] = [];
  const { results } = await runItems<{ readonly item: Item }, Result>(ctx, noJournal(), {
    phases: () => [items.map((item, index) => ({ id: String(index), args: { item } }))],
    lanes: jobs,
    run: ({ id, args: { item } }) =>
      run(item, (done) => {
        sum += done - (bytes.get(id) ?? 0);
        bytes.set(id, done);
        progress.at(sum, totalBytes());
      }),
    ended({ args: { item } }, result) {
      if ("row" in result) return;
      failed.push({ item, error: result.cause });
      if (items.length > 1 && !ctx.signal.aborted) ctx.say.warning(`${title(item)}: ${messageOf(result.cause)}`);
    },
    isFatal: () => false,
  });
  progress.end();
  const done = items.flatMap((_, index) => {
    const result = results.get(String(index));
    return result !== undefined && "row" in result ? [result.row] : [];
  });
  return { done, failed, left: items.length - results.size };
}

/** Ends the command after the transfers: quietly when all went, else with the numbers. */
export function throwOnFailedTransfers<Item>(
  ctx: CommandContext,
  { done, failed, left }: TransferOutcome<Item, unknown>,
  next: string,
): void {
  const [first] = failed;
  if (ctx.signal.aborted) {
    ctx.say.warning(`Stopped: ${partOf(done.length, done.length + failed.length + left, "file")} done. ${next}`);
    throw stoppedError("Stopped.", "Interrupted by the user.");
  }
  if (first === undefined) return;
  if (done.length === 0) throw first.error;
  throw partialError(`${failed.length} of ${countOf(done.length + failed.length, "file")} failed.`, {
    why: messageOf(first.error),
    next: `See the warnings above. ${next}`,
  });
}
