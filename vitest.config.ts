import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest. Left to the end, one of them would run alone beside an idle processor. The second to fourth
 * start programs: they need little of the source tree, which is being read for the first meanwhile.
 */
const long = [
  "commands/examples",
  "contract/package",
  "lib/faults/process-end",
  "commands/sandbox",
  "contract/commands-hostile",
  "contract/surface",
  "contract/commands-json",
  "contract/commands-replies",
  "commands/dashboard-migrate",
  "commands/live-view",
  "commands/analysis-dev",
  "sandbox/openapi",
  "lib/faults/hostile-replies",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const found = long.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return found < 0 ? long.length : found;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** These look at their own process or change it: its children, the region and proxies it is set to, its requests. */
const apart = [
  "test/lib/http/interception.test.ts",
  "test/lib/http/proxy-and-ca.test.ts",
  "test/sandbox/parsers/parser.test.ts",
  "test/sandbox/parsers/parser-process.test.ts",
  "test/compat/own-library.test.ts",
];

/**
 * What Windows does not have: signals that ask, programs of POSIX, modes of files, links without further rights, /dev and
 * /proc, terminals whose output the system passes on unchanged; and helpers that need them. Files of tests with one of
 * these run everywhere else, and are named where they do not.
 */
const needsPosix =
  /kill\("?(SIG(INT|TERM|HUP)|signal)|[^.\w]shell\(|startBash\(|spawn\("sh"|"--", "sh"|"(bash|mkfifo|ps)"|#!\/bin\/sh|mode & 0o|chmodSync\(|symlinkSync\((?!.*"junction")|"\/(proc|dev)\/|helpers\/screens\.ts|(ci-project|document-place|example-place|docker-project|sandbox\/process|\.\/process)\.ts/;

function testsForPosix(): string[] {
  const files = readdirSync("test", { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join("test", name).replaceAll("\\", "/"));
  return files.filter((path) => needsPosix.test(readFileSync(path, "utf8")));
}

const left = process.platform === "win32" ? testsForPosix() : [];
if (left.length > 0) console.error(`Not run on Windows, ${left.length} files: ${left.join(", ")}`);

const shared = {
  setupFiles: ["test/setup/no-network.ts", "test/setup/no-region.ts"],
  // For what hangs: no test is judged by its time. Longer than what its helpers wait, which say for what.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 90_000 } },
  restoreMocks: true,
  unstubEnvs: true,
};

export default defineConfig({
  test: {
    globalSetup: ["test/setup/temporary-files.ts"],
    tags: [
      { name: "slow", description: "Takes half a second or more. Left out of npm test; npm run test:all runs it." },
      {
        name: "posix",
        description: "Needs what Windows does not have: signals, file modes, links, /dev, a POSIX shell.",
      },
    ],
    // One more than the processors of a small machine: a test that waits for a program leaves its processor idle.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // Files share a worker, and so what they import: reading the source tree anew for each took half of the time.
        test: {
          ...shared,
          name: "together",
          include: ["test/**/*.test.ts"],
          // Those need a browser, a Redis, or run what the documents show: they have configurations of their own.
          exclude: [...apart, ...left, "test/browser/**", "test/cluster/**", "test/examples/**"],
          isolate: false,
          // Starting a program takes longer the larger the process is that starts it: three are smaller than one.
          pool: "forks",
        },
      },
      { test: { ...shared, name: "apart", include: apart, exclude: left, pool: "forks" } },
    ],
  },
});
