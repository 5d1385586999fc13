import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pageOf, readKnown } from "../../compat/types/page.js";
import { root } from "../contract/imports.ts";

const document = (name: string): string => readFileSync(join(root, "docs", name), "utf8");

it("the page of the type differences has them all; `node compat/types/page.js` writes it", () => {
  expect(document("internals/type-differences.md")).toBe(pageOf(readKnown()));
});

it("the list of differences to the official SDK says what to change for each reason", () => {
  const reasons = Object.keys(readKnown());
  expect(reasons.length).toBeGreaterThan(5);
  for (const reason of reasons) expect(document("internals/sdk-differences.md")).toContain(reason);
});

it("no difference is known for two reasons", () => {
  const names = Object.values(readKnown()).flat();
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});
