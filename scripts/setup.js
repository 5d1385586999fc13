// Makes a clone ready: installs what is missing and builds what is out of date. Needs nothing but Node and npm.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`error: Node ${process.versions.node} is too old.`);
  console.error("  why: iotdeck runs on Node 20.19 and newer.");
  console.error("  next: Install a newer Node, then run the same command again.");
  process.exit(1);
}

function filesUnder(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesUnder(path) : [path];
  });
}

function fingerprint(paths) {
  const hash = createHash("sha256");
  for (const path of paths.sort()) hash.update(path).update("\0").update(readFileSync(path)).update("\0");
  return hash.digest("hex");
}

function isCurrent(stamp, print) {
  return existsSync(stamp) && readFileSync(stamp, "utf8") === print;
}

function npm(...args) {
  // npm is a script of its own on Windows; the path of the running one is known inside `npm run`.
  const own = process.env.npm_execpath;
  const viaNode = own !== undefined && /\.c?js$/.test(own);
  const [command, list] = viaNode ? [process.execPath, [own, ...args]] : ["npm", args];
  const result = spawnSync(command, list, {
    stdio: ["ignore", "inherit", "inherit"],
    shell: !viaNode && process.platform === "win32",
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

const lockPrint = fingerprint(["package.json", "package-lock.json"]) + process.platform + process.arch;
if (!isCurrent("node_modules/.iotdeck-install", lockPrint)) {
  console.error("info: Installing the packages of the lock file ...");
  npm("ci", "--include=dev", "--no-fund", "--no-audit", "--loglevel=error");
  writeFileSync("node_modules/.iotdeck-install", lockPrint);
}

if (!process.argv.includes("--no-build")) {
  const sources = [...filesUnder("src"), ...filesUnder("scripts"), "tsconfig.json", "tsconfig.build.json"];
  const sourcePrint = fingerprint(sources.filter((path) => statSync(path).isFile())) + lockPrint;
  if (!isCurrent("dist/meta/build-stamp", sourcePrint)) {
    console.error("info: Building ...");
    execFileSync(process.execPath, ["scripts/build.js"], { stdio: "inherit" });
    mkdirSync("dist/meta", { recursive: true });
    writeFileSync("dist/meta/build-stamp", sourcePrint);
  }
}
