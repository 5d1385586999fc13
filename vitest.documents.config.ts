import { join } from "node:path";
import { defineConfig } from "vitest/config";

/** What README and docs show, run as written: commands, pipelines, pictures. `npm run test:documents`. */
export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
    globalSetup: ["test/setup/temporary-files.ts"],
    include: ["test/examples/**/*.test.ts"],
    setupFiles: ["test/setup/no-network.ts", "test/setup/no-region.ts"],
    env: { IOT_TEST_CLI: join(import.meta.dirname, "bin", "iot.js") },
    maxWorkers: 3,
    // Pages side by side: each has a sandbox in a process of its own.
    maxConcurrency: 3,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
