// npm test: the build and then the quick tests, with lint, types and the search for unused code beside them.
// --all (npm run test:all) runs the slow tests as well; --slow (npm run test:slow) runs the build and only those.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);
const mode = process.argv.includes("--all") ? "all" : process.argv.includes("--slow") ? "slow" : "quick";
const report = mode === "slow" ? "slow-report.json" : "test-report.json";
rmSync(report, { force: true });

const bin = (name) => {
  const { bin: entry } = JSON.parse(readFileSync(join("node_modules", name, "package.json"), "utf8"));
  return join(
    "node_modules",
    name,
    typeof entry === "string" ? entry : (entry[name.split("/").pop()] ?? Object.values(entry)[0]),
  );
};

// The native compiler: the other one, whose interface scripts use, takes four times as long.
const tsc = join("node_modules", "typescript-native", "bin", "tsc");

const filters = { all: [], slow: ["slow"], quick: ["!slow"] }[mode];
if (process.platform === "win32") filters.push("!posix");

const types = { name: "types", args: [tsc, "-p", "test/tsconfig.json"] };
const lint = { name: "lint", args: [bin("@biomejs/biome"), "check", "."] };
const unused = { name: "unused", args: [bin("knip"), "--no-progress"] };
const build = { name: "build", args: [join("scripts", "setup.js")] };
const tests = {
  name: "tests",
  args: [
    join("node_modules", "vitest", "vitest.mjs"),
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...filters.map((filter) => `--tags-filter=${filter}`),
    ...process.argv.slice(2).filter((arg) => arg !== "--all" && arg !== "--slow"),
  ],
};

// The commands are tested as they are shipped.
const env = { ...process.env, IOT_TEST_CLI: join(root, "bin", "iot.js") };

const failed = [];

async function runStep(step) {
  console.error(`== ${step.name}`);
  const child = spawn(process.execPath, step.args, { stdio: ["ignore", "inherit", "inherit"], env });
  const [code, signal] = await once(child, "close");
  if (code === 0) return true;
  failed.push(`The step "${step.name}" failed${signal ? ` (${signal})` : ""}.`);
  return false;
}

// None needs the build, and all fit into the moments in which a test waits.
const checks = mode === "slow" ? [] : [runStep(types), runStep(lint), runStep(unused)];
if (await runStep(build)) await runStep(tests);
await Promise.all(checks);
finish();

function finish() {
  if (existsSync(report)) {
    const results = JSON.parse(readFileSync(report, "utf8"));
    const { numPassedTests, numFailedTests, numFailedTestSuites } = results;
    const slowest = results.testResults
      .map(({ name, startTime, endTime }) => ({ name: relative(root, name), ms: endTime - startTime }))
      .sort((a, b) => b.ms - a.ms)
      .slice(0, 5);
    for (const { name, ms } of slowest) console.log(`slowest: ${(ms / 1000).toFixed(1)} s  ${name}`);
    // A file that could not even be loaded has no tests to count; it still failed.
    const broken = numFailedTests === 0 && numFailedTestSuites > 0 ? numFailedTestSuites : numFailedTests;
    for (const { name, status, assertionResults } of results.testResults.filter(({ status }) => status === "failed")) {
      const titles = assertionResults.filter((one) => one.status === "failed").map(({ fullName }) => fullName);
      for (const title of titles.length > 0 ? titles : ["could not be loaded"])
        console.log(`${status}: ${relative(root, name)}: ${title}`);
    }
    if (broken === 0 && failed.some((message) => message.includes('"tests"')))
      console.log("no test failed; an error was thrown outside of them: see Unhandled Errors above");
    console.log(`tests: ${numPassedTests} passed, ${broken} failed`);
    if (mode === "quick") console.log(`${results.numPendingTests} slow tests are left to npm run test:all.`);
  }
  for (const message of failed) console.error(`error: ${message}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
