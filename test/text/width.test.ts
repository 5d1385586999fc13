import { describe, expect, it } from "vitest";
import { prepareWidths, wrap } from "../../src/text/width.ts";

describe("a line that is wrapped", () => {
  it("is broken at spaces, and a longer word stays whole", () => {
    expect(wrap("one two three", 7)).toEqual(["one two", "three"]);
    expect(wrap("see https://api.example/v1 now", 8)).toEqual(["see", "https://api.example/v1", "now"]);
    expect(wrap("  two  spaces  stay", 12)).toEqual(["  two", "spaces  stay"]);
    expect(wrap("", 7)).toEqual([""]);
  });

  it("is counted in cells: wide characters take two", async () => {
    await prepareWidths(["温度"]);
    expect(wrap("温度 温度", 6)).toEqual(["温度", "温度"]);
    expect(wrap("温度温度", 4, true)).toEqual(["温度", "温度"]);
  });
});
