import { type IPty, spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { cliEnvironment, cliPath } from "./cli.ts";
import { waitFor } from "./wait-for.ts";

/** The program in a pseudo-terminal, and the screen a person would see. */
export interface TerminalRun {
  /** Everything the program wrote, as bytes. */
  raw(): string;
  /** The lines of the screen and what scrolled away, without the blank ones at the end. */
  lines(): Promise<string[]>;
  /** Waits until the screen matches. */
  waitFor(pattern: RegExp): Promise<void>;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** Exit code, once the program has ended. */
  readonly ended: Promise<number>;
  kill(): void;
}

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly columns?: number;
  readonly rows?: number;
}

/** Starts `iot` with these arguments in a terminal of its own. */
export async function startTerminal(args: readonly string[], options: TerminalOptions = {}): Promise<TerminalRun> {
  return startInTerminal(process.execPath, [await cliPath(), ...args], options);
}

/** Starts any program in a terminal of its own. */
export function startInTerminal(file: string, args: readonly string[], options: TerminalOptions = {}): TerminalRun {
  const { columns = 80, rows = 24 } = options;
  const screen = new headless.Terminal({ cols: columns, rows, scrollback: 5_000, allowProposedApi: true });
  const env = cliEnvironment(options.env);
  const child: IPty = spawn(file, [...args], {
    cols: columns,
    rows,
    cwd: options.cwd ?? env["HOME"] ?? "/",
    env,
  });
  let raw = "";
  child.onData((data) => {
    raw += data;
    screen.write(data);
  });
  const ended = new Promise<number>((resolve) => {
    child.onExit(({ exitCode, signal }) => resolve(signal ? 128 + signal : exitCode));
  });

  async function lines(): Promise<string[]> {
    // An empty write comes back once everything before it was drawn.
    await new Promise<void>((resolve) => {
      screen.write("", resolve);
    });
    const buffer = screen.buffer.active;
    const all = Array.from({ length: buffer.length }, (_, i) => buffer.getLine(i)?.translateToString(true) ?? "");
    while (all.at(-1) === "") all.pop();
    return all;
  }

  return {
    raw: () => raw,
    lines,
    waitFor(pattern) {
      const text = async (): Promise<string> => (await lines()).join("\n");
      return waitFor(
        async () => pattern.test(await text()),
        async () => `${pattern} on the screen, which shows:\n${await text()}`,
      );
    },
    type: (text) => child.write(text),
    resize(newColumns, newRows) {
      child.resize(newColumns, newRows);
      screen.resize(newColumns, newRows);
    },
    ended,
    kill: () => child.kill("SIGKILL"),
  };
}
