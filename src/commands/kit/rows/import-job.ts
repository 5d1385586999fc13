import type { PlannedRequest } from "../context.ts";
import type { JobKind } from "../jobs/job.ts";
import { digest } from "../state/digest.ts";
import type { Journal } from "../state/journal.ts";
import type { FileRow, RowFile } from "./reader.ts";

/** A row that can be sent. */
export interface Numbered {
  readonly row: number;
}

/** Rows that are sent together: the platform takes all of them or none. */
export interface RowBatch<Row extends Numbered> {
  /** Name in the journal. The same file makes the same batches. */
  readonly item: string;
  /** Changes when any of the rows does. */
  readonly mark: string;
  readonly rows: readonly Row[];
  /** The row of each element of the body, where a row makes several. */
  readonly elements?: readonly Row[];
}

/** Each row as a batch of its own. */
export async function* oneByOne<Row extends Numbered>(
  rows: AsyncIterable<Row>,
  rest?: unknown,
): AsyncGenerator<RowBatch<Row>, void, undefined> {
  for await (const row of rows) {
    yield { item: `row ${row.row}`, mark: digest(rest === undefined ? row : [row, rest]), rows: [row] };
  }
}

/** What became of a row. */
export interface RowOutcome {
  readonly result: string;
  readonly reason?: string;
  /** Id of what was made or changed. */
  readonly id?: string;
}

/** How many rows had which result. */
export interface OutcomeCounts {
  readonly total: number;
  of(...results: readonly string[]): number;
}

/** What is done for rows, wherever they come from. */
export interface RowsJob<Row extends Numbered, Sent extends RowBatch<Row>, ReportRow extends object> {
  /** One and many: `["record", "records"]`. */
  readonly unit: readonly [string, string];
  /** The result of a row that an earlier run has sent: `sent before`. */
  readonly before: string;
  /** Batches at a time. */
  readonly lanes?: number;
  batches(rows: AsyncIterable<Row>): AsyncIterable<Sent>;
  /** The halves of a rejected batch. Absent where each row is a separate request. */
  split?(batch: Sent): readonly Sent[];
  /** The requests of a batch, for `--dry-run`. */
  requests(batch: Sent): Promise<readonly PlannedRequest[]> | readonly PlannedRequest[];
  /**
   * Checks what exists, and returns what is left to send, or the outcome if nothing is.
   *
   * @param isBegun an earlier run was about to send it, and it is not known whether it arrived
   */
  prepare(batch: Sent, isBegun: boolean): Promise<RowOutcome | (() => Promise<RowOutcome>)>;
  /** Columns of the report. */
  readonly report: readonly (keyof ReportRow & string)[];
  /** Called once for each row; `read` is absent where it could not be. */
  tell(row: number, outcome: RowOutcome, read: Row | undefined): ReportRow;
  /** Prints the result. */
  print(tally: OutcomeCounts): Promise<unknown>;
  /** `Sent 5 records to 2 devices`, for people. */
  said(tally: OutcomeCounts): string;
  /** Called after everything was sent. Returns a failure of its own. */
  verify?(journal: Journal): Promise<Error | undefined>;
}

/** An outcome, and the rows it is of; all of the batch where they are not named. */
export type BatchOutcome = RowOutcome & { readonly of?: readonly number[] };

/** What became of a batch. */
export type RowsResult = {
  readonly rows: number;
  readonly refused: number;
  /** Of the rejected rows. */
  readonly reason?: string;
  readonly outcomes: readonly BatchOutcome[];
};

/** What the batches of a job share that the queue had before, and lost: any of them may have been sent. */
export interface RepeatedRows {
  readonly isRepeated?: boolean;
}

/** How workers do what a command does to rows. */
export interface SpreadRows<Sent> {
  readonly kind: JobKind<object, object, RowsResult>;
  /** What the flags ask for, as far as it decides what is sent. JSON without secrets. */
  readonly shared: object;
  /** What the queue holds of a batch, where that is not all of it. */
  pack?(batch: Sent): object;
}

/** The rows of a file, sent to the platform. */
export interface ImportJob<Row extends Numbered, Sent extends RowBatch<Row>, ReportRow extends object>
  extends RowsJob<Row, Sent, ReportRow> {
  readonly file: RowFile;
  /** What makes two runs the same import. */
  readonly key: readonly string[];
  /** Flags that decide what is sent. */
  readonly flags: readonly unknown[];
  /** Whether a new run would add again what an interrupted one has sent; the user is asked then. */
  readonly repeats?: boolean;
  /** @throws CommandError for a row that cannot be sent */
  read(row: FileRow): Row | Promise<Row>;
  /** Whether a column of the file is read, or left out on purpose; true by default. The others are reported. */
  isRead?(column: string): boolean;
  /** With a queue; absent where it cannot be used. */
  readonly spread?: SpreadRows<Sent>;
  /** The column of a field that is sent, as the file names it; the field unless given. */
  columnOf?(field: string): string;
  /**
   * Called before anything is planned or sent, with the rows that can be.
   *
   * @param total number of rows, those that cannot be sent included
   */
  begin?(journal: Journal, rows: () => AsyncIterable<Row>, total: number): Promise<void>;
}
