import { createFrameWriter, type FrameWriter } from "./frame-writer.ts";
import { createKeyParser, type Key, type Paste } from "./keys.ts";

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

/** The alternate screen of the terminal, with raw keys and marked pastes, from `openScreen` to `close`. */
export interface Screen {
  readonly writer: FrameWriter;
  size(): WindowSize;
  /** Releases the terminal while something else uses it: an editor, a shell after Ctrl-Z. */
  release(): void;
  /** Takes it again and draws everything again. */
  take(): void;
  /** Stops the program as Ctrl-Z does everywhere; goes on after `fg`. */
  suspend(): void;
  close(): void;
}

// Alternate screen, no cursor, no wrapping of long lines, marked pastes; and back in the other order, every style off.
const ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[?2004h\u001b[H\u001b[2J";
const LEAVE = "\u001b[?2004l\u001b[?7h\u001b[0m\u001b[?25h\u001b[?1049l";
/** After an escape the rest of a sequence arrives at once; over a slow line within this time. */
const ESCAPE_MS = 20;

const sizeOf = (stdout: NodeJS.WriteStream): WindowSize => ({
  columns: stdout.columns || 80,
  rows: stdout.rows || 24,
});

export function openScreen(streams: TerminalStreams, color: boolean, handlers: ScreenHandlers): Screen {
  const { stdin, stdout } = streams;
  const parser = createKeyParser();
  let isTaken = false;
  let isClosed = false;
  let escapeTimer: ReturnType<typeof setTimeout> | undefined;

  const writer = createFrameWriter({
    color,
    rows: () => sizeOf(stdout).rows,
    write: (text) => {
      if (isTaken) stdout.write(text);
    },
  });

  function onData(chunk: string | Buffer): void {
    clearTimeout(escapeTimer);
    for (const key of parser.push(String(chunk))) handlers.onKey(key);
    if (!parser.isWaiting) return;
    escapeTimer = setTimeout(() => {
      for (const key of parser.flush()) handlers.onKey(key);
    }, ESCAPE_MS);
  }

  function onResize(): void {
    writer.forget();
    handlers.onResize(sizeOf(stdout));
  }

  function take(): void {
    if (isTaken || isClosed) return;
    isTaken = true;
    stdin.setEncoding("utf8");
    stdin.setRawMode?.(true);
    stdin.ref();
    stdin.on("data", onData);
    stdin.resume();
    stdout.write(ENTER);
    onResize();
    writer.redraw();
  }

  function release(): void {
    if (!isTaken) return;
    isTaken = false;
    clearTimeout(escapeTimer);
    stdin.off("data", onData);
    stdin.setRawMode?.(false);
    stdin.pause();
    stdin.unref();
    stdout.write(LEAVE);
  }

  function suspend(): void {
    if (process.platform === "win32" || isClosed) return;
    release();
    process.off("SIGTSTP", suspend);
    // The whole group, as the terminal itself does it. Where nobody could continue the program the system ignores this,
    // and the screen comes back at once.
    process.kill(0, "SIGTSTP");
    setTimeout(resume, 50);
  }

  function resume(): void {
    if (isClosed) return;
    process.off("SIGTSTP", suspend);
    process.on("SIGTSTP", suspend);
    take();
  }

  /** What a crash must not leave behind. */
  const restore = (): void => close();

  function close(): void {
    if (isClosed) return;
    release();
    isClosed = true;
    writer.stop();
    stdout.off("resize", onResize);
    process.off("exit", restore);
    process.off("uncaughtExceptionMonitor", restore);
    if (process.platform === "win32") return;
    process.off("SIGTSTP", suspend);
    process.off("SIGCONT", resume);
  }

  stdout.on("resize", onResize);
  process.on("exit", restore);
  process.on("uncaughtExceptionMonitor", restore);
  if (process.platform !== "win32") {
    process.on("SIGTSTP", suspend);
    process.on("SIGCONT", resume);
  }
  take();
  return { writer, size: () => sizeOf(stdout), release, take, suspend, close };
}
