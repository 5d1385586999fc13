import type { Resources } from "../../../index.ts";
import type { CommandContext } from "../context.ts";
import type { JobKind } from "../jobs/job.ts";
import type { Numbered, RepeatedRows, RowBatch, RowsResult } from "./import-job.ts";
import { type RowsSender, sendRows } from "./send-rows.ts";

/** What a worker needs of a command to send its batches. */
export interface WorkerSender<Row extends Numbered, Sent extends RowBatch<Row>> extends RowsSender<Row, Sent> {
  /** The batch of an item; absent where the item is the batch. */
  unpack?(args: object): Sent;
}

/**
 * Batches of rows that workers send, an item each.
 *
 * @param open called once for each job of a worker
 */
export function rowsKind<Shared extends object, Row extends Numbered, Sent extends RowBatch<Row>>(
  name: string,
  open: (ctx: CommandContext, client: Resources, shared: Shared) => Promise<WorkerSender<Row, Sent>>,
): JobKind<Shared, object, RowsResult> {
  const opened = new WeakMap<Shared, { readonly client: Resources; readonly sender: WorkerSender<Row, Sent> }>();
  return {
    name,
    version: 2,
    columns: ["rows", "refused"],
    async run({ ctx, client }, shared, { args }, notes) {
      const known = opened.get(shared);
      const sender = known?.client === client ? known.sender : await open(ctx, client, shared);
      opened.set(shared, { client, sender });
      const batch = sender.unpack === undefined ? (args as Sent) : sender.unpack(args);
      const { isRepeated = false }: RepeatedRows = shared;
      return sendRows({ sender, notes, isTolerant: true, isRepeated }, batch);
    },
  };
}
