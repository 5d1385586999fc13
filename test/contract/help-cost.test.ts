import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leaves } from "../helpers/leaves.ts";
import { root } from "./imports.ts";

const program = join(root, "bin", "iot.js");
const MOST_MS = 60;
/** Other programs on the machine can only make a try slower, so the quickest of both kinds says what the work takes. */
const TRIES = 12;
/** Tells the time the processor worked; that of the clock would be about the other tests as well. */
const meter = 'process.on("exit", () => require("node:fs").writeSync(3, JSON.stringify(process.cpuUsage())));';

let config = "";
beforeAll(() => {
  if (!existsSync(join(root, "dist", "cli.cjs"))) throw new Error("dist/cli.cjs is missing: run `npm run build` first");
  config = mkdtempSync(join(tmpdir(), "iotdeck-help-"));
  writeFileSync(join(config, "meter.cjs"), meter);
});
afterAll(() => rmSync(config, { recursive: true, force: true }));

function start(args: readonly string[]) {
  const { IOT_CONFIG_DIR: _own, NODE_OPTIONS: _options, ...rest } = process.env;
  const env = { ...rest, HOME: config, XDG_CACHE_HOME: join(config, "cache") };
  const line = ["--require", join(config, "meter.cjs"), ...args];
  const stdio = ["ignore", "pipe", "pipe", "pipe"] as const;
  const { status, stdout, stderr, output } = spawnSync(process.execPath, line, {
    env,
    encoding: "utf8",
    stdio: [...stdio],
  });
  const { user, system } = JSON.parse(output[3] ?? "") as NodeJS.CpuUsage;
  return { status, stdout, stderr, ms: (user + system) / 1000 };
}

describe("help of the built program", () => {
  it.each([
    ["iot", []],
    ["iot device list", ["device", "list"]],
    ["iot device data list", ["device", "data", "list"]],
    ["iot dashboard migrate", ["dashboard", "migrate"]],
    ["iot sandbox start", ["sandbox", "start"]],
  ])("%s --help takes less than 60 ms over bare Node", (_, words) => {
    let bareMs = Number.POSITIVE_INFINITY;
    let helpMs = Number.MAX_VALUE;
    for (let i = 0; i < TRIES && (i < 2 || helpMs - bareMs >= MOST_MS); i += 1) {
      bareMs = Math.min(bareMs, start(["-e", "0"]).ms);
      const help = start([program, ...words, "--help"]);
      expect(help).toMatchObject({ status: 0, stderr: "" });
      // The first try also keeps the compiled code for the others.
      if (i > 0) helpMs = Math.min(helpMs, help.ms);
    }
    expect(helpMs - bareMs).toBeLessThan(MOST_MS);
  });

  it("loads no network, screen or schema code, whatever the command", () => {
    const script = `
      const { run } = require(${JSON.stringify(join(root, "dist", "chunks", "run.cjs"))});
      const io = { stdin: undefined, write: async (text) => { count += 1; }, writeError: (text) => process.stderr.write(text),
        stdoutIsTerminal: false, stderrIsTerminal: false, stdinIsTerminal: false, columns: () => 80 };
      let count = 0;
      (async () => {
        for (const words of ${JSON.stringify(leaves.map(({ words }) => words))}) await run([...words, "--help"], {}, { io });
        const files = Object.keys(require.cache).map((path) => path.split(/[\\\\/]/).at(-1));
        const own = process.moduleLoadList.map((name) => name.replace("NativeModule ", ""));
        const loaded = [...files, ...own.filter((name) => /^(http|https|http2|tls|dgram|dns|internal\\/deps\\/undici\\/undici)$/.test(name))];
        process.stdout.write(JSON.stringify({ count, loaded }));
      })();`;
    const { status, stdout, stderr } = start(["-e", script]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({ count: leaves.length, loaded: ["meter.cjs", "run.cjs"] });
  });
});
