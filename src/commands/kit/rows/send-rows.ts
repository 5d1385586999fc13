import { ApiError } from "../../../lib/core/errors.ts";
import { CommandError, stoppedError } from "../failures/command-error.ts";
import type { JobItem, JobNotes } from "../jobs/job.ts";
import { isBegun } from "../jobs/run-items.ts";
import { redact } from "../say/redact.ts";
import type { Journal } from "../state/journal.ts";
import type { BatchOutcome, Numbered, RowBatch, RowsJob, RowsResult } from "./import-job.ts";
import { type ColumnOf, refusedReason } from "./refusal.ts";

/** How batches are sent. */
export type RowsSender<Row extends Numbered, Sent extends RowBatch<Row>> = Pick<
  RowsJob<Row, Sent, object>,
  "prepare" | "split"
>;

/** What one item of a run is sent with. */
export interface Sending<Row extends Numbered, Sent extends RowBatch<Row>> {
  readonly sender: RowsSender<Row, Sent>;
  readonly notes: JobNotes;
  /** Stops between the halves of a batch; a worker finishes what it has begun. */
  readonly signal?: AbortSignal;
  /** Whether a batch that is rejected is split until only bad rows are left. */
  readonly isTolerant: boolean;
  /** Batches without a note may have been sent as well. */
  readonly isRepeated?: boolean;
  readonly columnOf?: ColumnOf;
}

/** The platform rejects rows: the same rows would be rejected again. */
export class RefusedRows extends CommandError {
  readonly rows: readonly Numbered[];
  override readonly cause: Error;

  constructor(reason: string, rows: readonly Numbered[], cause: Error) {
    super(reason, { code: "input.invalid", exit: 3 });
    this.rows = rows;
    this.cause = cause;
  }
}

/** The item of a batch: its name, as a queue takes it. */
export const itemOf = <Row extends Numbered, Sent extends RowBatch<Row>>(batch: Sent): JobItem<Sent> => ({
  id: batch.item.replaceAll(" ", "-"),
  args: batch,
  mark: batch.mark,
});

/** Whether an earlier run has sent a batch, or was about to. */
export const isBatchBegun = (journal: Journal, batch: RowBatch<Numbered>): boolean =>
  isBegun(journal, itemOf(batch).id, batch.item);

/** As `isBatchBegun`, of a row that is sent alone. */
export const isRowBegun = (journal: Journal, row: number): boolean =>
  isBatchBegun(journal, { item: `row ${row}`, mark: "", rows: [] });

/** The result of rows that were sent before the item they are of was done. */
const SENT_BEFORE = "sent before";
/** Failures that are named one by one. */
export const SHOWN_PROBLEMS = 5;

/**
 * Sends a batch. It is noted before it is sent, so a later try looks first whether it arrived: `begun`, then `split` where
 * its halves are sent, or `sent` for a half. A rejected batch is forgotten: it may be another one the next time.
 *
 * @throws RefusedRows where the platform rejects the batch and it is not split
 */
export async function sendRows<Row extends Numbered, Sent extends RowBatch<Row>>(
  sending: Sending<Row, Sent>,
  batch: Sent,
): Promise<RowsResult> {
  return resultOf(batch.rows.length, await sendBatch(sending, batch));
}

async function sendBatch<Row extends Numbered, Sent extends RowBatch<Row>>(
  sending: Sending<Row, Sent>,
  batch: Sent,
): Promise<BatchOutcome[]> {
  const { sender, notes, isRepeated = false } = sending;
  const { item, rows } = batch;
  const of = rows.map(({ row }) => row);
  const noted = notes.of(item);
  if (noted === "split") return sendHalves(sending, batch);
  if (noted === "sent") return [{ result: SENT_BEFORE, of }];
  let isSent = false;
  try {
    const ready = await sender.prepare(batch, isRepeated || noted === "begun");
    if (typeof ready !== "function") return [{ ...ready, of }];
    await notes.add(item, "begun");
    isSent = true;
    return [{ ...(await ready()), of }];
  } catch (error) {
    if (!isAboutRows(error, isSent, sender.split === undefined)) throw error;
    if (sending.isTolerant && rows.length > 1) {
      await notes.add(item, "split");
      return sendHalves(sending, batch);
    }
    if (isSent) await notes.forget(item);
    const reason = redact(refusedReason(error, sending.columnOf));
    if (!sending.isTolerant || sender.split === undefined) throw new RefusedRows(reason, batch.elements ?? rows, error);
    return [{ result: "failed", reason, of }];
  }
}

async function sendHalves<Row extends Numbered, Sent extends RowBatch<Row>>(
  sending: Sending<Row, Sent>,
  batch: Sent,
): Promise<BatchOutcome[]> {
  const { sender, notes, signal } = sending;
  const outcomes: BatchOutcome[] = [];
  for (const half of sender.split?.(batch) ?? []) {
    if (signal?.aborted === true) throw stoppedError("Stopped.");
    outcomes.push(...(await sendBatch(sending, half)));
    if (notes.of(half.item) === "begun") await notes.add(half.item, "sent");
  }
  return outcomes;
}

/**
 * The platform rejects these rows; others may be fine. A token, a limit or the network would stop the next one too.
 *
 * @param isAlone each row is a request of its own, so a failed lookup is about the row as well
 */
export function isAboutRows(error: unknown, isSent: boolean, isAlone: boolean): error is CommandError | ApiError {
  if (error instanceof CommandError) return isAlone && [2, 3, 6, 7].includes(error.exit);
  if (!(error instanceof ApiError) || /exceeded/i.test(error.message)) return false;
  return isAlone
    ? [400, 404, 409, 413, 422].includes(error.status)
    : isSent && [400, 409, 413, 422].includes(error.status);
}

function resultOf(rows: number, outcomes: readonly BatchOutcome[]): RowsResult {
  const [first] = outcomes;
  if (outcomes.length === 1 && first !== undefined && first.result !== "failed") {
    const { of: _, ...outcome } = first;
    return { rows, refused: 0, outcomes: [outcome] };
  }
  const bad = outcomes.filter(({ result }) => result === "failed");
  const shown = bad.slice(0, SHOWN_PROBLEMS).map(({ of = [], reason }) => `row ${of.join()}: ${reason}`);
  const reason = [...shown, ...(bad.length > shown.length ? ["and more"] : [])].join("; ");
  return { rows, refused: bad.length, reason, outcomes };
}
