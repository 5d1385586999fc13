// Everything `npm test` stands for: lint and types side by side, then all tests. The build was made before, by setup.js.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
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

const tsc = join("node_modules", "typescript", "bin", "tsc");

/** Steps of a row run at the same time. */
const rows = [
  [
    { name: "types", args: [tsc, "-p", "test/tsconfig.json"] },
    { name: "lint", args: [bin("@biomejs/biome"), "check", "."] },
  ],
  [
    {
      name: "tests",
      args: [
        join("node_modules", "vitest", "vitest.mjs"),
        "run",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${report}`,
        ...process.argv.slice(2),
      ],
    },
  ],
];

// The commands are tested as they are shipped.
const env = { ...process.env, IOT_TEST_CLI: join(root, "bin", "iot.js") };

function runStep({ name, args }) {
  return new Promise((resolve) => {
    console.error(`== ${name}`);
    const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"], env });
    child.once("close", (code, signal) => {
      if (code !== 0 && name !== "tests") {
        console.error(`error: The step "${name}" failed${signal ? ` (${signal})` : ""}.`);
      }
      resolve(code === 0);
    });
  });
}

for (const row of rows) {
  const results = await Promise.all(row.map(runStep));
  if (results.includes(false)) finish(1);
}
finish(0);

function finish(code) {
  if (existsSync(report)) {
    const results = JSON.parse(readFileSync(report, "utf8"));
    const { numPassedTests, numFailedTests, numFailedTestSuites } = results;
    const slowest = results.testResults
      .map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 5);
    for (const { name, ms } of slowest) console.log(`slowest: ${(ms / 1000).toFixed(1)} s  ${name}`);
    // A file that could not even be loaded has no tests to count; it still failed.
    const failed = numFailedTests === 0 && numFailedTestSuites > 0 ? numFailedTestSuites : numFailedTests;
    console.log(`tests: ${numPassedTests} passed, ${failed} failed`);
  }
  process.exit(code);
}
