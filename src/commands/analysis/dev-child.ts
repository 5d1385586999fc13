import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Script } from "./bundle.ts";

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
  readonly inspect: boolean;
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

/** Keeps the script from outliving the program that started it, also when that was killed. */
export const endWithParent =
  'if (process.connected) { process.channel.unref(); process.on("disconnect", () => process.exit(1)); }';

/** Starts a script in a Node of its own. */
export function startChild(script: Script, options: ChildOptions): RunningChild {
  const file = join(options.folder, script.fileName.replace(/\.[cm]?[jt]s$/, ".cjs"));
  writeFileSync(file, script.content, { mode: 0o600 });
  const flags = ["--enable-source-maps", ...(options.inspect ? ["--inspect"] : [])];
  const child = spawn(process.execPath, [...flags, file], {
    cwd: options.cwd,
    env: options.env,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Ctrl-C in the terminal is for this program, which then ends the script.
    detached: process.platform !== "win32",
  });
  let isStopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      if (!isStopping) options.print(lineOf("stderr", error.message));
      resolve();
    });
    // The output is read to its end before the next script starts.
    child.once("close", (code, signal) => {
      resolve();
      if (!isStopping) options.ended(code, signal);
    });
  });
  readLines(child, options.print);
  return {
    async stop() {
      isStopping = true;
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), FORCE_MS);
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
