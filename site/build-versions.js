// Builds the pages of earlier releases, the rest of versions.json, from their tags into folders of the site.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const list = join(root, "site", "versions.json");
const [, ...earlier] = JSON.parse(readFileSync(list, "utf8"));

for (const version of earlier) {
  const folder = mkdtempSync(join(tmpdir(), "iotdeck-site-"));
  const run = (command, args, cwd) =>
    execFileSync(command, args, { cwd, stdio: "inherit", env: { ...process.env, SITE_VERSION: version } });
  try {
    run("git", ["worktree", "add", "--detach", folder, `v${version}`], root);
    run("npm", ["ci", "--ignore-scripts", "--loglevel=error"], folder);
    run("npm", ["ci", "--prefix", "site", "--loglevel=error"], folder);
    // All releases show the same versions.
    cpSync(list, join(folder, "site", "versions.json"));
    run("npm", ["run", "build:pages", "--prefix", "site"], folder);
    cpSync(join(folder, "site", "dist"), join(root, "site", "dist", version), { recursive: true });
  } finally {
    rmSync(folder, { recursive: true, force: true });
    run("git", ["worktree", "prune"], root);
  }
}
