/** What may be typed at the cursor, and what it means. */
export type Suggestion = readonly [text: string, summary: string];

/** Where completion happens. */
export interface CompletionContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** `--env` and `--profile` of the line. */
  readonly flags: Readonly<Record<string, string>>;
  /** Aborted when the shell has waited long enough. */
  readonly signal: AbortSignal;
  readonly patienceMs: number;
}

/** Said instead of candidates where the shell's own completion of files is wanted. */
export const files: readonly Suggestion[] = [[":files", ""]];

/** Whether a text can be offered: the shell prints it, so it must not move the cursor. */
export const isPlain = (text: string): boolean => text !== "" && !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
