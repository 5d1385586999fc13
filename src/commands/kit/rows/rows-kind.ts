import type { Resources } from "../../../index.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";
import type { JobKind, JobNotes } from "../jobs/job.ts";
import { redact } from "../say/redact.ts";
import type { Batch, BatchOutcome, Numbered, RowsJob, RowsResult } from "./import-job.ts";
import { refusedReason } from "./refusal.ts";
import { isAboutRows, SHOWN_PROBLEMS } from "./rows-run.ts";

/** What a worker needs of a command to send its batches. */
export interface RowsSender<Row extends Numbered, Sent extends Batch<Row>>
  extends Pick<RowsJob<Row, Sent, object>, "prepare" | "split"> {
  /** The batch of an item; absent where the item is the batch. */
  unpack?(args: object): Sent;
}

/**
 * Batches of rows that workers send. An item is a batch; it is noted before it is sent, so a later try looks first
 * whether it arrived. A batch that is refused is split until only bad rows are left.
 *
 * @param open called once for each job of a worker
 */
export function rowsKind<Shared extends object, Row extends Numbered, Sent extends Batch<Row>>(
  name: string,
  open: (ctx: CommandContext, client: Resources, shared: Shared) => Promise<RowsSender<Row, Sent>>,
): JobKind<Shared, object, RowsResult> {
  const opened = new WeakMap<Shared, { readonly client: Resources; readonly sender: RowsSender<Row, Sent> }>();
  return {
    name,
    version: 1,
    columns: ["rows", "refused"],
    async run({ ctx, client }, shared, { args }, notes) {
      const known = opened.get(shared);
      const sender = known?.client === client ? known.sender : await open(ctx, client, shared);
      opened.set(shared, { client, sender });
      const batch = sender.unpack === undefined ? (args as Sent) : sender.unpack(args);
      return resultOf(batch.rows.length, await sendBatch(sender, batch, notes));
    },
  };
}

async function sendBatch<Row extends Numbered, Sent extends Batch<Row>>(
  sender: RowsSender<Row, Sent>,
  batch: Sent,
  notes: JobNotes,
): Promise<BatchOutcome[]> {
  const { item, rows } = batch;
  const of = rows.map(({ row }) => row);
  const noted = notes.of(item);
  if (noted === "split") return sendHalves(sender, batch, notes);
  let isSent = false;
  try {
    const ready = await sender.prepare(batch, noted === "begun");
    if (typeof ready !== "function") return [{ ...ready, of }];
    await notes.add(item, "begun");
    isSent = true;
    return [{ ...(await ready()), of }];
  } catch (error) {
    if (!isAboutRows(error, isSent, sender.split === undefined)) throw error;
    const reason = redact(refusedReason(error));
    // Such an item fails as a whole, so that it can be retried.
    if (sender.split === undefined) throw inputError(reason);
    if (rows.length === 1) return [{ result: "failed", reason, of }];
    await notes.add(item, "split");
    return sendHalves(sender, batch, notes);
  }
}

async function sendHalves<Row extends Numbered, Sent extends Batch<Row>>(
  sender: RowsSender<Row, Sent>,
  batch: Sent,
  notes: JobNotes,
): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  for (const half of sender.split?.(batch) ?? []) outcomes.push(...(await sendBatch(sender, half, notes)));
  return outcomes;
}

function resultOf(rows: number, outcomes: readonly BatchOutcome[]): RowsResult {
  const [first] = outcomes;
  if (outcomes.length === 1 && first !== undefined) {
    const { of: _, ...outcome } = first;
    return { rows, refused: 0, outcomes: [outcome] };
  }
  const bad = outcomes.filter(({ result }) => result === "failed");
  const shown = bad.slice(0, SHOWN_PROBLEMS).map(({ of = [], reason }) => `row ${of.join()}: ${reason}`);
  const reason = [...shown, ...(bad.length > shown.length ? ["and more"] : [])].join("; ");
  return { rows, refused: bad.length, reason, outcomes };
}
