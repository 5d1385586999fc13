import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Reaper } from "../../sandbox/analyses/reaper.ts";
import type { Script } from "../kit/analyses/bundle.ts";
import { endGroup } from "../kit/process/end-group.ts";
import type { DevProgram } from "./dev-program.ts";

/** A line a script printed. */
export interface ScriptLine {
  readonly time: string;
  readonly stream: "stdout" | "stderr";
  readonly message: string;
}

export interface ChildOptions {
  readonly folder: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly source: string;
  readonly program: DevProgram;
  /** Ends scripts that do not end with this program. */
  readonly reaper: Reaper | undefined;
  print(line: ScriptLine): void;
  /** Called when the script ended by itself. */
  ended(code: number | null, signal: string | null): void;
}

/** A script that runs. */
export interface RunningChild {
  /** Ends it, by force where it does not end by itself. */
  stop(): Promise<void>;
}

const FORCE_MS = 2_000;

/** Where scripts are written to be run; readable by the user alone. */
export function scriptFolder(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "iot-analysis-dev-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Starts a script in a process of its own. */
export function startChild(script: Script, options: ChildOptions): RunningChild {
  const { program, reaper } = options;
  const file =
    program.bundle === undefined
      ? options.source
      : join(options.folder, script.fileName.replace(/\.[cm]?[jt]s$/, program.bundle));
  if (program.bundle !== undefined) writeFileSync(file, script.content, { mode: 0o600 });
  const child = spawn(program.command, program.args(file), {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe", ...(program.endsWithParent ? (["ipc"] as const) : [])],
    // Ctrl-C in the terminal is for this program, which then ends the script.
    detached: process.platform !== "win32",
  });
  const { pid } = child;
  if (pid !== undefined) reaper?.watch(pid);
  let isStopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      if (!isStopping) options.print(lineOf("stderr", error.message));
      resolve();
    });
    // The output is read to its end before the next script starts.
    child.once("close", (code, killedBy) => {
      resolve();
      if (pid !== undefined) reaper?.forget(pid);
      if (!isStopping) options.ended(code, killedBy);
    });
  });
  readLines(child, options.print);
  return {
    async stop() {
      isStopping = true;
      if (child.exitCode === null && child.signalCode === null) endGroup(child, "SIGTERM");
      const timer = setTimeout(() => endGroup(child, "SIGKILL"), FORCE_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

const lineOf = (stream: ScriptLine["stream"], message: string): ScriptLine => ({
  time: new Date().toISOString(),
  stream,
  message,
});

function readLines(child: ChildProcess, print: (line: ScriptLine) => void): void {
  for (const stream of ["stdout", "stderr"] as const) {
    const input = child[stream];
    if (input !== null) createInterface({ input }).on("line", (text) => print(lineOf(stream, text)));
  }
}
