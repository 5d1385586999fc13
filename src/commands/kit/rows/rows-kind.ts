import type { Resources } from "../../../index.ts";
import type { CommandContext } from "../context.ts";
import { inputError } from "../failures/command-error.ts";
import type { JobKind, JobNotes } from "../jobs/job.ts";
import { redact } from "../say/redact.ts";
import type { Batch, BatchOutcome, Numbered, RepeatedRows, RowsJob, RowsResult } from "./import-job.ts";
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
      const { isRepeated = false }: RepeatedRows = shared;
      return resultOf(batch.rows.length, await sendBatch({ sender, notes, isRepeated }, batch));
    },
  };
}

interface Sending<Row extends Numbered, Sent extends Batch<Row>> {
  readonly sender: RowsSender<Row, Sent>;
  readonly notes: JobNotes;
  /** Batches without a note may have been sent as well. */
  readonly isRepeated: boolean;
}

async function sendBatch<Row extends Numbered, Sent extends Batch<Row>>(
  sending: Sending<Row, Sent>,
  batch: Sent,
): Promise<BatchOutcome[]> {
  const { sender, notes, isRepeated } = sending;
  const { item, rows } = batch;
  const of = rows.map(({ row }) => row);
  const noted = notes.of(item);
  if (noted === "split") return sendHalves(sending, batch);
  let isSent = false;
  try {
    const ready = await sender.prepare(batch, isRepeated || noted === "begun");
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
    return sendHalves(sending, batch);
  }
}

async function sendHalves<Row extends Numbered, Sent extends Batch<Row>>(
  sending: Sending<Row, Sent>,
  batch: Sent,
): Promise<BatchOutcome[]> {
  const outcomes: BatchOutcome[] = [];
  for (const half of sending.sender.split?.(batch) ?? []) outcomes.push(...(await sendBatch(sending, half)));
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
