import { describe, expect, it } from "vitest";
import { addDuration, parseDuration } from "../../src/sandbox/core/duration.ts";

const at = (text: string): number => Date.parse(text);
const moved = (from: string, text: string, sign: 1 | -1 = 1): string => {
  const duration = parseDuration(text);
  if (duration === undefined) throw new Error(`${text} is no duration`);
  return new Date(addDuration(at(from), duration, sign)).toISOString();
};

describe("durations", () => {
  it("knows every unit in its long and short forms", () => {
    const unit = (text: string) => parseDuration(`2 ${text}`);
    expect(["milliseconds", "millisecond", "S", "SS"].map(unit)).toEqual(
      Array(4).fill({ amount: 2, unit: "millisecond" }),
    );
    expect(["seconds", "second", "s", "ss", "sec"].map(unit)).toEqual(Array(5).fill({ amount: 2, unit: "second" }));
    expect(["minutes", "m", "mm", "min"].map(unit)).toEqual(Array(4).fill({ amount: 2, unit: "minute" }));
    expect(["hours", "h", "hh"].map(unit)).toEqual(Array(3).fill({ amount: 2, unit: "hour" }));
    expect(["days", "d", "dd"].map(unit)).toEqual(Array(3).fill({ amount: 2, unit: "day" }));
    expect(["weeks", "w", "ww"].map(unit)).toEqual(Array(3).fill({ amount: 14, unit: "day" }));
    expect(["months", "M", "MM"].map(unit)).toEqual(Array(3).fill({ amount: 2, unit: "month" }));
    expect(["quarters", "quarter"].map(unit)).toEqual(Array(2).fill({ amount: 6, unit: "month" }));
    expect(["years", "y", "yy"].map(unit)).toEqual(Array(3).fill({ amount: 24, unit: "month" }));
  });

  it("needs no space, and refuses everything else", () => {
    expect(parseDuration("15min")).toEqual({ amount: 15, unit: "minute" });
    for (const text of ["", "day", "1", "-1 day", "1.5 days", "1  day", "1 fortnight", "1 day ago", "constructor"]) {
      expect(parseDuration(text), text).toBeUndefined();
    }
  });

  it("goes by the calendar for months and years", () => {
    expect(moved("2024-01-31T10:00:00Z", "1 month")).toBe("2024-02-29T10:00:00.000Z");
    expect(moved("2024-03-31T10:00:00Z", "1 month", -1)).toBe("2024-02-29T10:00:00.000Z");
    expect(moved("2024-02-29T00:00:00Z", "1 year")).toBe("2025-02-28T00:00:00.000Z");
    expect(moved("2024-11-15T00:00:00Z", "1 quarter")).toBe("2025-02-15T00:00:00.000Z");
  });

  it("stays within what a date can hold", () => {
    expect(moved("2024-01-01T00:00:00Z", "999999999999999 years")).toBe(new Date(8.64e15).toISOString());
    expect(moved("2024-01-01T00:00:00Z", "999999999999999 days", -1)).toBe(new Date(-8.64e15).toISOString());
  });
});
