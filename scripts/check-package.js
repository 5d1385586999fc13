// Packs the package, installs the tarball into fresh projects, and runs it there: ES modules, CommonJS, the command, the
// types. On the Node that runs this and on those of the arguments, which npx fetches:
//   node scripts/check-package.js [20] [22] [24]
import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const MIB = 1024 * 1024;
const INSTALLED_MIB = 10;
const PACKED_BYTES = 2_500_000;
const PACKAGES = 2;

const folder = mkdtempSync(join(tmpdir(), "iotdeck-check-"));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
const { NODE_PATH: _path, NODE_OPTIONS: _options, ...env } = process.env;

let faults = 0;
function report(name, isGood, note = "") {
  if (!isGood) faults += 1;
  console.log(`${isGood ? "ok    " : "FAILED"} ${name}${note === "" ? "" : `: ${note}`}`);
}

function run(name, command, args, options = {}) {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env, timeout: 120_000, ...options });
  const text = `${stdout}${stderr}`.trim();
  report(name, status === 0 && stderr.trim() === "", status === 0 ? text.split("\n").at(-1) : text);
  return stdout;
}

const npm = (args, cwd) => execFileSync("npm", [...args, "--loglevel=error"], { cwd, encoding: "utf8", env });
const filesOf = (path) => readdirSync(path, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

if (!existsSync(join(root, "dist", "cli.cjs"))) execFileSync(process.execPath, [join(root, "scripts", "build.js")]);
const [{ filename, size }] = JSON.parse(
  npm(["pack", "--json", "--ignore-scripts", "--pack-destination", folder], root),
);
const tarball = join(folder, filename);

function project(name, manifest, more = []) {
  const path = join(folder, name);
  mkdirSync(path);
  writeFileSync(join(path, "package.json"), JSON.stringify({ name, private: true, ...manifest }));
  npm(["install", "--no-audit", "--no-fund", "--prefer-offline", ...more, tarball], path);
  return path;
}

// What is installed.
const lean = project("lean", { type: "module" }, ["--omit=optional"]);
const installed = filesOf(join(lean, "node_modules")).filter(({ name }) => name !== ".package-lock.json");
const bytes = installed.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
const packages = installed.filter(
  ({ parentPath, name }) => name === "package.json" && /node_modules[\\/](@[^\\/]+[\\/])?[^\\/]+$/.test(parentPath),
);
report("installed size", bytes <= INSTALLED_MIB * MIB, `${(bytes / MIB).toFixed(2)} MiB, at most ${INSTALLED_MIB}`);
report("packed size", size <= PACKED_BYTES, `${(size / 1e6).toFixed(2)} MB, at most ${PACKED_BYTES / 1e6}`);
report("installed packages", packages.length <= PACKAGES, `${packages.length}, at most ${PACKAGES}`);
const home = join(lean, "node_modules", "iotdeck");
for (const name of ["LICENSE", "README.md", "dist/THIRD-PARTY-LICENSES.txt"])
  report(name, existsSync(join(home, name)));
const manifest = JSON.parse(readFileSync(join(home, "package.json"), "utf8"));
const targets = (value) => (typeof value === "string" ? [value] : Object.values(value).flatMap(targets));
const missing = targets(manifest.exports).filter((path) => !path.includes("*") && !existsSync(join(home, path)));
report("every file the exports name", missing.length === 0, missing.join(", "));

// Programs.
const full = project("esm", { type: "module" });
cpSync(join(root, "scripts", "anywhere"), join(full, "anywhere"), { recursive: true });
const esm = `
import * as library from "iotdeck";
import * as sandboxModule from "iotdeck/sandbox";
import { openPlace } from "./place.js";
import { runProgram } from "./program.js";
const { sandbox, place } = await openPlace(sandboxModule);
const done = await runProgram(library, place);
await sandbox.close();
console.log(done.length, "steps");`;
const cjs = `
const library = require("iotdeck");
const sandboxModule = require("iotdeck/sandbox");
(async () => {
  const { openPlace } = await import("./place.js");
  const { runProgram } = await import("./program.js");
  const { sandbox, place } = await openPlace(sandboxModule);
  const done = await runProgram(library, place);
  await sandbox.close();
  console.log(done.length, "steps");
})();`;
// The place of the project's own sandbox: the built one of the working copy is not looked at.
writeFileSync(join(full, "anywhere", "esm.js"), esm);
writeFileSync(join(full, "anywhere", "cjs.cjs"), cjs);

// Types, as three kinds of projects resolve them, with the library's own declarations checked too.
const typed = `
import { type AnalysisContext, ApiError, Device, type DeviceInfo, Resources, Services } from "iotdeck";
import { createSandbox } from "iotdeck/sandbox";
const { devices } = new Resources({ token: "t", region: "eu-w1" });
export const moments: Promise<(number | undefined)[]> = devices
  .list({ fields: ["last_input"] })
  .then((rows) => rows.map(({ last_input }) => last_input?.getTime()));
export const info: Promise<DeviceInfo> = devices.info("d");
export const data = new Device({ token: "t" }).getData({ query: "last_item" });
export const status = (error: unknown): number => (error instanceof ApiError ? error.status : 0);
export const log = ({ log }: AnalysisContext): void => log("ok");
export const sms = (): Promise<string> => Services.sms.send({ to: "1", message: "m" });
export const url: Promise<string> = createSandbox({ port: 0 }).then((one) => one.url);
// @ts-expect-error a promise is no number
export const wrong: number = devices.info("d");
`;
writeFileSync(join(full, "typed.mts"), typed);
writeFileSync(join(full, "typed.cts"), typed);
writeFileSync(join(full, "typed.ts"), typed);
cpSync(join(root, "node_modules", "@types", "node"), join(full, "node_modules", "@types", "node"), {
  recursive: true,
  dereference: true,
});
cpSync(join(root, "node_modules", "undici-types"), join(full, "node_modules", "undici-types"), {
  recursive: true,
  dereference: true,
});
const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
const strict = [
  "--noEmit",
  "--strict",
  "--exactOptionalPropertyTypes",
  "--noUncheckedIndexedAccess",
  "--target",
  "es2023",
];
const forms = {
  nodenext: ["--module", "nodenext", "typed.mts", "typed.cts"],
  node16: ["--module", "node16", "typed.mts", "typed.cts"],
  bundler: ["--module", "esnext", "--moduleResolution", "bundler", "typed.ts"],
  "bundler, for browsers": [
    "--module",
    "esnext",
    "--moduleResolution",
    "bundler",
    "--customConditions",
    "browser",
    "typed.ts",
  ],
};
for (const [name, args] of Object.entries(forms)) {
  const lib = ["--lib", "es2023,dom,dom.iterable,dom.asynciterable", "--types", "node"];
  run(`types, ${name}`, process.execPath, [tsc, ...strict, "--skipLibCheck", "false", ...lib, ...args], { cwd: full });
}

// Every Node.
const versions = process.argv.slice(2);
const nodes = new Map([[process.version, process.execPath]]);
for (const version of versions) {
  const print = [
    "--yes",
    "--loglevel=error",
    `--package=node@${version}`,
    "node",
    "-p",
    "process.execPath + ' ' + process.version",
  ];
  const [path, exact] = execFileSync("npx", print, { encoding: "utf8", cwd: folder, env }).trim().split(" ");
  nodes.set(exact, path);
}
for (const [version, node] of nodes) {
  run(`${version} ES modules`, node, [join(full, "anywhere", "esm.js")], { cwd: full });
  run(`${version} CommonJS`, node, [join(full, "anywhere", "cjs.cjs")], { cwd: full });
  const path = [dirname(node), join(full, "node_modules", ".bin"), env.PATH].join(delimiter);
  const config = join(folder, `config-${version}`);
  const place = { cwd: full, env: { ...env, PATH: path, IOT_CONFIG_DIR: config } };
  const shown = run(`${version} iot --version`, "iot", ["--version"], place).trim();
  report(`${version} iot is this version`, shown === manifest.version, shown);
  const exec = ["sandbox", "exec", "--", "iot", "device", "list", "-o", "id"];
  const ids = spawnSync("iot", exec, { ...place, encoding: "utf8", timeout: 60_000 });
  const found = ids.stdout.trim().split("\n").length;
  report(
    `${version} iot sandbox exec -- iot device list`,
    ids.status === 0 && found > 5,
    ids.status === 0 ? `${found} devices` : ids.stderr,
  );
}

console.log(faults === 0 ? "all good" : `${faults} failed`);
process.exitCode = faults === 0 ? 0 : 1;
