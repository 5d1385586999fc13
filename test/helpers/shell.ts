import { spawn } from "node:child_process";
import type { CliResult } from "./cli.ts";
import { HANG_MS } from "./wait-for.ts";

/** Runs a line as a person types it, through `sh`. */
export function shell(
  line: string,
  options: {
    readonly env: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly stdin?: string;
    /** When it counts as hanging. */
    readonly hangMs?: number;
  },
): Promise<CliResult> {
  const child = spawn("sh", ["-c", line], { env: { ...options.env }, cwd: options.cwd, stdio: "pipe", detached: true });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    stdout += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.stdin ?? "");
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // The whole group: the line may have started other programs.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      reject(new Error(`${line} did not end; it printed:\n${stdout}${stderr}`));
    }, options.hangMs ?? HANG_MS);
    child.once("error", reject);
    child.once("close", (code) => {
      clearTimeout(timer);
      resolve({ code: code ?? -1, stdout, stderr });
    });
  });
}
