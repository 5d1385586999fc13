import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

it("every public property is documented, and every type a public signature uses is exported", () => {
  const script = join(root, "scripts", "undocumented.js");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout.split("\n").filter((line) => line !== "")).toEqual([]);
});
