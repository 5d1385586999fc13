import { spawn } from "node:child_process";
import { delimiter } from "node:path";
import { LineReader } from "./output.ts";
import { isMissing, missingText, type Program } from "./programs.ts";
import { killGroup, type Reaper } from "./reaper.ts";
import type { RunFolder } from "./workspace.ts";

/** Most bytes a script can print in one run; the rest is dropped. */
const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Output of processes the script left behind is read for this long after its end. */
const DRAIN_MS = 500;

/** Environment variables that scripts see. Others may contain secrets. */
const INHERITED = [
  ...["PATH", "HOME", "LANG", "TZ", "TMPDIR", "TEMP", "TMP", "SystemRoot", "NODE_EXTRA_CA_CERTS"],
  // Where Deno stores the packages it has loaded.
  ...["DENO_DIR", "XDG_CACHE_HOME", "LOCALAPPDATA"],
];

export interface ScriptRun {
  readonly program: Program;
  readonly folder: RunFolder;
  readonly modulePaths: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly reaper: Reaper;
  readonly print: (lines: readonly string[], isError: boolean) => void;
}

export type ScriptEnd =
  | { readonly kind: "ended"; readonly code: number }
  | { readonly kind: "timeout" }
  | { readonly kind: "killed"; readonly signal: string }
  | { readonly kind: "failed"; readonly message: string };

export interface RunningScript {
  readonly ended: Promise<ScriptEnd>;
  kill(): void;
}

function environmentOf(run: ScriptRun): Record<string, string> {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(inherited),
    ...run.program.variables,
    NODE_PATH: run.modulePaths.join(delimiter),
    ...run.environment,
  };
}

function endOf(code: number | null, signal: string | null): ScriptEnd {
  return code === null ? { kind: "killed", signal: signal ?? "" } : { kind: "ended", code };
}

/** The output of a script, in lines, up to its limit. */
function limitedOutput(print: ScriptRun["print"]) {
  let left = MAX_OUTPUT_BYTES;
  const output = new LineReader((lines) => print(lines, false));
  const errors = new LineReader((lines) => print(lines, true));
  const end = (): void => {
    output.end();
    errors.end();
  };
  const takeInto = (reader: LineReader) => (bytes: Uint8Array) => {
    if (left <= 0) return;
    reader.write(bytes.subarray(0, left));
    left -= bytes.length;
    if (left > 0) return;
    end();
    print([`The output is longer than ${MAX_OUTPUT_BYTES / 1024 / 1024} MiB: the rest is left out`], true);
  };
  return {
    takeOutput: takeInto(output),
    takeErrors: takeInto(errors),
    end: () => {
      if (left > 0) end();
    },
  };
}

/** Runs a script in a separate process group, which has ended when `ended` resolves. */
export function runScript(run: ScriptRun): RunningScript {
  const { folder, print, program, reaper, timeoutMs } = run;
  const text = limitedOutput(print);
  let timedOut = false;
  let kill = (): void => {};
  const ended = new Promise<ScriptEnd>((resolve) => {
    const child = spawn(program.command, program.args(folder.file), {
      cwd: folder.folder,
      env: environmentOf(run),
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
      windowsHide: true,
    });
    const { pid } = child;
    if (pid === undefined) {
      child.on("error", (error) =>
        resolve({ kind: "failed", message: isMissing(error) ? missingText(program) : error.message }),
      );
      return;
    }
    reaper.watch(pid);
    kill = () => killGroup(pid);
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup(pid);
    }, timeoutMs).unref();
    child.stdout?.on("data", text.takeOutput);
    child.stderr?.on("data", text.takeErrors);
    child.on("error", () => {});
    let drain: NodeJS.Timeout | undefined;
    child.on("exit", (code, signal) => {
      clearTimeout(timer);
      // Also kills what the script started and left behind, which would keep the output open.
      killGroup(pid);
      reaper.forget(pid);
      const finish = (): void => {
        clearTimeout(drain);
        child.stdout?.destroy();
        child.stderr?.destroy();
        text.end();
        resolve(timedOut ? { kind: "timeout" } : endOf(code, signal));
      };
      child.on("close", finish);
      drain = setTimeout(finish, DRAIN_MS).unref();
    });
  });
  return { ended, kill: () => kill() };
}
