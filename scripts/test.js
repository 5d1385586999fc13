// Everything `npm test` stands for, in order: lint, types, build, all tests. Stops at the first step that fails.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const report = "test-report.json";
rmSync(report, { force: true });

const bin = (name) => {
  const { bin: entry } = JSON.parse(readFileSync(join("node_modules", name, "package.json"), "utf8"));
  return join(
    "node_modules",
    name,
    typeof entry === "string" ? entry : (entry[name.split("/").pop()] ?? Object.values(entry)[0]),
  );
};

const steps = [
  ["lint", [bin("@biomejs/biome"), "check", "."]],
  ["types", [join("node_modules", "typescript", "bin", "tsc"), "--noEmit"]],
  ["types of the tests", [join("node_modules", "typescript", "bin", "tsc"), "--noEmit", "-p", "test/tsconfig.json"]],
  [
    "tests",
    [
      join("node_modules", "vitest", "vitest.mjs"),
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ],
  ],
];

for (const [name, args] of steps) {
  console.error(`\n== ${name}`);
  // The commands are tested as they are shipped.
  const env = { ...process.env, IOT_TEST_CLI: join(root, "bin", "iot.js") };
  const { status, signal } = spawnSync(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"], env });
  if (status === 0) continue;
  if (name !== "tests") console.error(`error: The step "${name}" failed${signal ? ` (${signal})` : ""}.`);
  finish(1);
}
finish(0);

function finish(code) {
  if (existsSync(report)) {
    const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, "utf8"));
    // A file that could not even be loaded has no tests to count; it still failed.
    const failed = numFailedTests === 0 && numFailedTestSuites > 0 ? numFailedTestSuites : numFailedTests;
    console.log(`tests: ${numPassedTests} passed, ${failed} failed`);
  }
  process.exit(code);
}
