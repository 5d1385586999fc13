import { type ChildProcess, spawn } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, tmpdir } from "node:os";
import { delimiter, join, win32 } from "node:path";
import { shellWord } from "../../text/shell-word.ts";
import { quote } from "../kit/command/values.ts";
import { usageError } from "../kit/failures/command-error.ts";

/** A folder with an `iot` that is this very program, to put in front of PATH. */
export interface ProgramFolder {
  readonly path: string;
  remove(): void;
}

export function programFolder(program: string): ProgramFolder {
  const path = mkdtempSync(join(tmpdir(), "iot-"));
  chmodSync(path, 0o700);
  const script = join(path, "iot");
  writeFileSync(script, `#!/bin/sh\nexec ${shellWord(process.execPath)} ${shellWord(program)} "$@"\n`, { mode: 0o700 });
  if (process.platform === "win32") writeFileSync(`${script}.cmd`, batchFile(process.execPath, program));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** In a batch file, `%` starts a variable also inside quotes. */
const batchFile = (...words: readonly string[]): string =>
  `@${words.map((word) => `"${word.replaceAll("%", "%%")}"`).join(" ")} %*\r\n`;

/** A line that sets a variable: for PowerShell on Windows, else for sh. */
export function variableLine(name: string, value: string, platform: string = process.platform): string {
  if (platform === "win32") return `$env:${name} = '${value.replaceAll("'", "''")}'`;
  return `export ${name}=${shellWord(value)}`;
}

export function withPath(folder: string, path: string | undefined): string {
  return path === undefined || path === "" ? folder : `${folder}${delimiter}${path}`;
}

/** A command as one line for the shell of Windows: each argument in quotes, and every sign of the shell escaped. */
export function windowsLine([file = "", ...args]: readonly string[]): string {
  const quoted = (arg: string): string => `"${arg.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
  const words = [win32.normalize(file), ...args.map(quoted)];
  return words.map((word) => word.replace(/[()[\]%!^"`<>&|;, *?]/g, "^$&")).join(" ");
}

interface Run {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** On a terminal the system sends Ctrl-C to the child as well; sending it again would count as the second one. */
  readonly isOnTerminal: boolean;
}

/** Runs a command with our own stdin, stdout and stderr. Resolves to its exit code, 128 + n for signal n. */
export async function runChild({ command, env, cwd, isOnTerminal }: Run): Promise<number> {
  const [file = "", ...args] = command;
  const options = { stdio: "inherit", env, cwd } as const;
  // Windows starts .cmd files, npm among them, through its shell only.
  const child =
    process.platform === "win32"
      ? spawn(windowsLine(command), { ...options, shell: true })
      : spawn(file, args, options);
  const stopForwarding = forwardSignals(child, isOnTerminal);
  try {
    return await new Promise((resolve, reject) => {
      child.once("error", (error) => reject(cannotStart(file, error)));
      child.once("exit", (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
    });
  } finally {
    stopForwarding();
  }
}

function forwardSignals(child: ChildProcess, isOnTerminal: boolean): () => void {
  const names = isOnTerminal ? (["SIGTERM"] as const) : (["SIGINT", "SIGTERM", "SIGHUP"] as const);
  const forwards = names.map((name) => ({ name, forward: () => child.kill(name) }));
  for (const { name, forward } of forwards) process.on(name, forward);
  return () => {
    for (const { name, forward } of forwards) process.off(name, forward);
  };
}

function cannotStart(file: string, error: Error): Error {
  return usageError(`${quote(file)} could not be started.`, {
    why: "code" in error ? `The system returned ${String(error.code)}.` : error.message,
    next: "Check the command after --.",
  });
}
