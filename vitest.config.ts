import { defineConfig } from "vitest/config";

/** Files that look at their own process or change it (its children, region, proxies, requests) say so in their name. */
const alone = "test/**/*.alone.test.ts";

const shared = {
  setupFiles: ["test/setup/no-network.ts", "test/setup/no-region.ts"],
  // For what hangs: no test is judged by its time. Longer than what its helpers wait, which say for what.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 300_000 } },
  restoreMocks: true,
  unstubEnvs: true,
};

export default defineConfig({
  test: {
    // The stages of .ci/run read the same sources.
    experimental: { fsModuleCache: true },
    globalSetup: ["test/setup/temporary-files.ts"],
    tags: [
      { name: "slow", description: "Takes half a second or more. Left out of npm test; npm run test:all runs it." },
      {
        name: "posix",
        description: "Needs what Windows does not have: signals, file modes, links, /dev, a POSIX shell.",
      },
    ],
    // What programs under test print is shown for tests that fail.
    silent: "passed-only",
    // One more than the processors of a small machine: a test that waits for a program leaves its processor idle.
    maxWorkers: 3,
    projects: [
      {
        // Files share a worker, and so what they import: reading the source tree again for each took half of the time.
        test: {
          ...shared,
          name: "together",
          include: ["test/**/*.test.ts"],
          // Those need a browser, a Redis, or run what the documents show: they have configurations of their own.
          exclude: [alone, "test/browser/**", "test/cluster/**", "test/examples/**"],
          isolate: false,
          // Starting a program takes longer the larger the process is that starts it: three are smaller than one.
          pool: "forks",
        },
      },
      { test: { ...shared, name: "alone", include: [alone], pool: "forks" } },
    ],
  },
});
