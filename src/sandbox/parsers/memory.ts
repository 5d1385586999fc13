import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const KIB = 1024;

async function residentKib(pid: number): Promise<number> {
  if (process.platform === "linux") {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]);
  }
  const { stdout } = await promisify(execFile)("ps", ["-o", "rss=", "-p", String(pid)]);
  return Number.parseInt(stdout, 10);
}

/** Memory of a process in bytes; 0 once it has ended, and where the system cannot report it (Windows). */
export async function residentBytes(pid: number): Promise<number> {
  try {
    return (await residentKib(pid)) * KIB || 0;
  } catch {
    return 0;
  }
}
