import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type CiProject, ciProject, root } from "./ci-project.ts";
import { packFolder } from "./registry.ts";

/** True where a Docker daemon answers. It downloads the base image and packages by itself. */
export function hasDocker(): boolean {
  return spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0;
}

export function docker(...args: readonly string[]): string {
  return execFileSync("docker", args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], timeout: 300_000 }).trim();
}

/** The project with this package as a file, as the package may not be in a registry, and with a lock file. */
export function dockerProject(): CiProject {
  const project = ciProject();
  const { folder } = project;
  rmSync(join(folder, "node_modules"), { recursive: true });
  const packed = basename(packFolder(root, folder));
  const manifest = readFileSync(join(folder, "package.json"), "utf8");
  writeFileSync(join(folder, "package.json"), manifest.replace(/"iotdeck": ".*"/, `"iotdeck": "file:${packed}"`));
  const file = join(folder, "Dockerfile");
  const copied = readFileSync(file, "utf8").replace("package-lock.json ./", `package-lock.json ${packed} ./`);
  writeFileSync(file, copied);
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts"], { cwd: folder, stdio: "pipe" });
  return project;
}
