import { readFileSync } from "node:fs";

/** Whether a process runs. One that has ended and that its parent has not collected yet (a zombie) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
  return stateOf(pid) !== "Z";
}

/** State letter of a process on Linux, where the first process of a container may take seconds to collect orphans. */
function stateOf(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // `12 (a name) Z 1 ...`; the name may hold parentheses.
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    return text[text.lastIndexOf(")") + 2];
  } catch {
    return undefined;
  }
}
