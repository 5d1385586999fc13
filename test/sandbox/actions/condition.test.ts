import { describe, expect, it } from "vitest";
import { testValue } from "../../../src/sandbox/actions/condition.ts";
import { isInside } from "../../../src/sandbox/actions/geofence.ts";
import { fillMarks } from "../../../src/sandbox/actions/placeholders.ts";
import type { WireRow } from "../../../src/sandbox/data/types.ts";

describe("the test of a condition", () => {
  const number = (is: string, value: unknown, second_value?: unknown) => ({
    is,
    value,
    second_value,
    value_type: "number",
  });

  it("compares numbers, and takes what is no number for 0", () => {
    expect(testValue(number(">", "8"), 8.1)).toBe(true);
    expect(testValue(number(">", "8"), 8)).toBe(false);
    expect(testValue(number(">", "8"), "9")).toBe(true);
    expect(testValue(number("<", "10"), 9)).toBe(true);
    expect(testValue(number("=", "0"), "broken")).toBe(true);
    expect(testValue(number("!", "5"), 5)).toBe(false);
  });

  it("takes a range without its ends", () => {
    const range = number("><", "2", "4");
    expect([1, 2, 3, 4, 5].filter((value) => testValue(range, value))).toEqual([3]);
  });

  it("compares texts and truth as what they are", () => {
    expect(testValue({ is: "=", value: "open", value_type: "string" }, "open")).toBe(true);
    expect(testValue({ is: "!", value: "open", value_type: "string" }, "Open")).toBe(true);
    expect(testValue({ is: "=", value: "10", value_type: "string" }, 10)).toBe(true);
    const truth = { is: "=", value: "true", value_type: "boolean" };
    expect([true, 1, "yes", false, 0, "0", "false", ""].map((value) => testValue(truth, value))).toEqual([
      ...[true, true, true],
      ...[false, false, false, false, false],
    ]);
  });

  it("lets everything pass with *, and a row without a value nothing else", () => {
    expect(testValue({ is: "*" }, undefined)).toBe(true);
    expect(testValue(number("<", "8"), undefined)).toBe(false);
    expect(testValue({ is: ">", value: "9", value_type: "*" }, "10")).toBe(true);
    expect(testValue({ is: ">", value: "b", value_type: "*" }, "c")).toBe(true);
  });
});

describe("a geofence", () => {
  it("as a circle is measured in kilometres over the ground", () => {
    const area = { center: [13.4, 52.5], radius: 10 };
    expect(isInside(area, [13.4, 52.5])).toBe(true);
    expect(isInside(area, [13.4, 52.585])).toBe(true);
    expect(isInside(area, [13.4, 52.595])).toBe(false);
    // A degree of longitude is shorter than one of latitude here.
    expect(isInside(area, [13.54, 52.5])).toBe(true);
    expect(isInside(area, [13.56, 52.5])).toBe(false);
  });

  it("as a polygon may be closed or not, and have a bay", () => {
    const open: [number, number][] = [
      [0, 0],
      [10, 0],
      [10, 10],
      [5, 2],
      [0, 10],
    ];
    for (const coordinates of [open, [...open, [0, 0]], [open]]) {
      expect(isInside({ coordinates }, [1, 1])).toBe(true);
      expect(isInside({ coordinates }, [5, 5])).toBe(false);
      expect(isInside({ coordinates }, [11, 1])).toBe(false);
    }
  });

  it("says nothing about what is no area and no place", () => {
    expect(isInside({ center: [1, 2] }, [1, 2])).toBeUndefined();
    expect(
      isInside(
        {
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
        [0, 0],
      ),
    ).toBeUndefined();
    expect(isInside({ center: [1, 2], radius: 1 }, undefined)).toBeUndefined();
  });
});

it("the marks of a message become the facts of the row; others stay", () => {
  const row: WireRow = {
    id: "1",
    device: "d",
    variable: "temperature",
    value: 9.5,
    unit: "C",
    group: "g",
    time: "2026-01-01T00:00:00.000Z",
    location: { type: "Point", coordinates: [13, 52] },
  };
  const device = { id: "65a1000000000000000d0001", profile: "p", name: "Freezer $1" };
  const text = "$DEVICE.NAME$: $VARIABLE$ $VALUE$ $UNIT$ at $TIME$ ($LOCATION$) $ACTION.STATE$ $DEVICE$ $OTHER$ 5$";
  expect(fillMarks(text, { row, device, state: "locked" })).toBe(
    "Freezer $1: temperature 9.5 C at 2026-01-01T00:00:00.000Z (52,13) locked 65a1000000000000000d0001 $OTHER$ 5$",
  );
});
