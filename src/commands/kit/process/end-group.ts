import { type ChildProcess, spawn } from "node:child_process";

/** Ends a process that leads a group, and everything it has started. */
export function endGroup(
  child: ChildProcess,
  signal: "SIGTERM" | "SIGKILL",
  platform: string = process.platform,
): void {
  if (child.pid === undefined) return;
  try {
    // Windows has no groups and no signals that ask: taskkill ends the tree at once.
    if (platform === "win32")
      spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], { stdio: "ignore", windowsHide: true }).once(
        "error",
        () => child.kill(),
      );
    else process.kill(-child.pid, signal);
  } catch {
    // It has ended by itself meanwhile.
  }
}
