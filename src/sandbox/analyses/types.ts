import type { PlatformError } from "../core/platform-error.ts";
import type { EntityDocument } from "../store/document.ts";
import type { StoredToken } from "../store/tokens.ts";

/** An environment variable of a run: one of the analysis, or one about the run (`_action_id` ...). */
export interface RunVariable {
  readonly key: string;
  readonly value: string | number | boolean;
}

export interface RunOptions {
  /** Added to the variables of the analysis. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Number of actions and analyses in the chain that led to this run. Default 0. */
  readonly depth?: number;
}

/** One line for the console of an analysis. */
export interface ConsoleLine {
  readonly message: string;
  readonly timestampMs: number;
  /** Written to the error output of a script, or why a run failed. */
  readonly isError?: boolean;
}

/** A line as it is stored. */
export interface StoredLine {
  readonly message: string;
  /** Absent for lines of before it was stored. */
  readonly timestamp?: string;
  readonly isError: boolean;
}

/** Running analyses: scripts as processes, external ones over the event stream. */
interface Analyses {
  /**
   * Runs an analysis once the writes of the request are committed. An inactive one gets a console line instead.
   *
   * @param scope any list or object; absent means `[]`
   * @returns the token of the run; `undefined` when there is no such analysis, or it has none
   */
  run(analysisId: string, scope: unknown, options?: RunOptions): StoredToken | undefined;
  /** Reason to reject a run: scripts are switched off. `undefined` when it can run. */
  refusal(analysisId: string): PlatformError | undefined;
  /** Appends to the console of an analysis, which stores the last 200 lines, and sends the line on the stream. */
  log(analysis: EntityDocument, lines: readonly ConsoleLine[]): void;
  /** The stored lines, oldest first. */
  console(analysisId: string): StoredLine[];
  /** The secrets an analysis can read. */
  secrets(analysis: EntityDocument): readonly EntityDocument[];
  /** Longest time of a script. */
  readonly timeoutMs: number;
  /** Depth of the deepest run of an analysis that may still be running; 0 when none is. */
  depth(analysisId: string): number;
  /** True while a script of an analysis is running or waiting. */
  isWorking(analysisId: string): boolean;
  /** Stops the runs of one analysis, or all, and drops those that wait. */
  stop(analysisId?: string): void;
  /** Stops the runs of a deleted analysis and drops its console. */
  forget(analysisId: string): void;
}

/** The same for the sandbox itself. */
export interface OwnedAnalyses extends Analyses {
  /** Address of the sandbox for scripts; before this is set nothing runs. */
  serveAt(origin: string, variables?: Readonly<Record<string, string>>): void;
  /** Processes running and waiting. */
  readonly busy: number;
  /** Stops everything and removes the folder of the scripts. */
  close(): Promise<void>;
}
