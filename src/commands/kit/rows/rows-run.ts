import { ApiError } from "../../../lib/core/errors.ts";
import { countOf, countText } from "../../../text/count.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, conflictError, stoppedError } from "../failures/command-error.ts";
import { createProgress, type Progress } from "../say/progress.ts";
import type { Journal } from "../state/journal.ts";
import type { Batch, Numbered, Outcome, RowsJob, Tally } from "./import-job.ts";
import { refusedReason, refusedRows, type SentRows } from "./refusal.ts";
import { openReport, type RowReport } from "./report.ts";

/** Failures that are shown one by one. */
export const SHOWN_PROBLEMS = 5;
export const reasonOf = ({ why, message }: CommandError): string => (why ?? message).replace(/\.$/, "");

/** The rows of a run, and how it goes about them. */
export interface RowsRun<Row extends Numbered> {
  readonly total: number;
  rows(onInvalid: (row: number, error: CommandError) => void): AsyncIterable<Row>;
  /** Whether the others go on when one fails. */
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
  partial(tally: Tally): Error;
}

/** Prints the requests of all that an earlier run has not sent, and names the rows that would not be sent. */
export async function planRows<Row extends Numbered, Sent extends Batch<Row>>(
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
  for await (const batch of job.batches(run.rows((row, error) => leave(row, reasonOf(error), undefined)))) {
    if (noteOf(journal, batch.item).sign === "+") continue;
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

/** Sends all rows. The journal notes each batch before and after it is sent. After Ctrl-C the running requests finish. */
export function runRows<Row extends Numbered, Sent extends Batch<Row>, Told extends object>(
  ctx: CommandContext,
  job: RowsJob<Row, Sent, Told>,
  run: RowsRun<Row>,
  journal: Journal,
): Promise<number> {
  return new RowsRunner(ctx, job, run, journal).run();
}

/**
 * The journal's note of a batch: `?` about to be sent, `+` sent (with the id of what was created), `-` rejected, `/`
 * rejected and split into halves. Older versions noted entity rows that were sent without a sign.
 */
export function noteOf(
  journal: Journal,
  item: string,
): { readonly sign?: string; readonly mark?: string; readonly id?: string } {
  const noted = journal.mark(item);
  if (noted === undefined) return {};
  const [, sign, mark = "", id] = /^([?+/-]?)(\S*)(?: (.*))?$/.exec(noted) ?? [];
  return { sign: sign || "+", mark, ...(id ? { id } : {}) };
}

export const tallyOf = (total: number, counts: ReadonlyMap<string, number>): Tally => ({
  total,
  of: (...results) => results.reduce((sum, result) => sum + (counts.get(result) ?? 0), 0),
});

class RowsRunner<Row extends Numbered, Sent extends Batch<Row>, Told extends object> {
  readonly #ctx: CommandContext;
  readonly #job: RowsJob<Row, Sent, Told>;
  readonly #run: RowsRun<Row>;
  readonly #journal: Journal;
  readonly #teller: RowsTeller<Row, Sent, Told>;
  #failure: RowsFailure | undefined;

  constructor(ctx: CommandContext, job: RowsJob<Row, Sent, Told>, run: RowsRun<Row>, journal: Journal) {
    this.#ctx = ctx;
    this.#job = job;
    this.#run = run;
    this.#journal = journal;
    this.#teller = new RowsTeller(ctx, job, run);
  }

  async run(): Promise<number> {
    const { lanes = 1, batches } = this.#job;
    // Opened first: a place that cannot be written to must not be found out when everything has been sent.
    await this.#teller.open();
    const waiting = batches(this.#teller.rows())[Symbol.asyncIterator]();
    try {
      await Promise.all(Array.from({ length: lanes }, () => this.#lane(waiting)));
    } finally {
      await waiting.return?.();
      this.#teller.close();
    }
    return this.#teller.settle(this.#failure, this.#journal);
  }

  /** Sends batches until there are no more, or one fails in a way that the next would meet as well. */
  async #lane(waiting: AsyncIterator<Sent>): Promise<void> {
    while (this.#failure === undefined && !this.#ctx.signal.aborted) {
      try {
        const { done, value } = await waiting.next();
        if (done === true) return;
        await this.#send(value);
      } catch (cause) {
        this.#failure ??= cause instanceof RefusedRows ? { cause: cause.cause, isOfRows: true } : { cause };
      }
    }
  }

  async #send(batch: Sent): Promise<void> {
    const { item, mark, rows } = batch;
    const [first, last] = [rows[0]?.row ?? 0, rows.at(-1)?.row ?? 0];
    const { sign, mark: noted, id } = noteOf(this.#journal, item);
    if (sign !== undefined && sign !== "-" && noted !== mark) throw changedFile(first);
    if (sign === "+")
      return this.#teller.tellAll(rows, { result: this.#job.before, ...(id === undefined ? {} : { id }) });
    if (sign === "/") return this.#sendHalves(batch);
    let isSent = false;
    try {
      const ready = await this.#job.prepare(batch, sign === "?");
      if (typeof ready === "function") {
        this.#journal.add(item, `?${mark}`);
        isSent = true;
      }
      const outcome = typeof ready === "function" ? await ready() : ready;
      this.#journal.add(item, outcome.id === undefined ? `+${mark}` : `+${mark} ${outcome.id}`);
      this.#teller.tellAll(rows, outcome);
    } catch (error) {
      if (!isAboutRows(error, isSent, this.#job.split === undefined)) throw error;
      const isSplit = this.#run.isTolerant && rows.length > 1;
      if (isSent) this.#journal.add(item, `${isSplit ? "/" : "-"}${mark}`);
      if (!this.#run.isTolerant) {
        const named = this.#run.file && refusedRows(error, rows, this.#run.file);
        if (named !== undefined) throw new RefusedRows(named);
        const which = first === last ? `row ${first}` : `rows ${first} to ${last}`;
        this.#ctx.say.warning(`The platform rejected ${which}; --skip-invalid skips bad rows and sends the others.`);
        throw new RefusedRows(error);
      }
      if (isSplit) await this.#sendHalves(batch);
      else this.#teller.tellAll(rows, { result: "failed", reason: refusedReason(error, this.#run.file?.columnOf) });
    }
  }

  async #sendHalves(batch: Sent): Promise<void> {
    for (const half of this.#job.split?.(batch) ?? []) if (!this.#ctx.signal.aborted) await this.#send(half);
  }
}

/** What ended a run. */
interface RowsFailure {
  readonly cause: unknown;
  /** The platform refused rows: the same rows would be refused again. */
  readonly isOfRows?: true;
}

/** Carries the refusal of rows out of a batch. */
class RefusedRows extends Error {
  override readonly name = "RefusedRows";

  constructor(cause: unknown) {
    super("The platform refused rows.", { cause });
  }
}

/**
 * The platform refuses these rows; others may be fine. A token, a limit or the network would stop the next one too.
 *
 * @param isAlone each row is a request of its own: what is looked up before is about it too, and what it does not find
 */
export function isAboutRows(error: unknown, isSent: boolean, isAlone: boolean): boolean {
  if (error instanceof CommandError) return isAlone && [2, 3, 6, 7].includes(error.exit);
  if (!(error instanceof ApiError) || /exceeded/i.test(error.message)) return false;
  return isAlone
    ? [400, 404, 409, 413, 422].includes(error.status)
    : isSent && [400, 409, 413, 422].includes(error.status);
}

/** Counts, reports and shows what became of the rows of a run. */
export class RowsTeller<Row extends Numbered, Sent extends Batch<Row>, Told extends object> {
  readonly #ctx: CommandContext;
  readonly #job: RowsJob<Row, Sent, Told>;
  readonly #run: RowsRun<Row>;
  readonly #counts = new Map<string, number>();
  readonly #tally: Tally;
  readonly #progress: Progress;
  #report: RowReport<Told> | undefined;
  #handled = 0;

  constructor(ctx: CommandContext, job: RowsJob<Row, Sent, Told>, run: RowsRun<Row>) {
    this.#ctx = ctx;
    this.#job = job;
    this.#run = run;
    this.#tally = tallyOf(run.total, this.#counts);
    this.#progress = createProgress(ctx, [run.doing, job.unit[1]]);
  }

  async open(): Promise<void> {
    this.#report = await openReport<Told>(this.#ctx, this.#run.report, this.#job.report);
  }

  close(): void {
    this.#progress.end();
    this.#report?.close();
  }

  /** The rows that can be sent; the others are told of. */
  rows(): AsyncIterable<Row> {
    return this.#run.rows((row, error) => this.tell(row, { result: "invalid", reason: reasonOf(error) }, undefined));
  }

  tellAll(rows: readonly Row[], outcome: Outcome): void {
    for (const row of rows) this.tell(row.row, outcome, row);
  }

  tell(row: number, outcome: Outcome, read: Row | undefined): void {
    const { result, reason } = outcome;
    this.#counts.set(result, this.#tally.of(result) + 1);
    this.#handled += 1;
    this.#report?.add(this.#job.tell(row, outcome, read));
    this.#progress.at(this.#handled, this.#tally.total);
    const isShown = this.#run.report === undefined && this.#tally.of("failed", "invalid") <= SHOWN_PROBLEMS;
    if (isShown && (result === "failed" || result === "invalid"))
      this.#ctx.say.warning(`${this.#run.title(row, read)}: ${reason}`);
  }

  /** How the run ended. @param journal of the run, if it has one */
  async settle(failure: RowsFailure | undefined, journal?: Journal): Promise<number> {
    const { unit, print, said, verify } = this.#job;
    const { total } = this.#tally;
    const bad = this.#tally.of("failed", "invalid");
    const isStopped = failure !== undefined || this.#handled < total;
    // Where nothing was sent of rows that are refused, there is nothing to continue.
    if (isStopped && (failure?.isOfRows !== true || this.#handled > 0)) {
      const [says, flags] =
        failure?.isOfRows === true ? ["Stopped", "--resume --skip-invalid"] : ["Interrupted", "--resume"];
      const next = this.#run.canResume ? `; run the same command with ${flags} to continue` : "";
      this.#ctx.say.warning(`${says} after ${countText(this.#handled)} of ${countOf(total, ...unit)}${next}.`);
    }
    if (!isStopped || this.#handled > bad) {
      await print(this.#tally);
      await this.#ctx.done(said(this.#tally));
    }
    if (failure !== undefined) throw failure.cause;
    if (isStopped) throw stoppedError("Stopped.");
    const difference = journal === undefined ? undefined : await verify?.(journal);
    if (bad === 0) journal?.finish();
    if (bad === 0 && difference === undefined) return 0;
    if (bad === 0) throw difference;
    throw this.#run.partial(this.#tally);
  }
}

function changedFile(row: number): Error {
  return conflictError("The file has changed since the interrupted import started.", {
    code: "input.changed",
    why: `Row ${row} or a later one is different.`,
    next: "Restore the original file, or start again without --resume once you know what was sent.",
  });
}
