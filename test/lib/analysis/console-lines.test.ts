import { describe, expect, it } from "vitest";
import { lineText } from "../../../src/lib/analysis/console-lines.ts";

const circle: Record<string, unknown> = { a: 1 };
circle["self"] = circle;
const shared = { b: 2 };
const hostile = {
  toJSON(): never {
    throw new Error("no");
  },
};

describe("the text of a console line", () => {
  it.each<[string, unknown[], string]>([
    ["texts and numbers", ["hello", 1, true], "hello 1 true"],
    ["an object", ["hello", { a: 1 }], 'hello {"a":1}'],
    ["a list", [[1, "x"]], '[1,"x"]'],
    ["nothing", [undefined, null], "undefined null"],
    ["no values", [], ""],
    ["a big integer", [10n, { a: 10n }], '10 {"a":"10"}'],
    ["a symbol", [Symbol("s")], "Symbol(s)"],
    ["a circle", [circle], '{"a":1,"self":"[Circular]"}'],
    [
      "an object that appears twice",
      [{ x: shared, y: [shared, { z: shared }] }],
      '{"x":{"b":2},"y":[{"b":2},{"z":{"b":2}}]}',
    ],
    ["a date", [{ at: new Date(0) }], '{"at":"1970-01-01T00:00:00.000Z"}'],
    ["an object that cannot be told", [hostile, "next"], "[object Object] next"],
    ["an object without a prototype", [Object.create(null)], "{}"],
  ])("tells %s", (_what, values, text) => {
    expect(lineText(values)).toBe(text);
  });

  it("gives errors with their stack, also inside of objects", () => {
    expect(lineText(["failed:", new TypeError("boom")])).toMatch(/^failed: TypeError: boom\n\s+at /);
    expect(lineText([{ cause: new Error("inner") }])).toMatch(/^\{"cause":"Error: inner\\n\s+at /);
  });

  it("gives an error without a stack by its message", () => {
    const error = new Error("bare");
    delete (error as { stack?: string }).stack;
    expect(lineText([error])).toBe("Error: bare");
  });
});
