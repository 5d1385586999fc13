// Runs the program in anywhere/program.js on Deno and Bun, fetched from the package registry, against a sandbox.
//   node scripts/check-platforms.js [deno] [bun]
import { spawn, spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { openPlace } from "./anywhere/place.js";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const direct = join(root, "scripts", "anywhere", "direct.js");
const module = pathToFileURL(join(root, "dist", "index.js")).href;
const platforms = { deno: ["deno", "run", "-A", direct], bun: ["bun", direct] };
const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(platforms);

const { sandbox, place } = await openPlace(await import("../dist/sandbox.js"));
for (const name of wanted) {
  const npx = ["--yes", "--prefer-offline", "--loglevel=error"];
  const version = spawnSync("npx", [...npx, name, "--version"], { encoding: "utf8" }).stdout.split("\n")[0];
  const child = spawn("npx", [...npx, ...platforms[name], module, JSON.stringify(place)], { timeout: 60_000 });
  let text = "";
  child.stdout.on("data", (part) => (text += part));
  child.stderr.on("data", (part) => (text += part));
  const code = await new Promise((resolve) => child.once("close", resolve));
  console.log(`${version.replace(/^(?=\d)/, `${name} `)}: ${code === 0 ? "ok" : `failed (${code})`}: ${text.trim()}`);
  if (code !== 0) process.exitCode = 1;
}
await sandbox.close();
