import { describe, expect, it } from "vitest";
import { type DrawOptions, drawWidget } from "../../../src/lib/widgets/draw/index.ts";
import { faultsOf } from "./well-formed.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOW = Date.parse("2026-11-23T20:00:00Z");

interface Text {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: string;
}

/** What is in a drawing, by its coordinates. */
function partsOf(html: string) {
  expect(faultsOf(html)).toEqual([]);
  const attribute = (attributes: string, name: string): string =>
    new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  const number = (attributes: string, name: string): number => Number(attribute(attributes, name));
  const texts = [...html.matchAll(/<text([^>]*)>([^<]*)</g)].map(
    ([, attributes = "", text = ""]): Text => ({
      text,
      x: number(attributes, "x"),
      y: number(attributes, "y"),
      anchor: attribute(attributes, "text-anchor") || "start",
    }),
  );
  const boxes = [...html.matchAll(/<rect([^>]*)>/g)].map(([, attributes = ""]) => ({
    x: number(attributes, "x"),
    y: number(attributes, "y"),
    width: number(attributes, "width"),
    height: number(attributes, "height"),
    opacity: attribute(attributes, "fill-opacity"),
  }));
  const paths = [...html.matchAll(/<path d="([^"]*)"([^>]*)>/g)].map(([, d = "", attributes = ""]) => ({
    d,
    isLine: attribute(attributes, "fill") === "none",
  }));
  const grid = [...html.matchAll(/<line([^>]*class="iot-grid"[^>]*)>/g)].map(([, attributes = ""]) =>
    number(attributes, "y1"),
  );
  return { texts, boxes, paths, grid, title: /<title>([^<]*)</.exec(html)?.[1] };
}

const record = (variable: string, timeMs: number, value: unknown, unit = ""): object => ({
  variable,
  value,
  unit,
  time: new Date(timeMs).toISOString(),
});

/** Values at a fixed distance; undefined leaves one out. */
const series = (
  variable: string,
  count: number,
  stepMs: number,
  valueAt: (i: number) => unknown = (i) => i,
  { unit = "", endMs = NOW } = {},
): object[] =>
  Array.from({ length: count }, (_, i) => ({ i, value: valueAt(i) })).flatMap(({ i, value }) =>
    value === undefined ? [] : [record(variable, endMs - (count - 1 - i) * stepMs, value, unit)],
  );

const widget = (type: string, variables: readonly (string | object)[], display: object = {}, data: object = {}) => ({
  type,
  label: "",
  display: {
    variables: variables.map((each) => (typeof each === "string" ? { variable: each } : each)),
    show_legend: false,
    ...display,
  },
  data: [{ origin: "d", ...data }],
});

const draw = (shown: object, records: readonly object[], options: DrawOptions = {}) =>
  partsOf(drawWidget(shown, records, { width: 480, height: 300, nowMs: NOW, ...options }));

/** Where a time must be: by the first and the last point of a line. */
function timeAt(parts: ReturnType<typeof partsOf>, firstMs: number, lastMs: number): (x: number) => number {
  const xs = [...(parts.paths.find(({ isLine }) => isLine)?.d ?? "").matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) =>
    Number(x),
  );
  const [first, last] = [Math.min(...xs), Math.max(...xs)];
  return (x) => firstMs + ((x - first) / (last - first)) * (lastMs - firstMs);
}

/** Marks of the axis of times, with the context of each below it. */
function marksOf(parts: ReturnType<typeof partsOf>): { text: string; x: number; context: string }[] {
  const below = parts.texts.filter(({ anchor }) => anchor === "middle");
  const y = Math.min(...below.map((each) => each.y));
  const contexts = below.filter((each) => each.y > y);
  return below
    .filter((each) => each.y === y)
    .map(({ text, x }) => ({ text, x, context: contexts.find((each) => each.x === x)?.text ?? "" }));
}

describe("the axis of times", () => {
  const spans: readonly [name: string, count: number, stepMs: number, endMs?: number][] = [
    ["five years", 260, 7 * DAY],
    ["a year", 365, DAY],
    ["three months", 90, DAY],
    ["three weeks", 21, DAY],
    ["three days over the end of summer time", 73, HOUR, Date.parse("2026-10-26T12:00:00Z")],
    ["three days over the start of summer time", 73, HOUR, Date.parse("2026-03-30T12:00:00Z")],
    ["four hours over the end of summer time", 49, HOUR / 12, Date.parse("2026-10-25T03:00:00Z")],
    ["five minutes", 60, 5_000],
    ["six seconds", 60, 100],
    ["half a second", 50, 10],
  ];
  const inBerlin = (ms: number, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat("en-US", { timeZone: "Europe/Berlin", hourCycle: "h23", ...options }).format(ms);

  it.each(spans)(
    "has every mark of %s at its true time in the zone, once, and uncut",
    (_, count, stepMs, endMs = NOW) => {
      const startMs = endMs - (count - 1) * stepMs;
      const records = series("t", count, stepMs, (i) => i % 7, { endMs });
      for (const width of [240, 480, 1_200]) {
        const parts = draw(widget("line_chart", ["t"]), records, { timeZone: "Europe/Berlin", width });
        const whenAt = timeAt(parts, startMs, endMs);
        const marks = marksOf(parts);
        expect(marks.length).toBeGreaterThan(width > 300 ? 2 : 0);
        const pixelMs = (endMs - startMs) / (width - 60);
        let context = "";
        for (const mark of marks) {
          context = mark.context || context;
          // Labels at the ends are moved to where they are not cut.
          const half = (mark.text.length * 7) / 2;
          expect(mark.x).toBeGreaterThanOrEqual(half * 0.7);
          expect(mark.x).toBeLessThanOrEqual(width - half * 0.7);
          if (mark.x < 48 || mark.x > width - 48) continue;
          const near = [10, 100, 1_000, 60_000, 900_000]
            .map((unitMs) => Math.round(whenAt(mark.x) / unitMs) * unitMs)
            .filter((ms) => Math.abs(ms - whenAt(mark.x)) <= 1.5 * pixelMs)
            // A day, month or year starts within this pixel.
            .concat(whenAt(mark.x) + 1.5 * pixelMs);
          const clock = { hour: "2-digit", minute: "2-digit" } as const;
          const names = near.flatMap((ms) => [
            inBerlin(ms, { ...clock, second: "2-digit", fractionalSecondDigits: 3 }),
            inBerlin(ms, { ...clock, second: "2-digit", fractionalSecondDigits: 1 }),
            inBerlin(ms, { ...clock, second: "2-digit" }),
            inBerlin(ms, clock),
            inBerlin(ms, { month: "short", day: "numeric" }),
            inBerlin(ms, { month: "short" }),
            inBerlin(ms, { year: "numeric" }),
          ]);
          expect(names).toContain(mark.text);
          expect([...names, ""]).toContain(context);
        }
        expect(marks[0]?.context).not.toBe(/^\d{4}$/.test(marks[0]?.text ?? "") ? "x" : "");
        const named = marks.map((mark) => mark.text);
        if (stepMs < HOUR || count === 365) expect(new Set(named).size).toBe(named.length);
      }
    },
  );

  it("starts years and months where they start, not every 365 or 30 days", () => {
    const records = series("t", 260, 7 * DAY);
    const parts = draw(widget("line_chart", ["t"]), records, { width: 300 });
    const whenAt = timeAt(parts, NOW - 259 * 7 * DAY, NOW);
    const marks = marksOf(parts);
    expect(marks.map(({ text }) => text)).toEqual(["2022", "2023", "2024", "2025", "2026"]);
    for (const { text, x } of marks.slice(1))
      expect(Math.abs(whenAt(x) - Date.UTC(Number(text), 0))).toBeLessThan(4 * DAY);
  });

  it("marks a repeated hour once and a skipped one never", () => {
    const at = (endMs: number) =>
      marksOf(
        draw(widget("line_chart", ["t"]), series("t", 19, HOUR / 2, undefined, { endMs }), {
          timeZone: "Europe/Berlin",
          width: 800,
        }),
      ).map(({ text }) => text);
    const back = at(Date.parse("2026-10-25T06:00:00Z"));
    expect(back).toEqual(expect.arrayContaining(["01:00", "02:00", "03:00"]));
    expect(new Set(back).size).toBe(back.length);
    const forward = at(Date.parse("2026-03-29T06:00:00Z"));
    expect(forward).toEqual(expect.arrayContaining(["01:00", "03:00"]));
    expect(forward).not.toContain("02:00");
  });

  it("starts a day whose midnight is skipped when the clocks change", () => {
    // Cairo put its clocks forward at midnight of April 24, 2026.
    const endMs = Date.parse("2026-04-26T21:00:00Z");
    const parts = draw(widget("line_chart", ["t"]), series("t", 121, HOUR, undefined, { endMs }), {
      timeZone: "Africa/Cairo",
    });
    const mark = marksOf(parts).find(({ text }) => text === "Apr 24");
    const whenAt = timeAt(parts, endMs - 120 * HOUR, endMs);
    expect(Math.abs(whenAt(mark?.x ?? 0) - Date.parse("2026-04-23T22:00:00Z"))).toBeLessThan(HOUR / 2);
  });

  it("is in the zone of the widget's data where no other one is asked for", () => {
    const shown = widget("line_chart", ["t"], {}, { timezone: "Asia/Kolkata" });
    const records = series("t", 24, HOUR);
    const [first, last] = [NOW - 23 * HOUR, NOW];
    const parts = draw(shown, records);
    const [mark = { text: "", x: 0 }] = marksOf(parts).slice(1);
    const ms = timeAt(parts, first, last)(mark.x);
    expect(Math.round((ms % HOUR) / (HOUR / 2))).toBe(1);
    expect(draw(shown, records, { timeZone: "UTC" })).not.toEqual(parts);
  });

  it("spans the period that the data is asked for", () => {
    const records = series("t", 3, HOUR);
    const lineOf = (data: object) => {
      const d = draw(widget("line_chart", ["t"], {}, data), records).paths.find(({ isLine }) => isLine)?.d ?? "";
      return [...d.matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x));
    };
    const [start = 0, , end = 0] = lineOf({});
    const [early = 0, , late = 0] = lineOf({ start_date: "8 hours" });
    expect([Math.round(late), Math.round((late - early) * 4)]).toEqual([Math.round(end), Math.round(end - start)]);
    const [first = 0, , last = 0] = lineOf({
      start_date: new Date(NOW - 4 * HOUR).toISOString(),
      end_date: new Date(NOW + 4 * HOUR).toISOString(),
    });
    expect(first - start).toBeGreaterThan(50);
    expect(end - last).toBeGreaterThan(150);
  });
});

describe("missing data", () => {
  const parts = draw(
    widget("line_chart", ["t"]),
    series("t", 144, 600_000, (i) => (i > 40 && i < 112 ? undefined : 20 + i)),
  );

  it("leaves a line open, and nothing is drawn in the gap", () => {
    const line = parts.paths.find(({ isLine }) => isLine)?.d ?? "";
    expect(line.match(/M/g)).toHaveLength(2);
    const xs = line
      .split("M")
      .slice(1)
      .map((run) => [...run.matchAll(/(-?[\d.]+),/g)].map(([, x]) => Number(x)));
    const all = xs.flat();
    const share = (x = 0): number => (x - Math.min(...all)) / (Math.max(...all) - Math.min(...all));
    expect([share(xs[0]?.at(-1)), share(xs[1]?.[0])]).toEqual([
      expect.closeTo(40 / 143, 2),
      expect.closeTo(112 / 143, 2),
    ]);
  });

  it("leaves the line of many points open as well, and of regular data closed", () => {
    const many = series("t", 9_000, 60_000, (i) => (i > 3_000 && i < 5_000 ? undefined : i % 50));
    const lineOf = (records: readonly object[]): string =>
      draw(widget("line_chart", ["t"]), records).paths.find(({ isLine }) => isLine)?.d ?? "";
    expect(lineOf(many).match(/M/g)).toHaveLength(2);
    expect(lineOf(series("t", 9_000, 60_000)).match(/M/g)).toHaveLength(1);
    expect(lineOf(series("t", 3, HOUR)).match(/M/g)).toHaveLength(1);
  });

  it("keeps the room of bars that are missing", () => {
    const { boxes } = draw(
      widget("vertical_bar_chart", ["t"]),
      series("t", 24, HOUR, (i) => (i > 8 && i < 19 ? undefined : i + 1)),
    );
    expect(boxes).toHaveLength(14);
    const step = (boxes[1]?.x ?? 0) - (boxes[0]?.x ?? 0);
    expect((boxes[9]?.x ?? 0) - (boxes[8]?.x ?? 0)).toBeCloseTo(11 * step, 0);
  });
});

describe("bars over time", () => {
  it("are narrowed, not left out", () => {
    const { boxes, texts } = draw(
      widget("vertical_bar_chart", ["t"]),
      series("t", 96, 900_000, (i) => i + 1),
    );
    expect(boxes).toHaveLength(96);
    for (const { width } of boxes) expect(width).toBeGreaterThanOrEqual(1);
    const overlaps = boxes.filter(({ x }, i) => x < (boxes[i - 1]?.x ?? 0) + (boxes[i - 1]?.width ?? 0) - 0.02);
    expect(overlaps).toEqual([]);
    expect(texts.filter(({ text }) => text.includes("last"))).toEqual([]);
    const down = draw(
      widget("horizontal_bar_chart", ["t"]),
      series("t", 48, HOUR, (i) => i + 1),
    );
    expect(down.boxes).toHaveLength(48);
  });

  it("stay within the axes, also a single one at the end of the period", () => {
    for (const type of ["vertical_bar_chart", "horizontal_bar_chart"]) {
      const { boxes, texts } = draw(widget(type, ["t"], {}, { start_date: "1 day" }), [record("t", NOW, 5)]);
      const [bar = { x: 0, y: 0, width: 0, height: 0 }] = boxes;
      expect(bar.x + bar.width).toBeLessThanOrEqual(465);
      if (type === "horizontal_bar_chart")
        expect(bar.y + bar.height).toBeLessThanOrEqual(Math.max(...texts.map(({ y }) => y)) - 16);
    }
  });

  it("do not cut the lines of a chart with several axes", () => {
    const shown = widget("multiple_axis_chart", [
      { variable: "a", chart_type: "line_chart" },
      { variable: "b", chart_type: "vertical_bar_chart" },
    ]);
    const { boxes, paths } = draw(shown, [...series("a", 72, HOUR), ...series("b", 72, HOUR, (i) => i + 1)]);
    expect(boxes).toHaveLength(72);
    expect(paths.find(({ isLine }) => isLine)?.d.match(/[ML]/g)).toHaveLength(72);
  });

  it("stand where their time is, also from top to bottom", () => {
    const records = [0, 1, 2, 9].map((n) => record("t", NOW + n * HOUR, n + 1));
    const { boxes } = draw(widget("horizontal_bar_chart", ["t"]), records);
    const [a = 0, b = 0, , d = 0] = boxes.map(({ y }) => y);
    expect(d - a).toBeCloseTo(9 * (b - a), 0);
  });

  it("and areas are stacked on what is below them", () => {
    for (const type of ["vertical_bar_chart", "area_chart"]) {
      const { texts } = draw(
        widget(type, ["a", "b", "c"], { stacked: true }),
        ["a", "b", "c"].flatMap((name) => series(name, 10, HOUR, () => 10)),
      );
      expect(texts.map(({ text }) => text)).toContain("30");
    }
  });

  it("stand on nothing where the data below them is missing", () => {
    const { texts, paths } = draw(widget("area_chart", ["a", "b"], { stacked: true }), [
      ...series("a", 40, HOUR, (i) => (i > 10 && i < 30 ? undefined : 10)),
      ...series("b", 40, HOUR, () => 10),
    ]);
    expect(texts.map(({ text }) => text)).toContain("20");
    const upper = paths.filter(({ isLine }) => isLine).at(-1)?.d ?? "";
    const ys = [...upper.matchAll(/[ML]-?[\d.]+,(-?[\d.]+)/g)].map(([, y]) => Number(y));
    // Twice as high where both are there as where only one is.
    const [both, one, zero] = [ys[5] ?? 0, ys[20] ?? 0, texts.find(({ text }) => text === "0")?.y ?? 0];
    expect((zero - 4 - both) / (zero - 4 - one)).toBeCloseTo(2, 1);
  });

  it("are beside each other where their units differ", () => {
    for (const type of ["vertical_bar_chart", "horizontal_bar_chart", "multiple_axis_chart"]) {
      const variables = ["a", "b"].map((variable) => ({ variable, chart_type: "vertical_bar_chart" }));
      const { boxes } = draw(
        widget(type, variables, { stacked: true }),
        ["a", "b"].flatMap((name) => series(name, 4, HOUR, (i) => i + 1, { unit: name })),
      );
      const places = boxes.map(({ x, y }) => (type === "horizontal_bar_chart" ? y : x));
      expect([type, new Set(places).size]).toEqual([type, 8]);
    }
  });
});

describe("the axes of values", () => {
  const textsOf = (type: string, variables: readonly (string | object)[], records: readonly object[], more = {}) =>
    draw(widget(type, variables), records, more).texts.map(({ text }) => text);

  it("name their unit, and have one each where units differ", () => {
    const first = series("t", 50, HOUR, (i) => 20 + Math.sin(i), { unit: "°C" });
    const second = series("p", 50, HOUR, (i) => 1_013 + (i % 5), { unit: "hPa" });
    expect(textsOf("line_chart", ["t"], first)).toContain("°C");
    expect(textsOf("line_chart", ["t", "p"], [...first, ...second])).toEqual(
      expect.arrayContaining(["t (°C)", "p (hPa)", "19.0", "1,013"]),
    );
  });

  it("have all their marks on the lines of the grid", () => {
    const shown = widget(
      "multiple_axis_chart",
      ["a", "b", "c"].map((variable) => ({ variable, chart_type: "line_chart" })),
    );
    for (const factor of [1, 3.7, 1e4, 1e-3]) {
      const records = [
        ...series("a", 48, HOUR, (i) => 20 + Math.sin(i / 5) * 5, { unit: "°C" }),
        ...series("b", 48, HOUR, (i) => factor * (60 + 20 * Math.cos(i / 5)), { unit: "%" }),
        ...series("c", 48, HOUR, (i) => factor * (i % 9), { unit: "mm" }),
      ];
      const { texts, grid } = draw(shown, records);
      const marks = texts.filter(({ text, anchor }) => anchor !== "middle" && /^[\d.,]+$/.test(text));
      expect(marks).toHaveLength(3 * grid.length);
      for (const { y } of marks) expect(grid.some((line) => Math.abs(line + 4 - y) < 0.5)).toBe(true);
      expect(texts.map(({ text }) => text)).toEqual(expect.arrayContaining(["a (°C)", "b (%)", "c (mm)"]));
    }
  });

  it("write very large and very small numbers with an exponent, each another one", () => {
    const scaled = (by: number): string[] =>
      textsOf(
        "line_chart",
        ["v"],
        series("v", 30, HOUR, (i) => i * by),
      );
    expect(scaled(1e20)).toEqual(expect.arrayContaining(["0", "5.0e+20", "1.0e+21", "1.5e+21"]));
    expect(scaled(1e-9)).toEqual(expect.arrayContaining(["0", "5.0e-9", "1.0e-8", "1.5e-8"]));
    expect(scaled(8.3e20).filter((text) => text.includes("e+"))).toContain("2.5e+22");
  });

  it("are readable in a low drawing, which has no legend", () => {
    const wave = series("v", 48, HOUR, (i) => Math.sin(i / 5) * 10);
    const low = (height: number) =>
      draw({ ...widget("line_chart", ["v"], { show_legend: true }), label: "Boiler" }, wave, { height }).texts;
    for (const height of [60, 90, 120]) {
      const ys = low(height).flatMap(({ text, y }) => (/^-?\d+$/.test(text) ? [y] : []));
      expect([height, ys.length > 1, ys.some((y, i) => Math.abs(y - (ys[i + 1] ?? 1e9)) < 11)]).toEqual([
        ...[height, true, false],
      ]);
      expect(low(height).map(({ text }) => text)).not.toContain("v");
    }
    expect(low(180).map(({ text }) => text)).toEqual(expect.arrayContaining(["v", "-10", "-5", "0", "5", "10"]));
  });

  it("say how many values a fixed scale leaves out", () => {
    const fixed = (type: string) =>
      draw(
        widget(type, ["v"], { y_axis: { scale: { type: "fixed", minimum: 10, maximum: 20 } } }),
        series("v", 30, HOUR),
      ).texts.map(({ text }) => text);
    for (const type of ["line_chart", "vertical_bar_chart", "horizontal_bar_chart"])
      expect([type, fixed(type)]).toEqual([type, expect.arrayContaining(["9 values above and 10 below the scale"])]);
    expect(textsOf("line_chart", ["v"], series("v", 30, HOUR)).join()).not.toContain("scale");
  });

  it("name the reference lines that are beyond them", () => {
    const lines = [{ label: "limit", value: 80 }, { label: "low", value: 5 }, { value: -20 }];
    for (const type of ["line_chart", "vertical_bar_chart", "horizontal_bar_chart"]) {
      const html = drawWidget(widget(type, ["v"], { reference_lines: lines }), series("v", 30, HOUR));
      const texts = partsOf(html).texts.map(({ text }) => text);
      expect([type, texts]).toEqual([
        type,
        expect.arrayContaining(["low", "limit at 80 above the scale, line at -20 below the scale"]),
      ]);
      expect([type, html.match(/stroke-dasharray/g)?.length]).toEqual([type, 1]);
    }
  });

  it("write their numbers as the widget does, with even decimals that tell them apart", () => {
    const tiny = series("v", 50, HOUR, (i) => 230 + 0.001 * Math.sin(i));
    const big = series("v", 50, HOUR, (i) => 147_474 + i * 35.3);
    expect(textsOf("line_chart", ["v"], tiny)).toEqual(expect.arrayContaining(["230.0000", "230.0005", "230.0010"]));
    expect(textsOf("line_chart", ["v"], big, { locale: "de-DE" })).toContain("149.000");
    const format = (number_format: object) => [{ variable: "v", number_format }];
    expect(textsOf("line_chart", format({ decimals: -1, show_thousand: false }), big)).toContain("149000");
    expect(textsOf("line_chart", format({ decimals: 2 }), big)).toContain("149,000.00");
    expect(textsOf("line_chart", format({ decimals: 0 }), tiny)).toContain("230.0005");
  });
});

describe("states", () => {
  it.each([
    ["strings", "on", "off"],
    ["booleans", true, false],
  ])("of %s are bands from each change to the next", (_, one, other) => {
    const { boxes, texts } = draw(
      widget("line_chart", ["s"], { show_legend: true }),
      series("s", 41, HOUR, (i) => (i < 10 || i >= 30 ? one : other)),
    );
    const bands = boxes.filter(({ opacity }) => opacity === "0.4");
    expect(bands).toHaveLength(3);
    expect(bands.map(({ width }) => width / (bands[0]?.width ?? 1))).toEqual(
      [1, 2, 1].map((n) => expect.closeTo(n, 1)),
    );
    for (const state of [one, other]) expect(texts.map(({ text }) => text)).toContain(String(state));
  });

  it("are open where data is missing", () => {
    const { boxes, texts } = draw(
      widget("line_chart", ["s"], { show_legend: true }),
      series("s", 41, HOUR, (i) => (i > 10 && i < 30 ? undefined : i < 20)),
    );
    const [first, second, ...more] = boxes.filter(({ opacity }) => opacity === "0.4");
    expect(more).toEqual([]);
    const hour = (second?.width ?? 0) / 10;
    expect((first?.width ?? 0) / hour).toBeCloseTo(11, 1);
    expect(((second?.x ?? 0) - (first?.x ?? 0)) / hour).toBeCloseTo(30, 1);
    expect(texts.map(({ text }) => text)).not.toContain("");
  });

  it("stand below the lines of a chart, at the same times", () => {
    const { boxes, paths } = draw(widget("line_chart", ["t", "s"]), [
      ...series("t", 41, HOUR),
      ...series("s", 41, HOUR, (i) => (i < 20 ? "day" : "night")),
    ]);
    const bands = boxes.filter(({ opacity }) => opacity === "0.4");
    const xs = [...(paths.find(({ isLine }) => isLine)?.d ?? "").matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) =>
      Number(x),
    );
    expect(bands[1]?.x).toBeCloseTo(xs[20] ?? 0, 0);
  });
});

describe("a step button", () => {
  it("has no value where there is no data", () => {
    const limited = widget("step_button", [], { limit: { enabled: true, minimum: -50, maximum: 0 }, step_value: 5 });
    const button = { ...limited, data: [{ variables: ["t"] }] };
    const textsOf = (...records: readonly object[]) => draw(button, records).texts.map(({ text }) => text);
    expect(textsOf()).toEqual(expect.arrayContaining(["–", "-50 to 0, step 5"]));
    expect(textsOf(record("t", NOW, -35))).toContain("-35");
  });
});

describe("gauges and pies", () => {
  it("show no threshold that the widget does not have", () => {
    const meter = (more: object) =>
      drawWidget(
        { type: "vu-meter", display: { range: { minimum: 0, maximum: 100 }, ...more }, data: [{ variables: ["t"] }] },
        [record("t", NOW, 50)] as never,
      );
    const fill = [{ condition: ">", value: 80, color: "#c00" }];
    expect(meter({}).match(/<path/g)).toHaveLength(2);
    expect(meter({ theme: { color: { fill } } })).toContain('fill="#c00"');
  });

  it("say what they got instead of a number", () => {
    const textsOf = (...records: readonly object[]) =>
      draw({ ...widget("solid", ["t"]), data: [{ variables: ["t"] }] }, records).texts.map(({ text }) => text);
    expect(textsOf(record("t", NOW, "offline"))).toContain("offline is no number");
    expect(textsOf()).toContain("No data");
  });

  it("tell shares from values, and give none where units differ", () => {
    const pie = widget("pie", ["a", "b"], { show_legend: true });
    const textsOf = (unit: string) =>
      draw(pie, [record("a", NOW, 4, "%"), record("b", NOW, 3, unit)]).texts.map(({ text }) => text);
    expect(textsOf("%")).toEqual(expect.arrayContaining(["Shares of 7%", "57%", "a 4%"]));
    expect(textsOf("bar")).toEqual(expect.arrayContaining(["%, bar: no shares, units differ", "b", "3 bar"]));
    expect(textsOf("bar")).not.toContain("57%");
  });

  it("are named by the label of the widget, also where it is not shown", () => {
    const named = { ...widget("line_chart", ["t"]), label: "Boiler" };
    const records = series("t", 5, HOUR);
    expect(draw(named, records).title).toBe("Boiler");
    const html = drawWidget(named, records, { showLabel: false });
    expect([partsOf(html).title, html.includes("figcaption")]).toEqual(["Boiler", false]);
    expect(draw(widget("line_chart", ["t", "u"]), records).title).toBe("t, u");
  });
});
