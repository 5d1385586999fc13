/** One record or event of the stream, its texts cleaned and on one line. */
export interface LiveRow {
  /** When it arrived, or had arrived when it was recorded; milliseconds. */
  readonly atMs: number;
  /** Its own time; milliseconds. */
  readonly timeMs: number;
  readonly device: string;
  readonly variable: string;
  readonly value: string;
  /** The value, when it is a number: what charts and trends draw. */
  readonly number?: number;
  readonly unit: string;
  /** As it came, for the details and for files. */
  readonly record: unknown;
}

/** What happens on a stream. */
export type LiveItem =
  | { readonly type: "open" }
  | { readonly type: "rows"; readonly rows: readonly LiveRow[] }
  /** Something arrived that cannot be read. */
  | { readonly type: "lost"; readonly count: number }
  | { readonly type: "gap"; readonly lostAtMs: number; readonly resumedAtMs: number }
  | { readonly type: "retry"; readonly delayMs: number; readonly failures: number; readonly reason: string };

interface LiveTitle {
  readonly channel: string;
  /** Devices or resources, by name. */
  readonly names: readonly string[];
  /** Where the stream comes from: an environment, or a file. */
  readonly place: string;
}

/** What is said while nothing arrives. */
export interface LiveWaiting {
  /** Reads when one of the devices sent last, in milliseconds; undefined when none ever did, or where that is not known. */
  lastInput?(signal: AbortSignal): Promise<number | undefined>;
  /** Reads why the platform takes nothing of them now, a sentence for each reason. */
  reasons?(signal: AbortSignal): Promise<readonly string[]>;
  /** A command that sends something to look at. */
  readonly send?: string;
}

/** What is known while nothing arrives. */
export interface KnownOfQuiet {
  /** Why nothing can arrive, a sentence for each reason. */
  readonly reasons: readonly string[];
  /** When the device sent last, as far as it is known. */
  readonly lastInputMs: number | undefined;
}

/** What the live view needs from the command that opens it. */
export interface LiveOptions {
  readonly title: LiveTitle;
  readonly waiting: LiveWaiting;
  readonly items: AsyncIterable<LiveItem>;
  /** Ends the stream: nobody looks any more. */
  close(): void;
  /** The clock of the stream: that of the recording when one is replayed. Milliseconds. */
  now(): number;
  readonly color: boolean;
  readonly ascii: boolean;
  /** IANA zone for times; the machine's own when absent. */
  readonly zone?: string;
  readonly signal: AbortSignal;
  /** Stay open when the stream has ended, so that it can be looked at. */
  readonly staysOpen: boolean;
  /** Opened from another screen, which Esc leads back to. */
  readonly isNested?: boolean;
  /** File name to propose for saving. */
  readonly fileName: string;
  /**
   * Writes records to a file, in the format its name ends with. Returns what was done; rejects with what to do instead.
   */
  save(path: string, rows: readonly LiveRow[]): Promise<string>;
}

export interface LiveSummary {
  readonly received: number;
  readonly lost: number;
  readonly gaps: number;
}
