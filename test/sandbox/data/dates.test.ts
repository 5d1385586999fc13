import { describe, expect, it } from "vitest";
import { parseRecordTime } from "../../../src/lib/core/record-rules.ts";
import { isTimezone, parseInstant } from "../../../src/sandbox/data/dates.ts";
import { parseDataQuery } from "../../../src/sandbox/data/query.ts";

const NOW_MS = Date.parse("2024-03-31T12:00:00.000Z");

const iso = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString());
const start = (text: string, timezone?: string): string | undefined => iso(parseInstant(text, "start", timezone));
const end = (text: string, timezone?: string): string | undefined => iso(parseInstant(text, "end", timezone));

describe("absolute dates", () => {
  it.each([
    ["2024-12-25T23:33:22.000Z", "2024-12-25T23:33:22.000Z"],
    ["2024-12-25T23:33:22Z", "2024-12-25T23:33:22.000Z"],
    ["2024-12-25 23:33:22", "2024-12-25T23:33:22.000Z"],
    ["2024-12-25T23:33", "2024-12-25T23:33:00.000Z"],
    ["2024-12-25T23:33:22.5+02:00", "2024-12-25T21:33:22.500Z"],
    ["2024-12-25 23:33:22.123456+00:00", "2024-12-25T23:33:22.123Z"],
    ["2024-12-25T23:33:22-0330", "2024-12-26T03:03:22.000Z"],
    ["2024-12-25T23:33:22+05", "2024-12-25T18:33:22.000Z"],
    ["1703547202000", "2023-12-25T23:33:22.000Z"],
    ["-1000", "1969-12-31T23:59:59.000Z"],
    ["0099-02-03", "0099-02-03T00:00:00.000Z"],
  ])("reads %s", (text, expected) => {
    expect(start(text)).toBe(expected);
  });

  it.each([
    "",
    "yesterday",
    "2024-13-01",
    "2024-02-30",
    "2023-02-29",
    "2024-12-25T24:00:00Z",
    "2024-12-25T23:60:00Z",
    "2024-12-25T23:33:22+25:00",
    "25/12/2024",
    "2024-1-1",
    "99999999999999999",
    "999999999999999",
    "1e5",
  ])("does not take %j for a date", (text) => {
    expect(start(text)).toBeUndefined();
  });

  it("means the first or the last instant of a day named without a time", () => {
    expect(start("2024-12-25")).toBe("2024-12-25T00:00:00.000Z");
    expect(end("2024-12-25")).toBe("2024-12-25T23:59:59.999Z");
    expect(end("2024-12-25T10:00:00")).toBe("2024-12-25T10:00:00.000Z");
  });

  it("uses the timezone for texts without an offset only", () => {
    expect(start("2024-12-25 12:00:00", "America/New_York")).toBe("2024-12-25T17:00:00.000Z");
    expect(start("2024-12-25T12:00:00Z", "America/New_York")).toBe("2024-12-25T12:00:00.000Z");
    expect(start("2024-12-25", "Asia/Kolkata")).toBe("2024-12-24T18:30:00.000Z");
    expect(start("2024-12-25", "-03:00")).toBe("2024-12-25T03:00:00.000Z");
    expect(start("2024-12-25", "UTC")).toBe("2024-12-25T00:00:00.000Z");
  });

  it("knows that a day is 23 or 25 hours long when clocks change", () => {
    expect(start("2024-03-31", "Europe/Berlin")).toBe("2024-03-30T23:00:00.000Z");
    expect(end("2024-03-31", "Europe/Berlin")).toBe("2024-03-31T21:59:59.999Z");
    expect(start("2024-10-27", "Europe/Berlin")).toBe("2024-10-26T22:00:00.000Z");
    expect(end("2024-10-27", "Europe/Berlin")).toBe("2024-10-27T22:59:59.999Z");
  });

  it("takes the earlier of two equal clock times, and steps over a missing one", () => {
    expect(start("2024-10-27 02:30:00", "Europe/Berlin")).toBe("2024-10-27T00:30:00.000Z");
    expect(start("2024-03-31 02:30:00", "Europe/Berlin")).toBe("2024-03-31T01:30:00.000Z");
    expect(start("2024-03-10 02:30:00", "America/New_York")).toBe("2024-03-10T07:30:00.000Z");
    expect(start("2024-11-03 01:30:00", "America/New_York")).toBe("2024-11-03T05:30:00.000Z");
  });

  it("recognises timezones by name and by offset", () => {
    expect(["UTC", "Europe/Rome", "+05:30", "Z"].map(isTimezone)).toEqual([true, true, true, true]);
    expect(["Mars/Base", "+99:00", "Europe Rome"].map(isTimezone)).toEqual([false, false, false]);
  });
});

describe("times of written rows", () => {
  it("are texts, or milliseconds since 1970", () => {
    expect(iso(parseRecordTime(" 2024-12-25 23:33:22 "))).toBe("2024-12-25T23:33:22.000Z");
    expect(iso(parseRecordTime(1_703_547_202_000))).toBe("2023-12-25T23:33:22.000Z");
    expect(iso(parseRecordTime(1.9))).toBe("1970-01-01T00:00:00.001Z");
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 9e15, -9e15, true, {}, []])("are not %j", (value) => {
    expect(parseRecordTime(value)).toBeUndefined();
  });
});

describe("bounds of a query", () => {
  function bounds(params: Record<string, unknown>): readonly (string | undefined)[] {
    const { filter } = parseDataQuery(params, NOW_MS);
    return [iso(filter.fromMs), iso(filter.toMs)];
  }

  it("count a duration back from now at the start, and forward at the end", () => {
    expect(bounds({ start_date: "1 day", end_date: "1 day" })).toEqual([
      "2024-03-30T12:00:00.000Z",
      "2024-04-01T12:00:00.000Z",
    ]);
    expect(bounds({ start_date: "1 month", end_date: "2 years" })).toEqual([
      "2024-02-29T12:00:00.000Z",
      "2026-03-31T12:00:00.000Z",
    ]);
  });

  it.each([
    ["1500 milliseconds", "2024-03-31T11:59:58.500Z"],
    ["1500 S", "2024-03-31T11:59:58.500Z"],
    ["1SS", "2024-03-31T11:59:59.999Z"],
    ["2 s", "2024-03-31T11:59:58.000Z"],
    ["2 ss", "2024-03-31T11:59:58.000Z"],
    ["2sec", "2024-03-31T11:59:58.000Z"],
    ["3 m", "2024-03-31T11:57:00.000Z"],
    ["3 min", "2024-03-31T11:57:00.000Z"],
    ["4 h", "2024-03-31T08:00:00.000Z"],
    ["4 hours", "2024-03-31T08:00:00.000Z"],
    ["5 d", "2024-03-26T12:00:00.000Z"],
    ["1 w", "2024-03-24T12:00:00.000Z"],
    ["1 M", "2024-02-29T12:00:00.000Z"],
    ["1 quarter", "2023-12-31T12:00:00.000Z"],
    ["1 y", "2023-03-31T12:00:00.000Z"],
  ])("understand %s", (text, expected) => {
    expect(bounds({ start_date: text })[0]).toBe(expected);
  });

  it.each(["soon", "1 fortnight", "day", "-1 day", "1.5 days", "1 day ago", "{}"])("refuse %j by name", (text) => {
    expect(() => bounds({ start_date: text })).toThrow(
      expect.objectContaining({ status: 400, message: "Invalid start date" }),
    );
    expect(() => bounds({ end_date: text })).toThrow(
      expect.objectContaining({ status: 400, message: "Invalid end date" }),
    );
  });

  it("refuse an unknown timezone", () => {
    expect(() => bounds({ start_date: "2024-01-01", timezone: "Mars/Base" })).toThrow("Invalid timezone");
  });

  it("stay open when they are empty or not there", () => {
    expect(bounds({ start_date: "", timezone: "nowhere" })).toEqual([undefined, undefined]);
  });
});
