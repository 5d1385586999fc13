// What is too long for every `npm test`: every format and encoding of a hostile platform, 100,000 random widgets, 50,000
// malformed requests, 200 kills, the memory of a large conversion. Usage: npm run test:nightly
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
process.chdir(root);
const cli = join(root, "bin", "iot.js");
const folder = mkdtempSync(join(tmpdir(), "iot-nightly-"));
const large = join(folder, "large.jsonl");

/** Each is a line of its own in the result, and fails by its exit code. */
const steps = [
  {
    name: "tests with all their amounts",
    args: [
      "node_modules/vitest/vitest.mjs",
      "run",
      "test/commands/device-export.test.ts",
      "test/commands/profile-apply-killed.test.ts",
      "test/contract/commands-hostile.test.ts",
      "test/lib/analysis/platform.test.ts",
      "test/lib/faults/hostile-replies.test.ts",
      "test/lib/files/uploader.test.ts",
      "test/lib/widgets",
      "test/sandbox/data/query-properties.test.ts",
      "test/sandbox/kill.test.ts",
      "test/sandbox/malformed",
    ],
    env: { IOT_TEST_MATRIX: "full", IOT_TEST_CLI: cli },
  },
  { name: "80 MB of widgets are written", args: ["bench/widgets-file.js", large, "8000", "10000"] },
  {
    name: "80 MB of widgets are converted in a heap of 40 MB",
    args: [
      "--max-old-space-size=40",
      cli,
      "widget",
      "convert",
      large,
      "--out",
      join(folder, "new"),
      "-o",
      "id",
      "--yes",
    ],
    check: () => statSync(join(folder, "new", "large.jsonl")).size > 50_000_000,
  },
  { name: "kills at random moments", args: ["scripts/nightly/kill-matrix.js"] },
];

let failed = 0;
for (const { name, args, env = {}, check = () => true } of steps) {
  const { status } = spawnSync(process.execPath, args, {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...env },
  });
  const isGood = status === 0 && check();
  if (!isGood) failed += 1;
  console.log(`${isGood ? "passed" : "failed"}: ${name}`);
}
rmSync(folder, { recursive: true, force: true });
console.log(`${steps.length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
