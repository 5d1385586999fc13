import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "./imports.ts";

it("the table of docs/internals/bulk-work.md is that of the model; `node scripts/scale-model.js` writes it again", {
  tags: ["slow"],
}, () => {
  const script = join(root, "scripts", "scale-model.js");
  const { stdout, stderr } = spawnSync(process.execPath, [script, "--print"], { encoding: "utf8" });
  expect(stderr).toBe("");
  expect(stdout.split("\n").length).toBeGreaterThan(6);
  expect(readFileSync(join(root, "docs", "internals", "bulk-work.md"), "utf8")).toContain(`\n${stdout}\n`);
});
