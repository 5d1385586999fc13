import { expect, it } from "vitest";
import { countOf, countText } from "../../src/text/count.ts";

it("counts have separators, and the plural of what is counted", () => {
  expect(countText(33_000)).toBe("33,000");
  expect(countOf(0, "row")).toBe("0 rows");
  expect(countOf(1, "row")).toBe("1 row");
  expect(countOf(400_000, "row")).toBe("400,000 rows");
  expect(countOf(2, "analysis", "analyses")).toBe("2 analyses");
});

it.each([0, 999, 1_000, -1_000, 1_234_567, 99.5, 1_234.5678, 1e21, Number.POSITIVE_INFINITY])(
  "the count %s is written as the locale writes it",
  (count) => {
    expect(countText(count)).toBe(count.toLocaleString("en-US"));
  },
);
