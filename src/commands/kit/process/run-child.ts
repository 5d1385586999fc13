import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { win32 } from "node:path";
import { quote } from "../command/values.ts";
import { usageError } from "../failures/command-error.ts";

/** A command as one line for the shell of Windows: each argument in quotes, and every sign of the shell escaped. */
export function windowsLine([file = "", ...args]: readonly string[]): string {
  const quoted = (arg: string): string => `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
  const words = [win32.normalize(file), ...args.map(quoted)];
  return words.map((word) => word.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&")).join(" ");
}

interface ChildRun {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** On a terminal the system sends Ctrl-C to the child as well; sending it again would count as the second one. */
  readonly isOnTerminal: boolean;
  /** What to do where it cannot be started. */
  readonly next: string;
}

/** Runs a command with our own stdin, stdout and stderr. Resolves to its exit code, 128 + n for signal n. */
export async function runChild({ command, env, cwd, isOnTerminal, next }: ChildRun): Promise<number> {
  const [file = "", ...args] = command;
  const options = { stdio: "inherit", env, cwd } as const;
  let child: ChildProcess | undefined;
  // Before the start: a child may send a signal sooner than the next line of this program runs.
  const stopForwarding = forwardSignals(isOnTerminal, (name) => child?.kill(name));
  // Windows starts .cmd files, npm among them, through its shell only.
  const started =
    process.platform === "win32"
      ? spawn(windowsLine(command), { ...options, shell: true })
      : spawn(file, args, options);
  child = started;
  try {
    return await new Promise((resolve, reject) => {
      started.once("error", (error) => reject(cannotStart(file, error, next)));
      started.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  } finally {
    stopForwarding();
  }
}

function forwardSignals(isOnTerminal: boolean, forward: (name: NodeJS.Signals) => void): () => void {
  // What the terminal sends to both is still caught: this program ends after the child, with its exit code.
  const isSent = (name: string): boolean => isOnTerminal && name !== "SIGTERM";
  const handlers = (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((name) => ({
    name,
    handle: isSent(name) ? () => undefined : () => forward(name),
  }));
  for (const { name, handle } of handlers) process.on(name, handle);
  return () => {
    for (const { name, handle } of handlers) process.off(name, handle);
  };
}

function cannotStart(file: string, error: Error, next: string): Error {
  return usageError(`${quote(file)} could not be started.`, {
    why: "code" in error ? `The system returned ${String(error.code)}.` : error.message,
    next,
  });
}
