import { defineConfig } from "vitest/config";

/** Work spread over processes through a real redis-server, and streams into real engines: `npm run test:cluster`. */
export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
    globalSetup: ["test/setup/temporary-files.ts"],
    include: ["test/cluster/**/*.test.ts"],
    setupFiles: ["test/setup/no-network.ts", "test/setup/no-region.ts"],
    // Each file has a Redis, a sandbox and workers of its own, which wait more than they compute.
    maxWorkers: 4,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
