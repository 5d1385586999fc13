// Runs tests that require the library, and a global set-up that starts the sandbox, under Jest 29 and 30 with their
// defaults. Installs both on first use.
//   node compat/jest/run.js
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = dirname(dirname(here));

if (!existsSync(join(here, "node_modules", ".package-lock.json"))) {
  console.error("info: Installing Jest into compat/jest/node_modules ...");
  const install = ["ci", "--ignore-scripts", "--no-fund", "--no-audit", "--loglevel=error"];
  const { status } = spawnSync("npm", install, { cwd: here, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(1);
}

// Copied, not linked: Jest looks at the real path, and transforms what is not below a folder node_modules.
const folder = mkdtempSync(join(tmpdir(), "iotdeck-jest-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const packages = join(folder, "node_modules");
cpSync(join(here, "program"), folder, { recursive: true });
for (const name of ["package.json", "dist"])
  cpSync(join(root, name), join(packages, "iotdeck", name), { recursive: true });
const { dependencies, optionalDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
  mkdirSync(dirname(join(packages, name)), { recursive: true });
  symlinkSync(join(root, "node_modules", name), join(packages, name), "junction");
}

for (const peer of ["jest-29", "jest-30"]) {
  const home = join(here, "node_modules", peer);
  console.log(`Jest ${JSON.parse(readFileSync(join(home, "package.json"), "utf8")).version}`);
  // Either could change what is tested: the default transport, Jest without ES modules.
  const { IOT_TRANSPORT: _transport, NODE_OPTIONS: _options, ...env } = process.env;
  const { status } = spawnSync(process.execPath, [join(home, "bin", "jest.js")], {
    cwd: folder,
    env,
    stdio: "inherit",
    timeout: 120_000,
  });
  if (status !== 0) process.exitCode = 1;
}
