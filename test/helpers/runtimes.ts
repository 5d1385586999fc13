import { spawnSync } from "node:child_process";

/** Whether a program that runs scripts is installed on this machine. */
export const hasRuntime = (command: "deno" | "python3"): boolean =>
  spawnSync(command, ["--version"], { stdio: "ignore" }).status === 0;
