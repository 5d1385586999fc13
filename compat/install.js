// Installs the official packages into compat/node_modules, on first use.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const here = dirname(fileURLToPath(import.meta.url));

/** Runs a command in compat/ and returns what it prints; ends the process when it fails. */
export function run(command, args, what) {
  const { status, stdout } = spawnSync(command, args, {
    cwd: here,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    shell: process.platform === "win32",
  });
  if (status === 0) return stdout.trim();
  console.error(`error: ${what} failed.`);
  console.error("  why: It needs the package registry, once.");
  console.error("  next: Connect this machine, then run the same command again.");
  process.exit(1);
}

export function install() {
  const stamp = join(here, "node_modules", ".package-lock.json");
  if (existsSync(stamp)) return;
  console.error("info: Installing the official packages into compat/node_modules ...");
  run("npm", ["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"], "npm ci");
}
