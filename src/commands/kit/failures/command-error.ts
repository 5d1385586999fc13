/** Details of a failure besides its message. */
export interface CommandErrorDetails {
  /** Stable word for programs: `usage.unknown_flag`, `device.not_found`. */
  readonly code: string;
  /** See `exit-codes.ts`. */
  readonly exit: number;
  /** The reason, one sentence. */
  readonly why?: string;
  /** What the user can do, one sentence. */
  readonly next?: string;
  /** Row of an input file, counted from 1. */
  readonly row?: number;
  /** Column of that row, as the file names it. */
  readonly column?: string;
  /** What --confirm has to be, where the failure asks for it. */
  readonly confirm?: string;
  readonly cause?: unknown;
}

/** A failure a command knows all about. Everything else is translated in `failures.ts`. */
export class CommandError extends Error {
  override readonly name = "CommandError";
  readonly code: string;
  readonly exit: number;
  readonly why?: string;
  readonly next?: string;
  readonly row?: number;
  readonly column?: string;
  readonly confirm?: string;

  constructor(message: string, details: CommandErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = details.code;
    this.exit = details.exit;
    if (details.why !== undefined) this.why = details.why;
    if (details.next !== undefined) this.next = details.next;
    if (details.row !== undefined) this.row = details.row;
    if (details.column !== undefined) this.column = details.column;
    if (details.confirm !== undefined) this.confirm = details.confirm;
  }
}

/** Wrong usage (exit 2). */
export function usageError(
  message: string,
  details: { why?: string; next?: string; code?: string; confirm?: string } = {},
): CommandError {
  return new CommandError(message, { code: "usage.invalid", ...details, exit: 2 });
}

/** Input data that cannot be used (exit 3): a file, a body, a schema. */
export function inputError(
  message: string,
  details: { why?: string; next?: string; code?: string; row?: number; column?: string; cause?: unknown } = {},
): CommandError {
  return new CommandError(message, { code: "input.invalid", ...details, exit: 3 });
}

/** A thing that does not exist (exit 6). */
export function notFoundError(
  message: string,
  details: { why?: string; next?: string; code?: string } = {},
): CommandError {
  return new CommandError(message, { code: "not_found", ...details, exit: 6 });
}

/** Something already exists or changed meanwhile (exit 7). */
export function conflictError(
  message: string,
  details: { why?: string; next?: string; code?: string } = {},
): CommandError {
  return new CommandError(message, { code: "conflict", ...details, exit: 7 });
}

/** The user said no, or pressed Ctrl-C (exit 130). */
export function stoppedError(message = "Stopped; nothing was changed.", why = "Stopped by the user."): CommandError {
  return new CommandError(message, {
    code: "stopped",
    exit: 130,
    why,
    next: "Run the same command again to continue.",
  });
}

/** Whether a failure is that of Ctrl-C. */
export const isStop = (error: unknown): boolean => error instanceof CommandError && error.exit === 130;
