import { defineConfig } from "vitest/config";

/** The console in headless Chromium: `npm run test:browser`. One file at a time: each starts a browser. */
export default defineConfig({
  test: {
    experimental: { fsModuleCache: true },
    globalSetup: ["test/setup/temporary-files.ts"],
    include: ["test/browser/**/*.test.ts"],
    setupFiles: ["test/setup/no-network.ts", "test/setup/no-region.ts"],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 300_000 } },
  },
});
