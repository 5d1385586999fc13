import { countOf, countText } from "../../../text/count.ts";
import type { CommandContext } from "../context.ts";
import { type CommandError, conflictError, stoppedError } from "../failures/command-error.ts";
import type { ItemResult, JobItem } from "../jobs/job.ts";
import { doneRow, type RunEnd, runItems } from "../jobs/run-items.ts";
import { createProgress, type Progress } from "../say/progress.ts";
import type { Journal } from "../state/journal.ts";
import type { BatchOutcome, Numbered, OutcomeCounts, RowBatch, RowOutcome, RowsJob, RowsResult } from "./import-job.ts";
import { refusedReason, refusedRows, type SentRows } from "./refusal.ts";
import { openReport, type RowReport } from "./report.ts";
import { isAboutRows, itemOf, RefusedRows, SHOWN_PROBLEMS, sendRows } from "./send-rows.ts";

export const rowReason = ({ why, message }: CommandError): string => (why ?? message).replace(/\.$/, "");

/** The rows of a run, and how it goes about them. */
export interface RowsRun<Row extends Numbered> {
  readonly total: number;
  rows(onInvalid: (row: number, error: CommandError) => void): AsyncIterable<Row>;
  /** Whether the others continue when one fails. */
  readonly isTolerant: boolean;
  /** Whether `--resume` can continue it. */
  readonly canResume: boolean;
  /** The file of `--report`. */
  readonly report: string | undefined;
  /** For the progress line: `Importing`. */
  readonly doing: string;
  /** How a warning names a row: `Row 5`. */
  title(row: number, read: Row | undefined): string;
  /** The file, where the rows come from one. */
  readonly file?: SentRows;
  /** The failure of a run in which some rows failed. */
  partial(tally: OutcomeCounts): Error;
}

/** Prints the requests of all that an earlier run has not sent, and names the rows that would not be sent. */
export async function planRows<Row extends Numbered, Sent extends RowBatch<Row>>(
  ctx: CommandContext,
  job: Pick<RowsJob<Row, Sent, object>, "batches" | "requests" | "split" | "unit">,
  run: Pick<RowsRun<Row>, "rows" | "title" | "total" | "isTolerant">,
  journal: Journal,
): Promise<number> {
  let left = 0;
  const leave = (row: number, reason: string, read: Row | undefined): void => {
    left += 1;
    if (left <= SHOWN_PROBLEMS) ctx.say.warning(`${run.title(row, read)}: ${reason}`);
  };
  for await (const batch of job.batches(run.rows((row, error) => leave(row, rowReason(error), undefined)))) {
    if (doneRow(journal, itemOf(batch).id) !== undefined) continue;
    try {
      await ctx.dryRun(await job.requests(batch));
    } catch (error) {
      if (!run.isTolerant || !isAboutRows(error, false, job.split === undefined)) throw error;
      for (const row of batch.rows) leave(row.row, refusedReason(error), row);
    }
  }
  if (left === 0) return 0;
  // Not thrown: what was printed is whole.
  ctx.say.warning(`${countText(left)} of ${countOf(run.total, ...job.unit)} would not be sent.`);
  return 8;
}

/** Sends all rows in this process. */
export async function runRows<Row extends Numbered, Sent extends RowBatch<Row>, ReportRow extends object>(
  ctx: CommandContext,
  job: RowsJob<Row, Sent, ReportRow>,
  run: RowsRun<Row>,
  journal: Journal,
): Promise<number> {
  const { isTolerant, file } = run;
  const reporter = new RowReporter(ctx, job, run);
  // Opened first: a path that is not writable must fail before anything is sent.
  await reporter.open();
  const end = await runItems<Sent, RowsResult>(ctx, journal, {
    phases: () => [itemsOf(job.batches(reporter.rows()))],
    lanes: job.lanes ?? 1,
    run: ({ args }, notes) =>
      sendRows({ sender: job, notes, signal: ctx.signal, isTolerant, ...(file && { columnOf: file.columnOf }) }, args),
    ended: ({ args }, result, isBefore) => reporter.tellBatch(args, result, isBefore),
    isFatal: (error) => !isTolerant || !(error instanceof RefusedRows),
    isWhole: ({ refused }) => refused === 0,
    changed: ({ args }) => changedFile(args.rows[0]?.row ?? 0),
  });
  reporter.close();
  return reporter.conclude(end.stop, journal);
}

async function* itemsOf<Row extends Numbered, Sent extends RowBatch<Row>>(
  batches: AsyncIterable<Sent>,
): AsyncGenerator<JobItem<Sent>, void, undefined> {
  for await (const batch of batches) yield itemOf<Row, Sent>(batch);
}

export const tallyOf = (total: number, counts: ReadonlyMap<string, number>): OutcomeCounts => ({
  total,
  of: (...results) => results.reduce((sum, result) => sum + (counts.get(result) ?? 0), 0),
});

/** Counts, reports and shows what became of the rows of a run. */
export class RowReporter<Row extends Numbered, Sent extends RowBatch<Row>, ReportRow extends object> {
  readonly #ctx: CommandContext;
  readonly #job: RowsJob<Row, Sent, ReportRow>;
  readonly #run: RowsRun<Row>;
  readonly #counts = new Map<string, number>();
  readonly #tally: OutcomeCounts;
  readonly #progress: Progress;
  #report: RowReport<ReportRow> | undefined;
  #handled = 0;

  constructor(ctx: CommandContext, job: RowsJob<Row, Sent, ReportRow>, run: RowsRun<Row>) {
    this.#ctx = ctx;
    this.#job = job;
    this.#run = run;
    this.#tally = tallyOf(run.total, this.#counts);
    this.#progress = createProgress(ctx, [run.doing, job.unit[1]]);
  }

  async open(): Promise<void> {
    this.#report = await openReport<ReportRow>(this.#ctx, this.#run.report, this.#job.report);
  }

  close(): void {
    this.#progress.end();
    this.#report?.close();
  }

  /** The rows that can be sent; the others are reported. */
  rows(): AsyncIterable<Row> {
    return this.#run.rows((row, error) => this.tell(row, { result: "invalid", reason: rowReason(error) }, undefined));
  }

  /** Reports the outcome of the rows of a batch. @param isBefore an earlier run has sent it */
  tellBatch(batch: Sent, result: ItemResult<RowsResult>, isBefore = false): void {
    const rows = new Map(batch.rows.map((row) => [row.row, row]));
    const outcomes: readonly BatchOutcome[] =
      "row" in result ? result.row.outcomes : [{ result: "failed", reason: result.reason }];
    for (const { of, ...outcome } of outcomes)
      for (const row of of ?? rows.keys()) this.tell(row, isBefore ? this.#earlier(outcome) : outcome, rows.get(row));
  }

  #earlier(outcome: RowOutcome): RowOutcome {
    const { result, id } = outcome;
    if (result === "failed") return outcome;
    return { result: this.#job.before, ...(id === undefined ? {} : { id }) };
  }

  tell(row: number, outcome: RowOutcome, read: Row | undefined): void {
    const { result, reason } = outcome;
    this.#counts.set(result, this.#tally.of(result) + 1);
    this.#handled += 1;
    this.#report?.add(this.#job.tell(row, outcome, read));
    this.#progress.at(this.#handled, this.#tally.total);
    const isShown = this.#run.report === undefined && this.#tally.of("failed", "invalid") <= SHOWN_PROBLEMS;
    if (isShown && (result === "failed" || result === "invalid"))
      this.#ctx.say.warning(`${this.#run.title(row, read)}: ${reason}`);
  }

  /** Ends the run. @param journal of the run, if it has one */
  async conclude(stop: RunEnd["stop"], journal?: Journal): Promise<number> {
    const { print, said, verify } = this.#job;
    const { total } = this.#tally;
    const bad = this.#tally.of("failed", "invalid");
    const failure = stop?.cause;
    const isStopped = failure !== undefined || this.#handled < total;
    if (isStopped) this.#sayStopped(failure);
    if (!isStopped || this.#handled > bad) {
      await print(this.#tally);
      // Where an earlier run has done all, that has been said.
      if (this.#tally.of(this.#job.before) < total) await this.#ctx.done(said(this.#tally));
    }
    if (failure !== undefined) throw this.#inWordsOfFile(failure);
    if (isStopped) throw stoppedError("Stopped.");
    const difference = journal === undefined ? undefined : await verify?.(journal);
    if (bad === 0) journal?.finish();
    if (bad === 0 && difference === undefined) return 0;
    if (bad === 0) throw difference;
    throw this.#run.partial(this.#tally);
  }

  #sayStopped(cause: Error | undefined): void {
    const { say } = this.#ctx;
    const isOfRows = cause instanceof RefusedRows;
    if (isOfRows && this.#inWordsOfFile(cause) === cause.cause)
      say.warning(`The platform rejected ${rowsText(cause.rows)}; --skip-invalid skips bad rows and sends the others.`);
    // Where nothing was sent of rows that are rejected, there is nothing to continue.
    if (isOfRows && this.#handled === 0) return;
    const [says, flags] = isOfRows ? ["Stopped", "--resume --skip-invalid"] : ["Interrupted", "--resume"];
    const next = this.#run.canResume ? `; run the same command with ${flags} to continue` : "";
    const total = countOf(this.#tally.total, ...this.#job.unit);
    say.warning(`${says} after ${countText(this.#handled)} of ${total}${next}.`);
  }

  /** A rejection of rows names them and their columns, where the platform does. */
  #inWordsOfFile(cause: Error): Error {
    if (!(cause instanceof RefusedRows)) return cause;
    const { file } = this.#run;
    return (file && refusedRows(cause.cause, cause.rows, file)) ?? cause.cause;
  }
}

function rowsText(rows: readonly Numbered[]): string {
  const [first, last] = [rows[0]?.row ?? 0, rows.at(-1)?.row ?? 0];
  return first === last ? `row ${first}` : `rows ${first} to ${last}`;
}

function changedFile(row: number): Error {
  return conflictError("The file has changed since the interrupted import started.", {
    code: "input.changed",
    why: `Row ${row} or a later one is different.`,
    next: "Restore the original file, or start again without --resume once you know what was sent.",
  });
}
