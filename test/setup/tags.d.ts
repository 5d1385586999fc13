import "vitest";

declare module "vitest" {
  /** The tags that vitest.config.ts defines: a misspelled one does not compile. */
  interface TestTags {
    tags: "slow" | "posix";
  }
}
