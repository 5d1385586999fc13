import type { CommandContext } from "../../kit/context.ts";
import { createProgress } from "../../kit/say/progress.ts";
import type { Journal } from "../../kit/state/journal.ts";
import { batchesOf, type ImportBatch, sendRecords } from "../bulk/import-run.ts";
import { isWithin, type TimeSpan } from "./storage.ts";
import { recordsIn, recordTime } from "./stored.ts";

/** Writes the records of a file that a storage takes. @returns how many these are */
export async function sendStored(
  ctx: CommandContext,
  to: { readonly device: string; readonly span: TimeSpan; readonly total: number },
  file: string,
  journal: Journal,
): Promise<number> {
  const progress = createProgress(ctx, ["Writing", "records"]);
  let sent = 0;
  try {
    const batches = fitting(batchesOf(recordsIn(ctx, file, to.device)), to.span);
    await sendRecords(ctx, journal, batches, (records) => {
      sent += records;
      progress.at(sent, to.total);
    });
  } finally {
    progress.end();
  }
  return sent;
}

/** A batch keeps its name whatever is left out of it: the span moves on while a run is interrupted. */
async function* fitting(
  batches: AsyncIterable<ImportBatch>,
  span: TimeSpan,
): AsyncGenerator<ImportBatch, void, undefined> {
  for await (const batch of batches) {
    const isKept = batch.rows.map((row) => isWithin(span, recordTime(row)));
    yield { ...batch, records: batch.records.filter((_, at) => isKept[at] === true) };
  }
}
