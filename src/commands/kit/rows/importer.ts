import { ApiError } from "../../../lib/core/errors.ts";
import { countOf, countText } from "../../../text/count.ts";
import { option } from "../command/arguments.ts";
import type { CommandInput } from "../command/define.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, conflictError, inputError, stoppedError } from "../failures/command-error.ts";
import { messageOf } from "../resource/batch.ts";
import { createProgress, type Progress } from "../say/progress.ts";
import { type Journal, withJournal } from "../state/journal.ts";
import { isTolerant } from "./import-flags.ts";
import type { Batch, ImportJob, Numbered, Outcome, Tally } from "./import-job.ts";
import { openReport, type RowReport } from "./report.ts";

/**
 * Imports a file. Every row is checked before the first one is sent, and the journal notes each batch before and after
 * it is sent, so `--resume` sends nothing twice. A bad row ends the import, or is skipped with `--report` or
 * `--skip-invalid` (exit 8). After Ctrl-C the running requests finish.
 */
export async function importRows<Row extends Numbered, Sent extends Batch<Row>, Told extends object>(
  ctx: CommandContext,
  input: CommandInput,
  job: ImportJob<Row, Sent, Told>,
): Promise<number> {
  const { file, unit, key } = job;
  const total = await checkAll(ctx, job, isTolerant(input));
  if (total === 0) throw inputError(`${quote(file.place)} contains no ${unit[1]}.`, { next: "Nothing was sent." });
  const what = `import of ${quote(file.place)}`;
  const repeats = `Send ${unit[1]} again that an interrupted ${what} has already sent (--resume continues it instead)`;
  const run = { key, content: await file.content(job.flags), what, ...(job.repeats === true && { repeats }) };
  return withJournal(ctx, input, run, async (journal) => {
    if (journal.isDone) {
      await job.print(tallyOf(total, new Map([[job.before, total]])));
      return 0;
    }
    await job.begin?.(journal, () => validRows(job, () => undefined));
    if (ctx.flags.dryRun) return planAll(ctx, job, journal);
    return new ImportRun(ctx, input, job, journal, total).run();
  });
}

/** The rows that can be sent. */
async function* validRows<Row extends Numbered>(
  { file, read }: Pick<ImportJob<Row, Batch<Row>, object>, "file" | "read">,
  onInvalid: (row: number, error: CommandError) => void,
): AsyncGenerator<Row, void, undefined> {
  for await (const row of file.rows()) {
    let found: Row;
    try {
      if (row.problem !== undefined) throw row.problem;
      found = await read(row);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      onInvalid(row.row, error);
      continue;
    }
    yield found;
  }
}

const SHOWN_PROBLEMS = 5;
const reasonOf = ({ why, message }: CommandError): string => (why ?? message).replace(/\.$/, "");

/** Reads all of the file before anything is sent. */
async function checkAll<Row extends Numbered>(
  ctx: CommandContext,
  job: Pick<ImportJob<Row, Batch<Row>, object>, "file" | "read" | "unit">,
  mayBeInvalid: boolean,
): Promise<number> {
  const progress = createProgress(ctx, ["Checking", job.unit[1]]);
  const problems: { readonly row: number; readonly error: CommandError }[] = [];
  let valid = 0;
  let invalid = 0;
  try {
    const rows = validRows(job, (row, error) => {
      invalid += 1;
      if (problems.length < SHOWN_PROBLEMS) problems.push({ row, error });
    });
    for await (const _ of rows) {
      valid += 1;
      progress.at(valid + invalid);
      if (ctx.signal.aborted) throw stoppedError();
    }
  } finally {
    progress.end();
  }
  const total = valid + invalid;
  const [first] = problems;
  if (first === undefined || mayBeInvalid) return total;
  if (invalid === 1) throw first.error;
  const shown = problems.map(({ row, error }) => `row ${row}: ${reasonOf(error)}`).join("; ");
  const { code, exit } = first.error;
  throw new CommandError(`${countText(invalid)} of ${countOf(total, "row")} of ${quote(job.file.place)} are invalid.`, {
    code,
    exit,
    row: first.row,
    why: `${shown}${invalid > problems.length ? "; and more" : ""}.`,
    next: "Fix the file, rename columns with --map, or skip invalid rows with --skip-invalid. Nothing was sent.",
  });
}

async function planAll<Row extends Numbered, Sent extends Batch<Row>>(
  ctx: CommandContext,
  job: Pick<ImportJob<Row, Sent, object>, "file" | "read" | "batches" | "requests">,
  journal: Journal,
): Promise<number> {
  for await (const batch of job.batches(validRows(job, () => undefined))) {
    if (noteOf(journal, batch.item).sign === "+") continue;
    await ctx.dryRun(await job.requests(batch));
  }
  return 0;
}

/**
 * The journal's note of a batch: `?` about to be sent, `+` sent (with the id of what was created), `-` rejected, `/`
 * rejected and split into halves. Older versions noted entity rows that were sent without a sign.
 */
function noteOf(
  journal: Journal,
  item: string,
): { readonly sign?: string; readonly mark?: string; readonly id?: string } {
  const noted = journal.mark(item);
  if (noted === undefined) return {};
  const [, sign, mark = "", id] = /^([?+/-]?)(\S*)(?: (.*))?$/.exec(noted) ?? [];
  return { sign: sign || "+", mark, ...(id ? { id } : {}) };
}

const tallyOf = (total: number, counts: ReadonlyMap<string, number>): Tally => ({
  total,
  of: (...results) => results.reduce((sum, result) => sum + (counts.get(result) ?? 0), 0),
});

class ImportRun<Row extends Numbered, Sent extends Batch<Row>, Told extends object> {
  readonly #ctx: CommandContext;
  readonly #job: ImportJob<Row, Sent, Told>;
  readonly #journal: Journal;
  readonly #isTolerant: boolean;
  readonly #reportPlace: string | undefined;
  readonly #counts = new Map<string, number>();
  readonly #tally: Tally;
  readonly #progress: Progress;
  #report: RowReport<Told> | undefined;
  #handled = 0;
  #failure: { readonly cause: unknown } | undefined;

  constructor(
    ctx: CommandContext,
    input: CommandInput,
    job: ImportJob<Row, Sent, Told>,
    journal: Journal,
    total: number,
  ) {
    this.#ctx = ctx;
    this.#job = job;
    this.#journal = journal;
    this.#isTolerant = isTolerant(input);
    this.#reportPlace = option(input, "report");
    this.#tally = tallyOf(total, this.#counts);
    this.#progress = createProgress(ctx, ["Importing", job.unit[1]]);
  }

  async run(): Promise<number> {
    const { lanes = 1, batches } = this.#job;
    // Opened first: a place that cannot be written to must not be found out when everything has been sent.
    this.#report = await openReport<Told>(this.#ctx, this.#reportPlace, this.#job.report);
    const rows = validRows(this.#job, (row, error) =>
      this.#tell(row, { result: "invalid", reason: reasonOf(error) }, undefined),
    );
    const waiting = batches(rows)[Symbol.asyncIterator]();
    try {
      await Promise.all(Array.from({ length: lanes }, () => this.#lane(waiting)));
    } finally {
      await waiting.return?.();
      this.#progress.end();
      this.#report.close();
    }
    return this.#settle();
  }

  /** Sends batches until there are no more, or one fails in a way that the next would meet as well. */
  async #lane(waiting: AsyncIterator<Sent>): Promise<void> {
    while (this.#failure === undefined && !this.#ctx.signal.aborted) {
      try {
        const { done, value } = await waiting.next();
        if (done === true) return;
        await this.#send(value);
      } catch (cause) {
        this.#failure ??= { cause };
      }
    }
  }

  async #send(batch: Sent): Promise<void> {
    const { item, mark, rows } = batch;
    const [first, last] = [rows[0]?.row ?? 0, rows.at(-1)?.row ?? 0];
    const { sign, mark: noted, id } = noteOf(this.#journal, item);
    if (sign !== undefined && sign !== "-" && noted !== mark) throw changedFile(first);
    if (sign === "+") return this.#tellAll(rows, { result: this.#job.before, ...(id === undefined ? {} : { id }) });
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
      this.#tellAll(rows, outcome);
    } catch (error) {
      if (!this.#isAboutRows(error, isSent)) throw error;
      const isSplit = this.#isTolerant && rows.length > 1;
      if (isSent) this.#journal.add(item, `${isSplit ? "/" : "-"}${mark}`);
      if (!this.#isTolerant) {
        const which = first === last ? `row ${first}` : `rows ${first} to ${last}`;
        this.#ctx.say.warning(`The platform rejected ${which}; --skip-invalid skips bad rows and sends the others.`);
        throw error;
      }
      if (isSplit) await this.#sendHalves(batch);
      else this.#tellAll(rows, { result: "failed", reason: messageOf(error) });
    }
  }

  async #sendHalves(batch: Sent): Promise<void> {
    for (const half of this.#job.split?.(batch) ?? []) if (!this.#ctx.signal.aborted) await this.#send(half);
  }

  /** The platform refuses these rows; others may be fine. A token, a limit or the network would stop the next one too. */
  #isAboutRows(error: unknown, isSent: boolean): boolean {
    // Where each row is a request of its own, what is looked up before is about it too, and what it does not find.
    const isAlone = this.#job.split === undefined;
    if (error instanceof CommandError) return isAlone && [2, 3, 6, 7].includes(error.exit);
    if (!(error instanceof ApiError) || /exceeded/i.test(error.message)) return false;
    return isAlone
      ? [400, 404, 409, 413, 422].includes(error.status)
      : isSent && [400, 409, 413, 422].includes(error.status);
  }

  #tellAll(rows: readonly Row[], outcome: Outcome): void {
    for (const row of rows) this.#tell(row.row, outcome, row);
  }

  #tell(row: number, outcome: Outcome, read: Row | undefined): void {
    const { result, reason } = outcome;
    this.#counts.set(result, this.#tally.of(result) + 1);
    this.#handled += 1;
    this.#report?.add(this.#job.tell(row, outcome, read));
    this.#progress.at(this.#handled, this.#tally.total);
    const isShown = this.#reportPlace === undefined && this.#tally.of("failed", "invalid") <= SHOWN_PROBLEMS;
    if (isShown && (result === "failed" || result === "invalid")) this.#ctx.say.warning(`Row ${row}: ${reason}`);
  }

  async #settle(): Promise<number> {
    const { file, unit, print, said, verify } = this.#job;
    const { total } = this.#tally;
    const bad = this.#tally.of("failed", "invalid");
    const isStopped = this.#failure !== undefined || this.#handled < total;
    if (isStopped) {
      const next = file.isCopy ? "" : "; run the same command with --resume to continue";
      this.#ctx.say.warning(`Interrupted after ${countText(this.#handled)} of ${countOf(total, ...unit)}${next}.`);
    }
    if (!isStopped || this.#handled > bad) {
      await print(this.#tally);
      await this.#ctx.done(said(this.#tally));
    }
    if (this.#failure !== undefined) throw this.#failure.cause;
    if (isStopped) throw stoppedError("Stopped.");
    const difference = await verify?.(this.#journal);
    if (bad === 0) this.#journal.finish();
    if (bad === 0 && difference === undefined) return 0;
    if (bad === 0) throw difference;
    const [failed, invalid] = [this.#tally.of("failed"), this.#tally.of("invalid")];
    throw new CommandError(`${countText(bad)} of ${countOf(total, "row")} were not sent.`, {
      code: "batch.partial",
      exit: 8,
      why: `Invalid: ${countOf(invalid, "row")}; rejected by the platform: ${countText(failed)}.`,
      next:
        this.#reportPlace === undefined
          ? "Fix the rows and import those; --report FILE lists each with its reason."
          : `Fix the rows listed in ${this.#reportPlace} and import those.`,
    });
  }
}

function changedFile(row: number): Error {
  return conflictError("The file has changed since the interrupted import started.", {
    code: "input.changed",
    why: `Row ${row} or a later one is different.`,
    next: "Restore the original file, or start again without --resume once you know what was sent.",
  });
}
