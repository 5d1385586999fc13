import { option, optionFlag } from "../command/arguments.ts";
import type { Column } from "../command/columns.ts";
import type { CommandInput } from "../command/define.ts";
import type { CommandContext } from "../context.ts";
import { usageError } from "../failures/command-error.ts";
import type { ItemResult, JobItem, JobPlan } from "../jobs/job.ts";
import { runInQueue } from "../jobs/run-job.ts";
import type { Batch, Numbered, RowsJob, RowsResult } from "./import-job.ts";
import { type RowsRun, RowsTeller } from "./rows-run.ts";

/** Printed with `--detach`. */
export const jobColumns: readonly Column<{ readonly job: string }>[] = [{ key: "job", kind: "id" }];

/** The queue of a command whose rows may be spread: the flag alone names it. */
export function queueOf(input: CommandInput): string | undefined {
  const url = option(input, "queue");
  if (url !== undefined && optionFlag(input, "resume"))
    throw usageError("--resume cannot be used with a queue.", { next: "Run the same command again without it." });
  if (url === undefined && optionFlag(input, "detach"))
    throw usageError("--detach needs a queue.", { next: "Add --queue redis://host:6379/0." });
  return url;
}

/** The item of a batch: its name, as a queue takes it. */
export const itemOf = <Row extends Numbered>(batch: Batch<Row>, args: object = batch): JobItem => ({
  id: batch.item.replaceAll(" ", "-"),
  args,
});

/** Has workers do the items of a plan. Resolves to their results, or to nothing when the job goes on elsewhere. */
export async function spread(
  ctx: CommandContext,
  input: CommandInput,
  url: string,
  plan: JobPlan<object, object, RowsResult>,
): Promise<{ readonly id: string; readonly results: ReadonlyMap<string, ItemResult> } | undefined> {
  const results = new Map<string, ItemResult>();
  const report = async (all: AsyncIterable<ItemResult>): Promise<void> => {
    for await (const result of all) results.set(result.id, result);
  };
  const { id = "", isEnded } = await runInQueue(ctx, input, { ...plan, report }, url);
  if (isEnded) return { id, results };
  await ctx.out.item({ job: id }, { columns: jobColumns });
  return undefined;
}

/** Tells of rows that workers have sent as of those that this process sends. */
export async function tellResults<Row extends Numbered, Sent extends Batch<Row>, Told extends object>(
  ctx: CommandContext,
  job: RowsJob<Row, Sent, Told>,
  run: RowsRun<Row>,
  results: ReadonlyMap<string, ItemResult>,
): Promise<number> {
  const teller = new RowsTeller(ctx, job, run);
  await teller.open();
  try {
    for await (const batch of job.batches(teller.rows())) {
      const result = results.get(itemOf(batch).id) as ItemResult<RowsResult> | undefined;
      if (result !== undefined && "row" in result) {
        const rows = new Map(batch.rows.map((row) => [row.row, row]));
        for (const { of = rows.keys(), ...outcome } of result.row.outcomes)
          for (const row of of) teller.tell(row, outcome, rows.get(row));
      } else teller.tellAll(batch.rows, { result: "failed", reason: result?.reason ?? "It has no result." });
    }
  } finally {
    teller.close();
  }
  return teller.settle(undefined);
}
