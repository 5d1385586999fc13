import type { CommandContext } from "../../kit/context.ts";
import { conflictError, stoppedError } from "../../kit/failures/command-error.ts";
import type { Journal } from "../../kit/state/journal.ts";
import type { BatchSender, ImportBatch } from "./import-run.ts";

/**
 * Sends all batches, several at a time. The journal notes each before and after it is sent, so that a run that goes on
 * sends nothing twice. The first failure ends it, and so does Ctrl-C, once the running requests have finished.
 */
export async function sendBatches(
  ctx: CommandContext,
  sender: BatchSender,
  journal: Journal,
  batches: AsyncIterable<ImportBatch>,
  onSent: (records: number) => void,
): Promise<void> {
  const waiting = batches[Symbol.asyncIterator]();
  const lanes = ctx.flags.concurrency ?? 4;
  let failure: { readonly cause: unknown } | undefined;
  let isDone = false;

  async function send(batch: ImportBatch): Promise<void> {
    const { item, mark, records } = batch;
    const noted = journal.mark(item);
    if (noted !== undefined && noted.slice(1) !== mark) throw changedInput();
    if (noted !== `+${mark}` && records.length > 0) {
      const ready = await sender.prepare(batch, noted === `?${mark}`);
      if (typeof ready === "function") {
        journal.add(item, `?${mark}`);
        await ready();
      }
      journal.add(item, `+${mark}`);
    }
    onSent(records.length);
  }

  async function lane(): Promise<void> {
    while (failure === undefined && !isDone && !ctx.signal.aborted) {
      try {
        const next = await waiting.next();
        if (next.done === true) isDone = true;
        else await send(next.value);
      } catch (cause) {
        failure ??= { cause };
      }
    }
  }

  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    await waiting.return?.();
  }
  if (failure !== undefined) throw failure.cause;
  if (!isDone) throw stoppedError("Stopped.", "Interrupted by the user.");
}

const changedInput = (): Error =>
  conflictError("The records are not those that the interrupted run was sending.", {
    code: "input.changed",
    next: "Restore the original files and devices, or start again without --resume once you know what was sent.",
  });
