import { describe, expect, it } from "vitest";
import { calculate } from "../../../src/lib/widgets/draw/formula.ts";

describe("formulas of widgets", () => {
  it.each([
    ["$VALUE$ * 1.8 + 32", 50],
    ["-$VALUE$ ^ 2", -100],
    ["2 ^ 3 ^ 2", 512],
    ["($value$ - 4) / 3 % 2", 0],
    ["max(1, $VALUE$, 3) - round(2.4) + abs(-1)", 9],
    ["pow($VALUE$, 2) + sqrt(16) + pi * 0", 104],
    ["1e3 + .5 - -2", 1002.5],
  ])("calculates %s", (formula, result) => {
    expect(calculate(formula, 10)).toBe(result);
  });

  it.each([
    "",
    "$VALUE$ +",
    "(1",
    "1)",
    "1 2",
    "$OTHER$",
    "alert(1)",
    "constructor",
    "toString()",
    "1 / 0",
    "sqrt(-1)",
    "a.b",
    "x => 1",
    "1; 2",
    `${"(".repeat(500)}1${")".repeat(500)}`,
    "-".repeat(999),
    "1 +".repeat(1_000),
  ])("leaves %s alone", (formula) => {
    expect(calculate(formula, 10)).toBeUndefined();
  });
});
