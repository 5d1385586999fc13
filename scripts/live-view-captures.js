// Writes the pictures in docs/live-view.md: the built program plays a recording in a pseudo-terminal, and its screen is
// copied as text. node scripts/live-view-captures.js
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, "docs", "live-view.md");
const folder = mkdtempSync(join(tmpdir(), "iot-captures-"));
const recording = join(folder, "pump.ndjson");
const startMs = Date.parse("2026-03-02T14:03:00Z");
const device = "65a1000000000000000d0001";
const entry = (n) => ({
  type: "event",
  atMs: startMs + n * 500,
  channel: `device_data.${device}`,
  payload: [
    {
      device,
      variable: n % 2 === 0 ? "pressure" : "temperature",
      unit: n % 2 === 0 ? "bar" : "°C",
      value: Number((n % 2 === 0 ? 4 + 0.4 * Math.sin(n / 9) : 21 + 2 * Math.cos(n / 14)).toFixed(2)),
      time: new Date(startMs + n * 500).toISOString(),
    },
  ],
});
const head = {
  recording: "iotdeck-stream",
  version: 1,
  channels: ["device_data"],
  names: { [device]: "Pump 3" },
  startedAt: new Date(startMs).toISOString(),
};
const gap = { type: "gap", atMs: startMs + 56_000, lostAtMs: startMs + 54_000, resumedAtMs: startMs + 56_000 };
const entries = Array.from({ length: 120 }, (_, n) => entry(n)).filter(
  ({ atMs }) => atMs <= gap.lostAtMs || atMs > gap.resumedAtMs,
);
writeFileSync(
  recording,
  [head, ...[...entries, gap].sort((a, b) => a.atMs - b.atMs)].map((one) => JSON.stringify(one)).join("\n"),
);

async function capture([cols, rows], keys, flags, ready) {
  const { CI: _, ...env } = process.env;
  const screen = new headless.Terminal({ cols, rows, allowProposedApi: true });
  const args = [
    join(root, "bin", "iot.js"),
    "stream",
    "--replay",
    "pump.ndjson",
    "--speed",
    "0",
    "--tz",
    "UTC",
    ...flags,
  ];
  const child = spawn(process.execPath, args, { cols, rows, cwd: folder, env: { ...env, IOT_CONFIG_DIR: folder } });
  child.onData((data) => screen.write(data));
  const text = async () => {
    await new Promise((resolve) => screen.write("", resolve));
    const lines = Array.from(
      { length: rows },
      (_, i) => screen.buffer.active.getLine(i)?.translateToString(true) ?? "",
    );
    return lines
      .map((line) => line.trimEnd())
      .join("\n")
      .trimEnd();
  };
  const until = async (pattern) => {
    for (
      const end = Date.now() + 20_000;
      !pattern.test(await text());
      await new Promise((resolve) => setTimeout(resolve, 50))
    )
      if (Date.now() > end) throw new Error(`The screen never showed ${pattern}:\n${await text()}`);
  };
  await until(/STOPPED/);
  child.write(keys);
  await until(ready);
  const result = await text();
  child.write("\u0003");
  await new Promise((resolve) => child.onExit(resolve));
  return result;
}

const captures = {
  "80x24": await capture([80, 24], "", [], /trend/),
  "120x40, every record": await capture([120, 40], "gg", [], /\[every record\]/),
  "50x15, --ascii": await capture([50, 15], "", ["--ascii"], /trend/),
  keys: await capture([80, 24], "?", [], /redraw the screen/),
};
let text = readFileSync(page, "utf8");
for (const [name, picture] of Object.entries(captures)) {
  const block = new RegExp(`(<!-- capture: ${name} -->\n\`\`\`text\n)[\\s\\S]*?(\n\`\`\`)`);
  if (!block.test(text)) throw new Error(`docs/live-view.md has no place for "${name}"`);
  text = text.replace(block, (_all, before, after) => `${before}${picture}${after}`);
}
writeFileSync(page, text);
rmSync(folder, { recursive: true, force: true });
