import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./imports.ts";

const rows = readFileSync(join(root, "docs", "internals", "faults.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, fault, file] = /^\| (.+) \| `(.+)` \|$/.exec(line) ?? [];
    return fault === undefined || file === undefined ? [] : [{ fault, file }];
  });

describe("the list of faults", () => {
  it("has every fault once", () => {
    expect(rows).toHaveLength(68);
    expect(new Set(rows.map(({ fault }) => fault)).size).toBe(68);
  });

  it.each(rows)("$fault has a test of its name in $file", ({ fault, file }) => {
    const text = readFileSync(join(root, "test", "lib", "faults", file), "utf8");
    expect(text).toContain(fault);
    expect(text).toMatch(/modes|transport/i);
  });
});
