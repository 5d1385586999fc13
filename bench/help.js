// Measures `--help` of every command against bare Node, with the built program: node bench/help.js [tries]
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const tries = Number(process.argv[2] ?? 5);
const program = fileURLToPath(new URL("../bin/iot.js", import.meta.url));
const config = mkdtempSync(join(tmpdir(), "iotdeck-help-"));
const { IOT_CONFIG_DIR: _own, ...rest } = process.env;
const env = { ...rest, HOME: config, XDG_CACHE_HOME: join(config, "cache") };

function timeMs(args) {
  const start = process.hrtime.bigint();
  const { status, stdout } = spawnSync(process.execPath, args, { env, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}`);
  return { ms: Number(process.hrtime.bigint() - start) / 1e6, stdout };
}

/** The quickest of several tries: what the work takes when nothing else disturbs it. Both kinds take turns. */
function overBareMs(words) {
  let bare = Number.POSITIVE_INFINITY;
  let help = Number.POSITIVE_INFINITY;
  for (let i = 0; i < tries; i += 1) {
    bare = Math.min(bare, timeMs(["-e", "0"]).ms);
    help = Math.min(help, timeMs([program, ...words, "--help"]).ms);
  }
  return help - bare;
}

const schemas = JSON.parse(timeMs([program, "help", "schema"]).stdout);
const commands = Object.keys(schemas).map((title) => title.split(" ").slice(1));
const rows = commands.map((words) => ({ words, ms: overBareMs(words) })).sort((a, b) => b.ms - a.ms);
rmSync(config, { recursive: true, force: true });

const all = rows.map(({ ms }) => ms);
const middle = all[Math.floor(all.length / 2)] ?? 0;
for (const { words, ms } of rows.slice(0, 10))
  console.log(`${ms.toFixed(1).padStart(7)} ms  iot ${words.join(" ")} --help`);
console.log(
  `${rows.length} commands: median ${middle.toFixed(1)} ms, slowest ${all[0]?.toFixed(1)} ms over bare Node (limit 60).`,
);
process.exitCode = (all[0] ?? 0) < 60 ? 0 : 1;
