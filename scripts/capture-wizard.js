// Walks through the migration wizard in a pseudo-terminal and writes what is seen to docs/screens/.
// Usage: node scripts/capture-wizard.js   (needs a build: npm run build)
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spawn } from "@lydell/node-pty";
import headless from "@xterm/headless";
import { createSandbox } from "../dist/sandbox.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const out = join(root, "docs", "screens");
mkdirSync(out, { recursive: true });
const end = "\u001b[F";

/** What is typed, what is waited for, and what the screen is then called. */
const screenSteps = [
  ["", /Plant, old widgets +40 legacy/, "1-choose"],
  ["\r", /1 of 1/, "2-scan"],
  ["\r", /\[diff\]|Widgets/, "3-review"],
  ["\t", /\[diff\]/, "3-review-detail"],
  ["tt", /\[notes\]/, "3-review-notes"],
  ["\t\r", /Weather station: keep/, "4-target"],
  [`${end}\r`, /\d+ of 40[\s\S]*converted/, "5-apply"],
  ["", /step 6 of 6/, "6-report"],
];
const lineSteps = [
  ["", /q\s+to\s+quit:/],
  ["/old\r", /\/old[\s\S]*1\. Plant, old[\s\S]*q\s+to\s+quit:/],
  ["1\r", /q\s+quits:/],
  ["1\r", /old: "updated_at"[\s\S]*q\s+quits:/],
  ["\r", /Default:\s+1\./],
  ["\r", /\(migrated\)":$/],
  ["\r", /empty\s+to\s+continue:$/],
  ["\r", /empty\s+to\s+skip:$/],
  ["\r", /\[y\/N\]$/],
  ["y\r", /Repeat this without prompts/],
];

await capture({ columns: 80, rows: 24, steps: screenSteps, env: { NO_COLOR: "1" } });
await capture({ columns: 120, rows: 40, steps: screenSteps });
await capture({ columns: 60, rows: 16, steps: screenSteps, args: ["--ascii"] });
await capture({ columns: 50, rows: 15, steps: lineSteps });

async function capture({ columns, rows, steps, args = [], env = {} }) {
  const sandbox = await createSandbox({ ephemeral: true });
  const folder = mkdtempSync(join(tmpdir(), "iot-capture-"));
  const screen = new headless.Terminal({ cols: columns, rows, scrollback: 5000, allowProposedApi: true });
  const child = spawn(process.execPath, [join(root, "bin", "iot.js"), "dashboard", "migrate", ...args], {
    cols: columns,
    rows,
    cwd: folder,
    env: {
      PATH: process.env["PATH"],
      HOME: folder,
      TERM: "xterm-256color",
      IOT_CONFIG_DIR: join(folder, "config"),
      IOT_API_URL: sandbox.url,
      IOT_TOKEN: sandbox.tokens.profile,
      ...env,
    },
  });
  child.onData((data) => screen.write(data));
  const shown = () => {
    const buffer = screen.buffer.active;
    const lines = Array.from({ length: buffer.length }, (_, i) => buffer.getLine(i)?.translateToString(true) ?? "");
    while (lines.at(-1) === "") lines.pop();
    return lines
      .map((line) => line.trimEnd())
      .join("\n")
      .replaceAll(sandbox.url, "http://127.0.0.1:4000")
      .replaceAll(folder, "~");
  };
  for (const [keys, pattern, name] of steps) {
    child.write(keys);
    await until(() => pattern.test(shown()), `${pattern} at ${columns}x${rows}`, shown);
    if (name !== undefined) writeFileSync(join(out, `wizard-${columns}x${rows}-${name}.txt`), `${shown()}\n`);
  }
  if (steps === lineSteps) writeFileSync(join(out, `wizard-${columns}x${rows}-questions.txt`), `${shown()}\n`);
  child.kill("SIGKILL");
  await sandbox.close();
  rmSync(folder, { recursive: true, force: true });
}

async function until(condition, what, shown) {
  const deadline = Date.now() + 30_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error(`Never seen: ${what}\n${shown()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
