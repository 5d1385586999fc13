import type { PlatformError } from "../core/platform-error.ts";
import type { EntityDocument } from "../store/document.ts";
import type { StoredToken } from "../store/tokens.ts";

/** A setting of a run: the analysis' own variables, and what the sandbox says about the run (`_action_id` ...). */
export interface RunVariable {
  readonly key: string;
  readonly value: string | number | boolean;
}

export interface RunOptions {
  /** Added to the variables of the analysis. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How many actions and analyses led to this run, one after the other. Default 0. */
  readonly depth?: number;
}

/** One line for the console of an analysis. */
export interface ConsoleLine {
  readonly message: string;
  readonly timestampMs: number;
}

/** Running analyses: scripts in processes of their own, external ones over the event stream. */
interface Analyses {
  /**
   * Runs an analysis once the writes of the request are committed. An inactive one gets a console line instead.
   *
   * @param scope any list or object; absent means `[]`
   * @returns the token of the run; `undefined` when there is no such analysis, or it has none
   */
  run(analysisId: string, scope: unknown, options?: RunOptions): StoredToken | undefined;
  /** Why somebody who asks for a run is refused: scripts are switched off. `undefined` when it can be run. */
  refusal(analysisId: string): PlatformError | undefined;
  /** Appends to the console of an analysis, of which the last 200 lines are kept, and sends it on the stream. */
  log(analysis: EntityDocument, lines: readonly ConsoleLine[]): void;
  /** The lines kept, oldest first. */
  console(analysisId: string): string[];
  /** The secrets an analysis may read. */
  secrets(analysis: EntityDocument): readonly EntityDocument[];
  /** Longest time of a script. */
  readonly timeoutMs: number;
  /** Depth of the deepest run of an analysis that may still be at work; 0 when none is. */
  depth(analysisId: string): number;
  /** True while a script of an analysis is running, or waits to be run. */
  isWorking(analysisId: string): boolean;
  /** Ends the runs of one analysis, or all, and drops those that wait. */
  stop(analysisId?: string): void;
  /** Ends the runs of a deleted analysis and drops its console. */
  forget(analysisId: string): void;
}

/** The same for the sandbox itself. */
export interface OwnedAnalyses extends Analyses {
  /** Where scripts find the sandbox; before this nothing is run. */
  serveAt(origin: string, variables?: Readonly<Record<string, string>>): void;
  /** Processes at work and waiting. */
  readonly busy: number;
  /** Ends everything and removes the folder of the scripts. */
  close(): Promise<void>;
}
