// Makes the program one file for machines without Node: the Node that runs this, with the package and its dependencies.
//   npm pack && node scripts/single-file.js iotdeck-1.2.3.tgz iot
// What the file does when it starts is in single-file/start.js. For Linux: elsewhere, a changed Node needs a new signature.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { serialize } from "node:v8";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { inject } from "postject";

const [tarball, target] = process.argv.slice(2);
if (tarball === undefined || target === undefined) {
  console.error("usage: node scripts/single-file.js TARBALL FILE");
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "iotdeck-single-file-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const inFolder = (name) => join(folder, name);

const npm = ["install", "--prefix", inFolder("package"), "--ignore-scripts", "--no-audit", "--no-fund"];
execFileSync("npm", [...npm, "--loglevel=error", resolve(tarball)], { stdio: "inherit" });

/** The files of the package and its dependencies: path, mode, bytes. */
const files = readdirSync(inFolder("package"), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => [relative(inFolder("package"), path), statSync(path).mode, readFileSync(path)]);
// Node from nodejs.org has its license beside it, which goes where Node goes.
const license = join(dirname(process.execPath), "..", "LICENSE");
if (existsSync(license)) files.push(["NODE-LICENSE", 0o644, readFileSync(license)]);
const archive = gzipSync(serialize(files), { level: 9 });
writeFileSync(inFolder("archive"), archive);

const id = createHash("sha256").update(archive).update(process.version).digest("hex").slice(0, 16);
await build({
  entryPoints: [fileURLToPath(new URL("single-file/start.js", import.meta.url))],
  outfile: inFolder("start.cjs"),
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20.19",
  define: { ARCHIVE_ID: JSON.stringify(id) },
  logLevel: "warning",
});
const config = {
  main: inFolder("start.cjs"),
  output: inFolder("blob"),
  disableExperimentalSEAWarning: true,
  assets: { archive: inFolder("archive") },
};
writeFileSync(inFolder("sea.json"), JSON.stringify(config));
execFileSync(process.execPath, ["--experimental-sea-config", inFolder("sea.json")], { stdio: "ignore" });

// A file of its own: the Node in the system may be one that nobody may write to.
writeFileSync(target, readFileSync(process.execPath));
await inject(resolve(target), "NODE_SEA_BLOB", readFileSync(inFolder("blob")), {
  sentinelFuse: "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2",
});
chmodSync(target, 0o755);
console.log(`${target}: ${(statSync(target).size / 1e6).toFixed(0)} MB, in ${dirname(resolve(target))}`);
