import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take longest. Left to the end, one of them would run alone beside an idle processor. The second and third
 * start programs: they need little of the source tree, which is being read for the first meanwhile.
 */
const long = [
  "commands/examples",
  "examples/ci",
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

const shared = {
  setupFiles: ["test/setup/no-network.ts", "test/setup/no-region.ts"],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  unstubEnvs: true,
};

export default defineConfig({
  test: {
    globalSetup: ["test/setup/temporary-files.ts"],
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
          // Those need a browser: vitest.browser.config.ts.
          exclude: [...apart, "test/browser/**"],
          isolate: false,
          pool: "threads",
        },
      },
      { test: { ...shared, name: "apart", include: apart, pool: "forks" } },
    ],
  },
});
