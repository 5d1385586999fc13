import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

it("the declarations say of every member of the public surface what it is", () => {
  const script = join(root, "scripts", "undocumented.js");
  const { stdout, stderr, status } = spawnSync(process.execPath, [script], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout.split("\n").filter((line) => line !== "")).toEqual([]);
});
