import { expect, it } from "vitest";
import { countOf, countText } from "../../src/text/count.ts";

it("counts have separators, and the plural of what is counted", () => {
  expect(countText(33_000)).toBe("33,000");
  expect(countOf(0, "row")).toBe("0 rows");
  expect(countOf(1, "row")).toBe("1 row");
  expect(countOf(400_000, "row")).toBe("400,000 rows");
  expect(countOf(2, "analysis", "analyses")).toBe("2 analyses");
});
