import { countOf, countText } from "../../../text/count.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { CommandError, inputError, stoppedError, usageError } from "../failures/command-error.ts";
import { partialError } from "../jobs/ending.ts";
import type { JobInput } from "../jobs/job.ts";
import { createProgress } from "../say/progress.ts";
import { noJournal, withJournal } from "../state/journal.ts";
import { type ImportInput, isTolerant } from "./import-flags.ts";
import type { ImportJob, Numbered, OutcomeCounts, RepeatedRows, RowBatch, SpreadRows } from "./import-job.ts";
import { LeftOutColumns } from "./left-out.ts";
import type { FileRow } from "./reader.ts";
import { planRows, type RowsRun, rowReason, runRows, tallyOf } from "./rows-run.ts";
import { itemOf, SHOWN_PROBLEMS } from "./send-rows.ts";
import { spread, tellResults } from "./spread.ts";

/**
 * Imports a file. Every row is checked before the first one is sent, and the journal notes each batch before and after
 * it is sent, so `--resume` sends nothing twice. A bad row ends the import, or is skipped with `--report` or
 * `--skip-invalid` (exit 8). After Ctrl-C the running requests finish.
 */
export async function importRows<Row extends Numbered, Sent extends RowBatch<Row>, ReportRow extends object>(
  ctx: CommandContext,
  input: ImportInput & JobInput,
  job: ImportJob<Row, Sent, ReportRow>,
): Promise<number> {
  const { file, unit, key } = job;
  const total = await checkAll(ctx, job, isTolerant(input));
  if (total === 0) throw inputError(`${quote(file.place)} contains no ${unit[1]}.`, { next: "Nothing was sent." });
  const what = `import of ${quote(file.place)}`;
  const url = input.options.queue;
  if (url !== undefined && job.spread !== undefined && !ctx.flags.dryRun)
    return spreadImport(ctx, input, url, job, job.spread, rowsRun(input, job, total));
  const repeats = `Send ${unit[1]} again that an interrupted ${what} has already sent (--resume continues it instead)`;
  const content = await file.content(job.flags);
  const run = { key, content, what, ...(job.repeats === true && { repeats }) };
  return withJournal(ctx, input, run, async (journal) => {
    if (journal.isDone) {
      await job.print(tallyOf(total, new Map([[job.before, total]])));
      return 0;
    }
    await job.begin?.(journal, () => validRows(job), total);
    if (ctx.flags.dryRun) return planRows(ctx, job, rowsRun(input, job, total), journal);
    return runRows(ctx, job, rowsRun(input, job, total), journal);
  });
}

function rowsRun<Row extends Numbered>(
  input: ImportInput,
  job: Pick<ImportJob<Row, RowBatch<Row>, object>, "file" | "read" | "columnOf">,
  total: number,
): RowsRun<Row> {
  const report = input.options.report;
  return {
    total,
    rows: (onInvalid) => validRows(job, onInvalid),
    isTolerant: isTolerant(input),
    canResume: !job.file.isCopy,
    report,
    doing: "Importing",
    title: (row) => `Row ${row}`,
    file: { place: job.file.place, columnOf: (field) => job.columnOf?.(field) ?? field },
    partial: (tally) => partlySent(tally, report),
  };
}

/** Imports a file by workers. Only the rows that the platform rejects are not sent. */
async function spreadImport<Row extends Numbered, Sent extends RowBatch<Row>, ReportRow extends object>(
  ctx: CommandContext,
  input: ImportInput & JobInput,
  url: string,
  job: ImportJob<Row, Sent, ReportRow>,
  { kind, shared, pack }: SpreadRows<Sent>,
  run: RowsRun<Row>,
): Promise<number> {
  const { file, key, flags, unit } = job;
  const what = `import of ${quote(file.place)}`;
  const content = await file.content(flags);
  if (content === undefined)
    throw usageError("--queue needs a file.", {
      why: "The same file is the same job; stdin cannot be read twice.",
      next: "Add a file with --input.",
    });
  const ended = await spread(ctx, input, url, {
    kind,
    key: [...key, content, shared],
    what,
    folder: "",
    async begin(wasLost) {
      await job.begin?.(noJournal(), () => validRows(job), run.total);
      if (!wasLost) return shared;
      ctx.say.warning(
        `An earlier run put this ${what} into a queue that does not have it now: ${unit[1]} that arrived are looked up and not sent again; --again sends all.`,
      );
      return { ...shared, isRepeated: true } satisfies RepeatedRows;
    },
    async *items() {
      for await (const batch of job.batches(validRows(job))) {
        const { id, args } = itemOf<Row, Sent>(batch);
        yield { id, args: pack?.(batch) ?? args };
      }
    },
  });
  return ended === undefined ? 0 : tellResults(ctx, job, run, ended);
}

/** The rows that can be sent. */
async function* validRows<Row extends Numbered>(
  { file, read }: Pick<ImportJob<Row, RowBatch<Row>, object>, "file" | "read">,
  onInvalid: (row: number, error: CommandError) => void = () => undefined,
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

/** Reads all of the file before anything is sent. */
async function checkAll<Row extends Numbered>(
  ctx: CommandContext,
  job: Pick<ImportJob<Row, RowBatch<Row>, object>, "file" | "read" | "unit" | "isRead">,
  mayBeInvalid: boolean,
): Promise<number> {
  const progress = createProgress(ctx, ["Checking", job.unit[1]]);
  const problems: { readonly row: number; readonly error: CommandError }[] = [];
  const leftOut = new LeftOutColumns(job.isRead);
  const read = (row: FileRow): Row | Promise<Row> => {
    leftOut.note(row);
    return job.read(row);
  };
  let valid = 0;
  let invalid = 0;
  try {
    const rows = validRows({ file: job.file, read }, (row, error) => {
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
  leftOut.tell(ctx);
  const total = valid + invalid;
  if (invalid > 0 && !mayBeInvalid) throw badRows({ place: job.file.place, total, invalid, problems });
  return total;
}

interface BadRows {
  readonly place: string;
  readonly total: number;
  readonly invalid: number;
  /** The first ones. */
  readonly problems: readonly { readonly row: number; readonly error: CommandError }[];
}

function badRows({ place, total, invalid, problems }: BadRows): Error {
  const [first] = problems;
  if (first === undefined) return inputError(`${quote(place)} has bad rows.`);
  if (invalid === 1) return first.error;
  const shown = problems.map(({ row, error }) => `row ${row}: ${rowReason(error)}`).join("; ");
  const { code, exit, column } = first.error;
  return new CommandError(`${countText(invalid)} of ${countOf(total, "row")} of ${quote(place)} are invalid.`, {
    code,
    exit,
    row: first.row,
    ...(column === undefined ? {} : { column }),
    why: `${shown}${invalid > problems.length ? "; and more" : ""}.`,
    next: "Fix the file, rename columns with --map, or skip invalid rows with --skip-invalid. Nothing was sent.",
  });
}

/** Looks at every row with what the platform was asked about all of them, before the first is sent. */
export async function requireRows<Row extends Numbered>(
  place: string,
  rows: AsyncIterable<Row>,
  check: (row: Row) => Promise<void> | void,
): Promise<void> {
  const problems: { readonly row: number; readonly error: CommandError }[] = [];
  let [total, invalid] = [0, 0];
  for await (const row of rows) {
    total += 1;
    try {
      await check(row);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      invalid += 1;
      if (problems.length < SHOWN_PROBLEMS) problems.push({ row: row.row, error });
    }
  }
  if (invalid > 0) throw badRows({ place, total, invalid, problems });
}

function partlySent(tally: OutcomeCounts, report: string | undefined): Error {
  const [failed, invalid] = [tally.of("failed"), tally.of("invalid")];
  return partialError(`${countText(failed + invalid)} of ${countOf(tally.total, "row")} were not sent.`, {
    why: `Invalid: ${countOf(invalid, "row")}; rejected by the platform: ${countText(failed)}.`,
    next:
      report === undefined
        ? "Fix the rows and import those; --report FILE lists each with its reason."
        : `Fix the rows listed in ${report} and import those.`,
  });
}
