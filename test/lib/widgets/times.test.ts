import { describe, expect, it } from "vitest";
import type { DeviceData } from "../../../src/index.ts";
import { drawWidget, readTimes } from "../../../src/lib/widgets/draw/page.ts";

const START_MS = Date.parse("2026-03-01T00:00:00Z");
const HOUR_MS = 3_600_000;
const record = (variable: string, hour: number, value: string | number, unit = ""): Partial<DeviceData> => ({
  ...{ variable, value, unit, device: "d1", id: `${variable}${hour}` },
  time: new Date(START_MS + hour * HOUR_MS),
});
const widget = (type: string, variables: readonly string[], more: object = {}) => ({
  label: "Chart",
  type,
  data: [{ origin: "d1", variables }],
  display: { variables: variables.map((variable) => ({ origin: "d1", variable, alias: variable })), ...more },
});
const options = { width: 480, height: 320, showLabel: false };
const hours = Array.from({ length: 25 }, (_, hour) => record("a", hour, hour * 10, "W"));

describe("a chart that is read at a time", () => {
  it("has the pixel of each time where the drawing has it", () => {
    const reading = readTimes(widget("line_chart", ["a"]), hours, options);
    const html = drawWidget(widget("line_chart", ["a"]), hours, options);
    const [, x = "", y = ""] = /<path d="M([\d.]+)[ ,]([\d.]+)/.exec(html) ?? [];
    expect(reading?.at(START_MS)).toBeCloseTo(Number(x), 1);
    expect(reading?.valuesAt(START_MS)[0]?.place).toBeCloseTo(Number(y), 1);
    expect(reading?.times).toHaveLength(25);
  });

  it.each(["line_chart", "area_chart", "vertical_bar_chart", "horizontal_bar_chart", "multiple_axis_chart"])(
    "shows the value nearest to the time in a %s, and none where none is near",
    (type) => {
      const reading = readTimes(widget(type, ["a"]), [...hours, record("a", 60, 7, "W")], options);
      const textsAt = (hour: number) => reading?.valuesAt(START_MS + hour * HOUR_MS).map(({ text }) => text);
      expect(textsAt(6.4)).toEqual(["60 W"]);
      expect(textsAt(6.6)).toEqual(["70 W"]);
      expect(textsAt(40)).toEqual([]);
      expect(reading?.isDown).toBe(type === "horizontal_bar_chart");
    },
  );

  it("shows of stacked areas the value itself, at the height where it is drawn", () => {
    const two = [...hours, ...hours.map((each) => ({ ...each, variable: "b", id: `b${each.id}`, value: 5 }))];
    const reading = readTimes(widget("area_chart", ["a", "b"], { stacked: true }), two, options);
    const [a, b] = reading?.valuesAt(START_MS + 10 * HOUR_MS) ?? [];
    expect([a?.text, b?.text]).toEqual(["100 W", "5 W"]);
    expect(b?.place).toBeLessThan(a?.place ?? 0);
  });

  it("shows a state until the next one, and none before the first", () => {
    const states = [record("door", 2, "open"), record("door", 9, "shut"), record("door", 20, "open")];
    const reading = readTimes(widget("line_chart", ["door"]), states, options);
    const textsAt = (hour: number) => reading?.valuesAt(START_MS + hour * HOUR_MS).map(({ text }) => text);
    expect([textsAt(1), textsAt(8), textsAt(9), textsAt(20)]).toEqual([[], ["open"], ["shut"], ["open"]]);
  });

  it("shows no state where data is missing", () => {
    const kept = [0, 1, 2, 3, 4, 20, 21, 22, 23].map((hour) => record("door", hour, "open"));
    const reading = readTimes(widget("line_chart", ["door"]), kept, options);
    const textsAt = (hour: number) => reading?.valuesAt(START_MS + hour * HOUR_MS).map(({ text }) => text);
    expect([textsAt(4.5), textsAt(10), textsAt(20)]).toEqual([["open"], [], ["open"]]);
  });

  it("writes times in the zone of the widget, with seconds where values are less than a minute apart", () => {
    const zoned = {
      ...widget("line_chart", ["a"]),
      data: [{ origin: "d1", variables: ["a"], timezone: "Asia/Tokyo" }],
    };
    expect(readTimes(zoned, hours, options)?.timeText(START_MS)).toBe("Mar 1, 2026, 09:00");
    const seconds = [0, 1, 2].map((n) => ({ ...record("a", 0, n), time: new Date(START_MS + n * 5_000) }));
    expect(readTimes(widget("line_chart", ["a"]), seconds, options)?.timeText(START_MS + 5_000)).toBe(
      "Mar 1, 2026, 00:00:05",
    );
  });

  it("is nothing for a widget without an axis of times, or without data", () => {
    expect(readTimes(widget("pie", ["a"]), hours, options)).toBeUndefined();
    expect(readTimes(widget("line_chart", ["a"]), [], options)).toBeUndefined();
    expect(
      readTimes(widget("vertical_bar_chart", ["a", "b"]), [hours[0] ?? {}, record("b", 1, 2)], options),
    ).toBeUndefined();
  });
});
