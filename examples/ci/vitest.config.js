import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "./request-log.js",
    // For what hangs: a busy runner takes its time to start a sandbox.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ["default", "junit"],
    outputFile: { junit: "logs/junit.xml" },
  },
});
