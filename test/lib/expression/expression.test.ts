import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findExpressions, insertParams, parseExpression } from "../../../src/lib/expression/expression.ts";
import { growthOf, IN_PROPORTION } from "../../helpers/growth.ts";

describe("parseExpression", () => {
  it.each([
    ["#DICT.KEY#", { dictionary: "DICT", key: "KEY" }],
    ["#A_1.KEY_2#", { dictionary: "A_1", key: "KEY_2" }],
    ['#DICT.KEY,"a, b",c#', { dictionary: "DICT", key: "KEY", params: ["a, b", "c"] }],
    ['#DICT.KEY,"say ""hi""","no #1"#', { dictionary: "DICT", key: "KEY", params: ['say "hi"', "no #1"] }],
    ["#DICT.KEY,,x#", { dictionary: "DICT", key: "KEY", params: ["", "x"] }],
    ['#DICT.KEY,"open#', { dictionary: "DICT", key: "KEY", params: ['"open'] }],
    ['#DICT.KEY,5" pipe#', { dictionary: "DICT", key: "KEY", params: ['5" pipe'] }],
  ])("reads %s", (text, expected) => {
    expect(parseExpression(text)).toEqual(expected);
  });

  it.each([
    "",
    "DICT.KEY",
    "#dict.KEY#",
    "#DICT.key#",
    "#DICT#",
    "#DICT.KEY",
    "#DICT.KEY,a",
    "say #DICT.KEY#",
    "#DICT.KEY# ",
  ])("takes %j for no expression", (text) => {
    expect(parseExpression(text)).toBeNull();
  });
});

describe("findExpressions", () => {
  it("finds all expressions with their positions, and skips other number signs", () => {
    const text = "Say #A.B#, #NOT an expression ##A.C,1,2# #";
    const found = findExpressions(text);
    expect(found.map(({ start, end }) => text.slice(start, end))).toEqual(["#A.B#", "#A.C,1,2#"]);
    expect(found.map(({ expression }) => expression)).toEqual([
      { dictionary: "A", key: "B" },
      { dictionary: "A", key: "C", params: ["1", "2"] },
    ]);
  });

  it("reads back any params written as CSV", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), fc.string(), (params, before) => {
        const list = params.map((param) => `"${param.replaceAll('"', '""')}"`).join(",");
        const prefix = before.replaceAll("#", "");
        const [found] = findExpressions(`${prefix}#D.K,${list}# and more`);
        expect(found?.expression).toEqual({ dictionary: "D", key: "K", params });
      }),
    );
  });

  it.each<[string, (count: number) => string]>([
    ["with an open quote", (count) => '#A.B,"'.repeat(count)],
    ["with an open list", (count) => "#A.B,".repeat(count)],
    ["without a key", (count) => `${"#A".repeat(count)}.`],
  ])("parses many unfinished expressions %s in a time in proportion to their number", async (_what, text) => {
    expect(await growthOf((count) => findExpressions(text(count)), 10_000)).toBeLessThan(IN_PROPORTION);
  });
});

describe("insertParams", () => {
  it.each([
    ["Hi $0 and $1", ["one", "two"], "Hi one and two"],
    ["$1 $10", ["a", "b"], "b $10"],
    ["$10", Array.from({ length: 11 }, (_, index) => `p${index}`), "p10"],
    ["$0 costs $5", ["$1", "x"], "$1 costs $5"],
    ["[$0]", ["$&$`$'$$"], "[$&$`$'$$]"],
    ["$100", Array.from({ length: 101 }, () => "x"), "$100"],
    ["$0", [], "$0"],
  ])("turns %j with %j into %j", (text, params, expected) => {
    expect(insertParams(text, params)).toBe(expected);
  });
});
