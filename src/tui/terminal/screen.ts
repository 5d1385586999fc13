import { createFrameWriter, type FrameWriter } from "./frame-writer.ts";
import { type Key, KeyParser, type Paste } from "./keys.ts";

export interface WindowSize {
  readonly columns: number;
  readonly rows: number;
}

export interface TerminalStreams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

export interface ScreenHandlers {
  onKey(key: Key | Paste): void;
  onResize(size: WindowSize): void;
}

// Alternate screen, no cursor, no wrapping of long lines, marked pastes; and back in the other order, every style off.
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h\u001b[H\u001b[2J";
const LEAVE = "\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l";
/** After an escape the rest of a sequence arrives at once; over a slow line within this time. */
const ESCAPE_MS = 20;

/** The alternate screen of the terminal, with raw keys and marked pastes, from construction to `close`. */
export class Screen {
  readonly writer: FrameWriter;
  readonly #streams: TerminalStreams;
  readonly #handlers: ScreenHandlers;
  readonly #parser = new KeyParser();
  #isTaken = false;
  #isClosed = false;
  #escapeTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(streams: TerminalStreams, color: boolean, handlers: ScreenHandlers) {
    this.#streams = streams;
    this.#handlers = handlers;
    this.writer = createFrameWriter({
      color,
      rows: () => this.size().rows,
      write: (text) => {
        if (this.#isTaken) streams.stdout.write(text);
      },
    });
    streams.stdout.on("resize", this.#onResize);
    process.on("exit", this.#restore);
    process.on("uncaughtExceptionMonitor", this.#restore);
    if (process.platform !== "win32") {
      process.on("SIGTSTP", this.#onStop);
      process.on("SIGCONT", this.#onContinue);
    }
    this.take();
  }

  size(): WindowSize {
    const { columns, rows } = this.#streams.stdout;
    return { columns: columns || 80, rows: rows || 24 };
  }

  /** Takes the terminal again and draws everything again. */
  take(): void {
    if (this.#isTaken || this.#isClosed) return;
    this.#isTaken = true;
    const { stdin, stdout } = this.#streams;
    stdin.setEncoding("utf8");
    stdin.setRawMode?.(true);
    stdin.ref();
    stdin.on("data", this.#onData);
    stdin.resume();
    stdout.write(ENTER);
    this.#onResize();
    this.writer.redraw();
  }

  /** Releases the terminal while something else uses it: an editor, a shell after Ctrl-Z. */
  release(): void {
    if (!this.#isTaken) return;
    this.#isTaken = false;
    clearTimeout(this.#escapeTimer);
    const { stdin, stdout } = this.#streams;
    stdin.off("data", this.#onData);
    stdin.setRawMode?.(false);
    stdin.pause();
    stdin.unref();
    stdout.write(LEAVE);
  }

  /** Stops the program as Ctrl-Z does everywhere; goes on after `fg`. */
  suspend(): void {
    if (process.platform === "win32" || this.#isClosed) return;
    this.release();
    process.off("SIGTSTP", this.#onStop);
    // The whole group, as the terminal itself does it. Where nobody could continue the program the system ignores this,
    // and the screen comes back at once.
    process.kill(0, "SIGTSTP");
    setTimeout(this.#onContinue, 50);
  }

  close(): void {
    if (this.#isClosed) return;
    this.release();
    this.#isClosed = true;
    this.writer.stop();
    this.#streams.stdout.off("resize", this.#onResize);
    process.off("exit", this.#restore);
    process.off("uncaughtExceptionMonitor", this.#restore);
    if (process.platform === "win32") return;
    process.off("SIGTSTP", this.#onStop);
    process.off("SIGCONT", this.#onContinue);
  }

  readonly #onData = (chunk: string | Buffer): void => {
    clearTimeout(this.#escapeTimer);
    for (const key of this.#parser.push(String(chunk))) this.#handlers.onKey(key);
    if (!this.#parser.isWaiting) return;
    this.#escapeTimer = setTimeout(() => {
      for (const key of this.#parser.flush()) this.#handlers.onKey(key);
    }, ESCAPE_MS);
  };

  readonly #onResize = (): void => {
    this.writer.forget();
    this.#handlers.onResize(this.size());
  };

  readonly #onStop = (): void => this.suspend();

  readonly #onContinue = (): void => {
    if (this.#isClosed) return;
    process.off("SIGTSTP", this.#onStop);
    process.on("SIGTSTP", this.#onStop);
    this.take();
  };

  /** What a crash must not leave behind. */
  readonly #restore = (): void => this.close();
}
