import { isatty } from "node:tty";

/** The parts of the process a command may touch. Tests hand in their own. */
export interface Io {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Data. Resolves when the text was taken; a closed pipe ends the program quietly with exit 0. */
  write(text: string | Uint8Array): Promise<void>;
  /** Talk: messages, prompts, progress. */
  writeError(text: string): void;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  readonly stdinIsTerminal: boolean;
  /** Width of the terminal in cells; 80 when unknown. */
  columns(): number;
  /** Height of the terminal in lines; absent when unknown. */
  rows?(): number | undefined;
}

/** stdout was closed by its reader: the program ends quietly with 0. */
export class ClosedPipeError extends Error {
  override readonly name = "ClosedPipeError";
}

const isClosed = (error: NodeJS.ErrnoException): boolean =>
  error.code === "EPIPE" || error.code === "ERR_STREAM_DESTROYED" || error.code === "ECONNRESET";

/** Why stdout could not be written. */
export function outputError(error: NodeJS.ErrnoException): Error {
  return isClosed(error) ? new ClosedPipeError("stdout is closed") : Object.assign(error, { path: "stdout" });
}

/** The real process. */
export function processIo(): Io {
  const { stdout, stderr } = process;
  let failure: NodeJS.ErrnoException | undefined;
  // Without these listeners a closed pipe would end the process with a stack trace.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    failure = error;
  });
  stderr.on("error", () => undefined);

  return {
    // Touching process.stdin opens it; only commands that read it should pay for that.
    get stdin() {
      return process.stdin;
    },
    write(text) {
      return new Promise((resolve, reject) => {
        const settle = (error?: NodeJS.ErrnoException | null): void => {
          const found = error ?? failure;
          if (found === undefined || found === null) resolve();
          else reject(outputError(found));
        };
        if (failure !== undefined) settle();
        else stdout.write(text, settle);
      });
    },
    writeError(text) {
      stderr.write(text);
    },
    stdoutIsTerminal: stdout.isTTY === true,
    stderrIsTerminal: stderr.isTTY === true,
    stdinIsTerminal: isatty(0),
    columns: () => stdout.columns || stderr.columns || 80,
    rows: () => stdout.rows || stderr.rows || undefined,
  };
}
