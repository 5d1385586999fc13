import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * Kills the registered process groups when its standard input ends: that happens when the sandbox dies, however it
 * dies, and also works for scripts that never return to their event loop.
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

/** Kills a process with everything it started. One that has ended is ignored. */
export function killGroup(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It ended by itself in the meantime.
  }
}

/**
 * Kills the processes of a sandbox that is killed. The reaper starts with the first process to watch, and never keeps
 * the sandbox alive.
 */
export class Reaper {
  #child: ChildProcess | undefined;
  #input: (Writable & { unref?: () => void }) | undefined;

  watch(pid: number): void {
    this.#tell(`+${pid}`);
  }

  forget(pid: number): void {
    this.#tell(`-${pid}`);
  }

  /** A folder to remove with the processes when the sandbox is killed. */
  clean(folder: string): void {
    this.#tell(`=${folder}`);
  }

  close(): void {
    this.#input?.end("=\n");
    this.#child = undefined;
    this.#input = undefined;
  }

  #tell(line: string): void {
    if (this.#child === undefined) {
      // A separate process group: a signal for the sandbox's terminal must not end it first.
      this.#child = spawn(process.execPath, ["-e", REAPER_SOURCE], {
        detached: true,
        stdio: ["pipe", "ignore", "ignore"],
        env: {},
        windowsHide: true,
      });
      this.#child.on("error", () => {});
      this.#child.unref();
      this.#input = this.#child.stdin ?? undefined;
      this.#input?.on("error", () => {});
      // The pipe does not keep the sandbox alive either.
      this.#input?.unref?.();
    }
    this.#input?.write(`${line}\n`);
  }
}
