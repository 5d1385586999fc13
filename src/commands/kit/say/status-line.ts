import { cleanLine } from "../../../text/clean.ts";
import type { GlobalFlags } from "../command/flags.ts";
import type { Io } from "../io.ts";

/** What the line may show: a wait alone, else how far the work is and, after it, the request that takes long. */
type StatusLayer = "wait" | "progress" | "request";

/** Called for every redraw; undefined shows nothing. */
type StatusText = () => string | undefined;

/** The last line of the terminal, redrawn in place: progress, requests under way, waits. */
export interface StatusLine {
  /** The process, with the line cleared before anything else is written. */
  readonly io: Io;
  /** Whether there is such a line. Elsewhere plain messages say what matters. */
  readonly isShown: boolean;
  /** Whether somebody looks at a terminal that has no such line: waits are said in lines of their own. */
  readonly isPlain: boolean;
  /** Whether something else has the terminal now: nothing may be written to it. */
  readonly isLent: boolean;
  show(layer: StatusLayer, text: StatusText | undefined): void;
  /** Draws nothing until the returned function is called: a question, a pager or a screen has the terminal. */
  lend(): () => void;
  /** Takes the line away for good. */
  close(): void;
  /** As `close`, and leaves the cursor where a message can start, whatever Ctrl-C left there. */
  interrupt(): void;
}

const CLEAR = "\r\u001b[2K";
const REDRAW_MS = 100;

/** Goes back to the end of the line above, whose text has this many columns. */
const backTo = (column: number): string => `\u001b[1A\u001b[${column}C`;

/**
 * Where the cursor is after a text: its column, 0 at the start of a line. Undefined where that is unknown: a line that
 * fills the terminal, or that has more than plain signs.
 */
function columnAfter(before: number | undefined, text: string | Uint8Array, width: number): number | undefined {
  if (typeof text !== "string") return text.at(-1) === 10 ? 0 : undefined;
  const start = text.lastIndexOf("\n") + 1;
  const from = start > 0 ? 0 : before;
  const column = from === undefined || /[^ -~]/.test(text.slice(start)) ? undefined : from + text.length - start;
  return column === undefined || column >= width ? undefined : column;
}

class TerminalLine implements StatusLine {
  readonly io: Io;
  readonly isShown: boolean;
  readonly isPlain: boolean;
  readonly #inner: Io;
  readonly #texts = new Map<StatusLayer, StatusText>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #drawn = "";
  #borrowers = 0;
  #isClosed = false;
  /** Where the cursor is without the status. Above 0 something has begun a line, and the status is drawn below it. */
  #column: number | undefined = 0;

  constructor(inner: Io, isShown: boolean, isPlain: boolean) {
    this.#inner = inner;
    this.isShown = isShown;
    this.isPlain = isPlain;
    this.io = this.#wrapped();
  }

  #wrapped(): Io {
    const { rows } = this.#inner;
    const inner = this.#inner;
    return {
      get stdin() {
        return inner.stdin;
      },
      write: (text) => {
        if (inner.stdoutIsTerminal) this.#makeRoom(text);
        return inner.write(text);
      },
      writeError: (text) => {
        this.#makeRoom(text);
        inner.writeError(text);
      },
      stdoutIsTerminal: inner.stdoutIsTerminal,
      stderrIsTerminal: inner.stderrIsTerminal,
      stdinIsTerminal: inner.stdinIsTerminal,
      columns: () => inner.columns(),
      ...(rows === undefined ? {} : { rows: () => rows.call(inner) }),
    };
  }

  get isLent(): boolean {
    return this.#borrowers > 0;
  }

  show(layer: StatusLayer, text: StatusText | undefined): void {
    if (!this.isShown || this.#isClosed) return;
    if (text === undefined) this.#texts.delete(layer);
    else this.#texts.set(layer, text);
    // A request with an immediate response is never drawn, so there is nothing to redraw for it.
    if (layer !== "request") this.#draw();
    // It must not keep the process alive. It ends by itself, as requests come and go by the thousand.
    this.#timer ??= setInterval(() => this.#tick(), REDRAW_MS).unref();
  }

  lend(): () => void {
    this.#clear();
    this.#borrowers += 1;
    let isLent = true;
    return () => {
      if (!isLent) return;
      isLent = false;
      this.#borrowers -= 1;
      // A user who was asked pressed Enter, which no program wrote.
      this.#column = 0;
    };
  }

  close(): void {
    this.#clear();
    this.#isClosed = true;
    this.#texts.clear();
    this.#stopTimer();
  }

  interrupt(): void {
    const canErase = this.isShown && this.#column === 0 && !this.isLent;
    this.close();
    if (canErase) this.#inner.writeError(CLEAR);
    else if (this.#inner.stderrIsTerminal) this.#inner.writeError("\n");
  }

  #tick(): void {
    this.#draw();
    if (this.#texts.size === 0) this.#stopTimer();
  }

  #stopTimer(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #text(): string {
    const textOf = (layer: StatusLayer): string | undefined => this.#texts.get(layer)?.();
    const found =
      textOf("wait") ?? [textOf("progress"), textOf("request")].filter((text) => text !== undefined).join("  ");
    return cleanLine(found, Math.max(10, this.#inner.columns() - 1));
  }

  #draw(): void {
    if (this.isLent || this.#column === undefined) return;
    const text = this.#text();
    if (text === this.#drawn) return;
    if (text === "") {
      this.#clear();
      return;
    }
    const isBelow = this.#drawn === "" && this.#column > 0;
    this.#inner.writeError(`${isBelow ? "\n" : ""}${CLEAR}${text}`);
    this.#drawn = text;
  }

  #clear(): void {
    if (this.#drawn !== "") this.#inner.writeError(`${CLEAR}${this.#column ? backTo(this.#column) : ""}`);
    this.#drawn = "";
  }

  #makeRoom(text: string | Uint8Array): void {
    this.#clear();
    if (text.length > 0) this.#column = columnAfter(this.#column, text, this.#inner.columns());
  }
}

/** @param env `TERM=dumb` names a terminal that cannot redraw */
export function createStatusLine(
  io: Io,
  flags: Pick<GlobalFlags, "accessible" | "progress" | "quiet">,
  env: Readonly<Record<string, string | undefined>>,
): StatusLine {
  const redraws = env["TERM"] !== "dumb" && !flags.accessible;
  const speaks = io.stderrIsTerminal && flags.progress && !flags.quiet;
  return new TerminalLine(io, speaks && redraws, speaks && !redraws);
}
