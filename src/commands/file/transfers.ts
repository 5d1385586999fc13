import { join } from "node:path";
import { countOf, countText } from "../../text/count.ts";
import type { CommandContext } from "../kit/context.ts";
import { CommandError, stoppedError } from "../kit/failures/command-error.ts";
import { mapLanes } from "../kit/lanes.ts";
import { messageOf } from "../kit/resource/batch.ts";
import { createProgress } from "../kit/say/progress.ts";
import { userFolders } from "../kit/settings/paths.ts";
import { pruneState } from "../kit/state/notes.ts";

/** Work on several files at a time. */
export interface Transfers<Item, Result> {
  readonly items: readonly Item[];
  /** Files at a time. */
  readonly jobs: number;
  /** What goes on: `Uploading`. */
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

/** Runs the transfers. One that fails is named and does not stop the others. */
export async function runTransfers<Item, Result>(
  ctx: CommandContext,
  { items, jobs, verb, totalBytes, title, run }: Transfers<Item, Result>,
): Promise<TransferOutcome<Item, Result>> {
  for (const kind of ["uploads", "downloads"]) pruneState(join(userFolders(ctx.env).state, kind));
  const progress = createProgress(ctx, [verb, "bytes"]);
  const bytes = new Array<number>(items.length).fill(0);
  let sum = 0;
  const results: { readonly index: number; readonly result: Result }[] = [];
  const failed: { readonly item: Item; readonly error: unknown }[] = [];
  let left = 0;
  try {
    await mapLanes(items, jobs, async (item, index) => {
      if (ctx.signal.aborted) {
        left += 1;
        return;
      }
      try {
        const result = await run(item, (done) => {
          sum += done - (bytes[index] ?? 0);
          bytes[index] = done;
          progress.at(sum, totalBytes());
        });
        results.push({ index, result });
      } catch (error) {
        failed.push({ item, error });
        if (items.length > 1 && !ctx.signal.aborted) ctx.say.warning(`${title(item)}: ${messageOf(error)}`);
      }
    });
  } finally {
    progress.end();
  }
  const done = results.sort((a, b) => a.index - b.index).map(({ result }) => result);
  return { done, failed, left };
}

/** Ends the command after the transfers: quietly when all went, else with the numbers. */
export function settleTransfers<Item>(
  ctx: CommandContext,
  { done, failed, left }: TransferOutcome<Item, unknown>,
  next: string,
): void {
  const [first] = failed;
  if (ctx.signal.aborted) {
    ctx.say.warning(
      `Stopped: ${done.length} of ${countText(done.length + failed.length + left)} files are done. ${next}`,
    );
    throw stoppedError("Stopped.", "Interrupted by the user.");
  }
  if (first === undefined) return;
  if (done.length === 0) throw first.error;
  throw new CommandError(`${failed.length} of ${countOf(done.length + failed.length, "file")} failed.`, {
    code: "batch.partial",
    exit: 8,
    why: messageOf(first.error),
    next: `See the warnings above. ${next}`,
  });
}
