import type { Resources } from "../../../index.ts";
import type { Input } from "../command/options.ts";
import type { CommandContext } from "../context.ts";

/** A part of a job that is done as a whole, or done again as a whole with the same result. */
export interface JobItem<Args extends object = object> {
  /** The same in every run: letters, digits and `.`, `_`, `=`, `-`, not a number alone. */
  readonly id: string;
  /** JSON. Never a token or another secret: a queue shows it to everybody who may read it. */
  readonly args: Args;
  /** Changes with the work done for the item: a resumed run rejects another mark. Letters and digits. */
  readonly mark?: string;
}

/** The outcome of an item: the row that `run` returned, or why there is none. */
export type ItemResult<Row extends object = object> =
  | { readonly id: string; readonly row: Row }
  | {
      readonly id: string;
      readonly reason: string;
      /** What was thrown, in the process that threw it. */
      readonly cause?: unknown;
    };

/** Notes of earlier attempts at an item, which may have been killed at any time. */
export interface JobNotes {
  of(name: string): string | undefined;
  /** Resolves when it is stored. Rejects when another worker has the item by now. */
  add(name: string, note: string): Promise<void>;
  /** Takes a note back, as if it had never been made. */
  forget(name: string): Promise<void>;
}

/** What an item is done with. */
export interface JobWork {
  readonly ctx: CommandContext;
  /** With the rate limits of this process. Ctrl-C does not end its requests. */
  readonly client: Resources;
  /** The job's folder on this machine, if it has one. Items write below it only. */
  readonly folder: string;
}

/** A kind of bulk work. The functions get what a plan of the same version made. */
export interface JobKind<Shared extends object = object, Args extends object = object, Row extends object = object> {
  readonly name: string;
  /** Changes when an older program could not do these items, or would do something else. */
  readonly version: number;
  /** Fields of a row that belong in the report. */
  readonly columns: readonly string[];
  /** Does an item. A second run must leave the same as one run: a worker may die after the work and before its result. */
  run(work: JobWork, shared: Shared, item: JobItem<Args>, notes: JobNotes): Promise<Row>;
  /** Whether the result is all there is to do; else a resumed run does the item again. Every result is, unless given. */
  isWhole?(row: Row): boolean;
  /** Called when every item has a result, once or more. Returns the result of the job. */
  finish?(work: JobWork, shared: Shared, results: AsyncIterable<ItemResult<Row>>): Promise<object>;
}

/** A job before it is begun. */
export interface JobPlan<Shared extends object = object, Args extends object = object, Row extends object = object> {
  readonly kind: JobKind<Shared, Args, Row>;
  /** What makes two runs the same job: the flags as they were given. */
  readonly key: readonly unknown[];
  /** Whether the same plan is a new job once the last one has ended: it is about things as they are then. */
  readonly renews?: true;
  /** For messages: `export to "data/"`. */
  readonly what: string;
  /** Where the items write; empty where they write no files. */
  readonly folder: string;
  /**
   * Asks what is to be asked and fixes what all items share, when the job is new. JSON without secrets.
   *
   * @param wasLost the queue has lost this job: its items may have been done already
   */
  begin(wasLost: boolean): Promise<Shared>;
  items(shared: Shared): AsyncIterable<JobItem<Args>>;
  /** In a queue: receives the results for the command's own report instead of `--report FILE`. */
  report?(results: AsyncIterable<ItemResult<Row>>): Promise<void>;
}

/** How a job ended, or that it continues elsewhere. */
export interface JobOutcome {
  /** In a queue. */
  readonly id?: string;
  /** False for a job that continues without this command. */
  readonly isEnded: boolean;
  /** Whether it had ended before this run, which did nothing then. */
  readonly isBefore?: boolean;
  readonly done: number;
  readonly failed: number;
  /** What `finish` returned. */
  readonly summary?: object;
}

/** How the worker finds a kind. */
export interface JobKindLoader {
  readonly name: string;
  readonly load: () => Promise<JobKind>;
}

/** What the flags of a job say. A command whose work is never spread has no `queue`. */
export interface JobInput extends Omit<Input<[], []>, "options"> {
  readonly options: {
    readonly queue?: string | undefined;
    readonly detach?: boolean;
    readonly report: string | undefined;
    readonly resume: boolean;
    readonly again: boolean;
  };
}
