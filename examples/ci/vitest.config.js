import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "./request-log.js",
    reporters: ["default", "junit"],
    outputFile: { junit: "logs/junit.xml" },
  },
});
