import type { Column } from "../command/columns.ts";
import type { CommandContext } from "../context.ts";
import { isObject } from "../files/files.ts";
import type { ItemResult, JobInput, JobPlan } from "../jobs/job.ts";
import { badResult } from "../jobs/queue/job-state.ts";
import { runInQueue } from "../jobs/run-job.ts";
import type { BatchOutcome, Numbered, RowBatch, RowsJob, RowsResult } from "./import-job.ts";
import { RowReporter, type RowsRun } from "./rows-run.ts";
import { itemOf } from "./send-rows.ts";

/** Printed with `--detach`. */
export const queuedColumns: readonly Column<{ readonly job: string }>[] = [{ key: "job", kind: "id" }];

/** What workers have done of a plan. */
export interface SpreadEnd {
  /** Id of the job. */
  readonly id: string;
  readonly results: ReadonlyMap<string, ItemResult>;
  /** Whether all of it was done before this run. */
  readonly isBefore: boolean;
}

/** Has workers do the items of a plan. Resolves to their results, or to nothing when the job goes on elsewhere. */
export async function spread(
  ctx: CommandContext,
  input: JobInput,
  url: string,
  plan: JobPlan<object, object, RowsResult>,
): Promise<SpreadEnd | undefined> {
  const results = new Map<string, ItemResult>();
  const report = async (all: AsyncIterable<ItemResult>): Promise<void> => {
    for await (const result of all) results.set(result.id, result);
  };
  const { id = "", isEnded, isBefore = false } = await runInQueue(ctx, input, { ...plan, report }, url);
  if (isEnded) return { id, results, isBefore };
  await ctx.out.item({ job: id }, { columns: queuedColumns });
  return undefined;
}

/** Reports rows that workers have sent like those that this process sends. */
export async function tellResults<Row extends Numbered, Sent extends RowBatch<Row>, ReportRow extends object>(
  ctx: CommandContext,
  job: RowsJob<Row, Sent, ReportRow>,
  run: RowsRun<Row>,
  { results, isBefore }: Pick<SpreadEnd, "results" | "isBefore">,
): Promise<number> {
  const reporter = new RowReporter(ctx, job, run);
  await reporter.open();
  try {
    for await (const batch of job.batches(reporter.rows())) {
      const { id } = itemOf<Row, Sent>(batch);
      const result = (results.get(id) as ItemResult<RowsResult> | undefined) ?? noResult(id);
      if ("row" in result && !isOfRows(result.row, batch.rows)) throw badResult(batch.item);
      reporter.tellBatch(batch, result, isBefore);
    }
  } finally {
    reporter.close();
  }
  return reporter.conclude(undefined);
}

/**
 * Whether a result covers each row once: it comes from the queue, where anyone with write access may have changed it.
 */
function isOfRows({ outcomes }: { readonly outcomes?: unknown }, rows: readonly Numbered[]): boolean {
  if (!Array.isArray(outcomes) || !outcomes.every(isOutcome)) return false;
  const told = outcomes.flatMap(({ of }) => of ?? rows.map(({ row }) => row));
  const left = new Set(told);
  return told.length === rows.length && left.size === rows.length && rows.every(({ row }) => left.has(row));
}

function isOutcome(value: unknown): value is BatchOutcome {
  if (!isObject(value) || typeof value["result"] !== "string" || !/^[a-z ]+$/.test(value["result"])) return false;
  const isText = [value["reason"], value["id"]].every((each) => each === undefined || typeof each === "string");
  return isText && (value["of"] === undefined || Array.isArray(value["of"]));
}

const noResult = (id: string): ItemResult<RowsResult> => ({ id, reason: "It has no result." });
