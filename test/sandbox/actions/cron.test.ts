import { describe, expect, it } from "vitest";
import { parseCron } from "../../../src/sandbox/actions/cron.ts";

/** The next moments of an expression after a start. */
function next(text: string, after: string, amount = 1, timezone?: string): string[] {
  const nextAfter = parseCron(text, timezone);
  if (nextAfter === undefined) throw new Error(`${text} was not understood`);
  const moments: string[] = [];
  let moment = Date.parse(after);
  for (let n = 0; n < amount; n += 1) {
    moment = nextAfter(moment) ?? Number.NaN;
    moments.push(new Date(moment).toISOString().replace(":00.000Z", ""));
  }
  return moments;
}

describe("a cron expression", () => {
  it("names minutes, hours, days, months and weekdays", () => {
    expect(next("0 6 * * *", "2026-03-10T05:59:59Z", 2)).toEqual(["2026-03-10T06:00", "2026-03-11T06:00"]);
    expect(next("0 6 * * *", "2026-03-10T06:00:00Z")).toEqual(["2026-03-11T06:00"]);
    expect(next("*/20 8-9 * * *", "2026-03-10T08:30:00Z", 4)).toEqual([
      "2026-03-10T08:40",
      "2026-03-10T09:00",
      "2026-03-10T09:20",
      "2026-03-10T09:40",
    ]);
    expect(next("15,45 0 1 JAN,jul *", "2026-02-01T00:00:00Z", 3)).toEqual([
      "2026-07-01T00:15",
      "2026-07-01T00:45",
      "2027-01-01T00:15",
    ]);
    expect(next("5/25 * * * *", "2026-03-10T00:00:00Z", 3)).toEqual([
      "2026-03-10T00:05",
      "2026-03-10T00:30",
      "2026-03-10T00:55",
    ]);
  });

  it("takes Sunday as 0, 7 and by name, and either day when both are restricted", () => {
    for (const day of ["0", "7", "sun"])
      expect(next(`0 0 * * ${day}`, "2026-03-10T00:00:00Z")).toEqual(["2026-03-15T00:00"]);
    expect(next("0 0 13 * fri", "2026-03-10T00:00:00Z", 3)).toEqual([
      "2026-03-13T00:00",
      "2026-03-20T00:00",
      "2026-03-27T00:00",
    ]);
    // A step over all days restricts them, and both have to fit.
    expect(next("0 0 */2 * mon", "2026-03-10T00:00:00Z", 2)).toEqual(["2026-03-23T00:00", "2026-04-13T00:00"]);
    expect(next("0 0 1 * */2", "2026-03-10T00:00:00Z")).toEqual(["2026-08-01T00:00"]);
    expect(next("0 0 1-7 * fri", "2026-03-29T00:00:00Z", 2)).toEqual(["2026-04-01T00:00", "2026-04-02T00:00"]);
  });

  it("finds 29 February, and says when a day never comes", () => {
    expect(next("0 0 29 2 *", "2097-01-01T00:00:00Z")).toEqual(["2104-02-29T00:00"]);
    const never = parseCron("0 0 30 2 *");
    expect(never).toBeDefined();
    expect(never?.(0)).toBeUndefined();
  });

  it("goes by the clocks of its timezone, over their changes too", () => {
    expect(next("0 6 * * *", "2026-03-27T12:00:00Z", 3, "Europe/Berlin")).toEqual([
      "2026-03-28T05:00",
      "2026-03-29T04:00",
      "2026-03-30T04:00",
    ]);
    // 02:30 does not exist on 29 March and exists twice on 25 October.
    for (const text of ["30 2 * * *", "30 2,14 * * *"]) {
      expect(next(text, "2026-03-28T14:00:00Z", 1, "Europe/Berlin")).toEqual(["2026-03-29T01:00"]);
    }
    expect(next("30 2 * * *", "2026-03-29T01:00:00Z", 1, "Europe/Berlin")).toEqual(["2026-03-30T00:30"]);
    expect(next("30 2 * * *", "2026-10-24T12:00:00Z", 2, "Europe/Berlin")).toEqual([
      "2026-10-25T00:30",
      "2026-10-26T01:30",
    ]);
    expect(next("*/20 * * * *", "2026-10-25T00:30:00Z", 3, "Europe/Berlin")).toEqual([
      "2026-10-25T00:40",
      "2026-10-25T01:00",
      "2026-10-25T01:20",
    ]);
    // Clocks there go forward by half an hour, at 02:00 on 4 October.
    expect(next("15 2 * * *", "2026-10-03T12:00:00Z", 2, "Australia/Lord_Howe")).toEqual([
      "2026-10-03T15:30",
      "2026-10-04T15:15",
    ]);
  });

  it("goes by offsets from UTC", () => {
    expect(next("0 0 * * *", "2026-03-10T00:00:00Z", 1, "-03:00")).toEqual(["2026-03-10T03:00"]);
    expect(next("0 0 * * *", "2026-03-10T00:00:00Z", 2, "+23:59")).toEqual(["2026-03-10T00:01", "2026-03-11T00:01"]);
    expect(next("30 6 * * mon", "2026-03-10T00:00:00Z", 1, "Z")).toEqual(["2026-03-16T06:30"]);
  });

  it.each([
    "",
    "* * * *",
    "* * * * * *",
    "60 * * * *",
    "* 24 * * *",
    "* * 0 * *",
    "* * * 13 *",
    "* * * * 8",
    "a * * * *",
    "*/0 * * * *",
    "5-1 * * * *",
    "1-2-3 * * * *",
    "1,,2 * * * *",
    "-1 * * * *",
    "@daily",
    "? * * * *",
    "/10 * * * *",
    "*/90 * * * *",
    "+5 * * * *",
    "001 * * * *",
    "* * L * *",
    "* * LW * *",
    "* * 15W * *",
    "* * * * 5#2",
    "* * * * 5L",
    "2026-03-10T06:00:00Z",
  ])("is refused as %j", (text) => {
    expect(parseCron(text)).toBeUndefined();
  });
});
