import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * Ends the process groups it was told of when its standard input ends: that happens with the death of the sandbox,
 * however it dies, and also for scripts that never come back to their event loop.
 */
const REAPER_SOURCE = `
const groups = new Set();
let folder = "";
let rest = "";
process.stdin.setEncoding("utf8");
process.stdin.on("data", (text) => {
  const lines = (rest + text).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    if (line[0] === "=") folder = line.slice(1);
    else if (line[0] === "+") groups.add(Number(line.slice(1)));
    else groups.delete(Number(line.slice(1)));
  }
});
process.stdin.on("close", () => {
  for (const pid of groups) {
    try {
      process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
    } catch {}
  }
  if (folder !== "") require("node:fs").rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  process.exit(0);
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
`;

/** Watches over the processes of a sandbox that may be killed at any moment. */
export interface Reaper {
  watch(pid: number): void;
  forget(pid: number): void;
  /** A folder to remove with the processes when the sandbox is killed. */
  clean(folder: string): void;
  close(): void;
}

/** Kills a process with everything it started. One that is gone is no trouble. */
export function killGroup(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}

/** Starts its process with the first one to watch. It never keeps the sandbox alive. */
export function createReaper(): Reaper {
  let child: ChildProcess | undefined;
  let input: (Writable & { unref?: () => void }) | undefined;

  const tell = (line: string): void => {
    if (child === undefined) {
      // A group of its own: a signal for the sandbox's terminal must not end it first.
      child = spawn(process.execPath, ["-e", REAPER_SOURCE], {
        detached: true,
        stdio: ["pipe", "ignore", "ignore"],
        env: {},
        windowsHide: true,
      });
      child.on("error", () => {});
      child.unref();
      input = child.stdin ?? undefined;
      input?.on("error", () => {});
      // The pipe to it does not keep the sandbox alive either.
      input?.unref?.();
    }
    input?.write(`${line}\n`);
  };

  return {
    watch: (pid) => tell(`+${pid}`),
    forget: (pid) => tell(`-${pid}`),
    clean: (folder) => tell(`=${folder}`),
    close: () => {
      input?.end("=\n");
      child = undefined;
      input = undefined;
    },
  };
}
