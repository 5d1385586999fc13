import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DrawOptions, drawWidget, widgetStyles } from "../../src/lib/widgets/draw/index.ts";
import { launch } from "./browser.ts";
import {
  badTexts,
  haversine,
  lineThrough,
  type Measured,
  measure,
  type Shape,
  timeAxis,
  valueAxis,
} from "./measure.ts";

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const NOW = Date.parse("2026-11-23T20:00:00Z");

type Row = readonly [variable: string, timeMs: number, value: unknown, unit?: string, more?: object];
const recordsOf = (rows: readonly Row[]): object[] =>
  rows.map(([variable, timeMs, value, unit = "", more = {}]) => ({
    ...{ variable, value, unit, time: new Date(timeMs).toISOString() },
    ...more,
  }));

/** Values at a fixed distance that end now; undefined leaves one out. */
const series = (variable: string, count: number, stepMs: number, valueAt: (i: number) => unknown, unit = ""): Row[] =>
  Array.from({ length: count }, (_, i): Row => [variable, NOW - (count - 1 - i) * stepMs, valueAt(i), unit]).filter(
    ([, , value]) => value !== undefined,
  );

interface Case {
  readonly name: string;
  readonly type: string;
  readonly display?: object;
  readonly data?: object;
  readonly rows: readonly Row[];
  readonly options?: DrawOptions;
  readonly check: (drawn: Measured) => void;
}

const variables = (...names: readonly (string | object)[]): object => ({
  variables: names.map((each) => (typeof each === "string" ? { variable: each } : each)),
});

const near = (value: number | undefined, wanted: number, pixels = 1.5): void =>
  expect(Math.abs((value ?? Number.NaN) - wanted), `${value} is not ${wanted}`).toBeLessThanOrEqual(pixels);
const linesOf = ({ shapes }: Measured): readonly Shape[] =>
  shapes.filter((each) => each.tag === "path" && /^iot-l\d/.test(each.class));
const filled = ({ shapes }: Measured, tag: string): readonly Shape[] =>
  shapes.filter((each) => each.tag === tag && /^iot-f\d/.test(each.class) && each.right - each.left !== 10);
const textsOf = ({ texts }: Measured): string[] => texts.map(({ text }) => text);

/** Each point of a line at its time and its value. */
const followsLine =
  (rows: readonly Row[], runs = 1, side: "left" | "right" = "left", place = 0) =>
  (drawn: Measured): void => {
    const line = linesOf(drawn)[place];
    const [at, on] = [timeAxis(drawn, rows[0]?.[1] ?? 0), valueAxis(drawn, side)];
    expect([line?.points.length, line?.starts]).toEqual([rows.length, runs]);
    for (const [i, [, timeMs, value]] of rows.entries()) {
      near(line?.points[i]?.[0], at.at(timeMs));
      near(line?.points[i]?.[1], on.at(Number(value)));
    }
  };

/** A bar for each row: its middle at its time, its ends at 0 and its value. */
const followsBars =
  (rows: readonly Row[], timeOf = (row: Row): number => row[1]) =>
  (drawn: Measured): void => {
    const [bars, at, on] = [filled(drawn, "rect"), timeAxis(drawn, (rows[0]?.[1] ?? 0) - HOUR), valueAxis(drawn)];
    expect(bars).toHaveLength(rows.length);
    for (const [i, row] of rows.entries()) {
      const bar = bars[i];
      near(bar?.x, at.at(timeOf(row)));
      near(bar?.top, Math.min(on.at(0), on.at(Number(row[2]))));
      near(bar?.bottom, Math.max(on.at(0), on.at(Number(row[2]))));
    }
  };

let seed = 7;
const random = (): number => {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647;
};
let eventMs = NOW - DAY;
/** Events at any time, as of a door: some are seconds apart, some hours. */
const events: readonly Row[] = Array.from({ length: 60 }, (_, i): Row => {
  eventMs += Math.max(1_000, -Math.log(random()) * 20 * MINUTE);
  return ["t", Math.round(eventMs), i % 9];
});
const tenMinutes = series("t", 120, 10 * MINUTE, (i) => Math.round(20 + 5 * Math.sin(i / 9)));
const holed = tenMinutes.filter((_, i) => i < 40 || i > 80);
const byNight = tenMinutes.filter((_, i) => i < 80 || i % 6 === 0);
const hours = series("t", 24, HOUR, (i) => (i % 7) + 1);
const line = { type: "line_chart", display: variables("t") };
const bars = { type: "vertical_bar_chart", display: variables("t") };
const inBerlin = { options: { timeZone: "Europe/Berlin" } } as const;
const daily = {
  data: { query: "aggregate", variables: ["t"], interval: "day", function: "sum" },
  ...inBerlin,
} as const;
/** One record an hour of four days in Berlin, each with the value 1. */
const fourDays = Array.from({ length: 96 }, (_, i): Row => ["t", Date.parse("2026-11-18T23:00:00Z") + i * HOUR, 1]);

/** Bars of days: the middle of each is where its day starts in the zone. */
const onDays =
  (wanted: readonly string[], value: number) =>
  (drawn: Measured): void => {
    const starts = drawn.texts.filter(({ text }) => text === "00:00").sort((a, b) => a.x - b.x);
    const [days, on] = [drawn.texts.filter(({ text }) => wanted.includes(text)), valueAxis(drawn)];
    expect(days.map(({ text }) => text)).toEqual(wanted);
    for (const [i, bar] of filled(drawn, "rect").entries()) {
      near(bar.x, starts[i]?.x ?? Number.NaN);
      near(bar.x, days[i]?.x ?? Number.NaN);
      near(bar.top, on.at(value));
    }
    expect(filled(drawn, "rect")).toHaveLength(wanted.length);
  };

const charts: readonly Case[] = [
  { name: "a line of ten minutes", ...line, rows: tenMinutes, check: followsLine(tenMinutes) },
  { name: "a line with a hole", ...line, rows: holed, check: followsLine(holed, 2) },
  {
    name: "events at any time, in one line",
    ...line,
    rows: events,
    check: (drawn) => expect(linesOf(drawn)[0]?.starts).toBe(1),
  },
  { name: "fewer values by night, in one line", ...line, rows: byNight, check: followsLine(byNight) },
  { name: "a narrow line chart", ...line, rows: hours, options: { width: 260 }, check: followsLine(hours) },
  {
    name: "a wide line chart",
    ...line,
    rows: hours,
    options: { width: 1_400, height: 500 },
    check: followsLine(hours),
  },
  {
    name: "large numbers in groups",
    ...line,
    rows: series("t", 20, HOUR, (i) => 147_474 + i * 350, "kWh"),
    check: followsLine(series("t", 20, HOUR, (i) => 147_474 + i * 350)),
  },
  {
    name: "values below zero",
    ...line,
    rows: series("t", 30, HOUR, (i) => i - 15),
    check: followsLine(series("t", 30, HOUR, (i) => i - 15)),
  },
  {
    name: "two units, each on its own axis",
    type: "line_chart",
    display: variables("t", "p"),
    rows: [...series("t", 30, HOUR, (i) => i % 7, "°C"), ...series("p", 30, HOUR, (i) => 1_000 + (i % 5), "hPa")],
    check: (drawn) => {
      followsLine(series("t", 30, HOUR, (i) => i % 7))(drawn);
      followsLine(
        series("p", 30, HOUR, (i) => 1_000 + (i % 5)),
        1,
        "right",
        1,
      )(drawn);
    },
  },
  { name: "bars of hours", ...bars, rows: hours, check: followsBars(hours) },
  {
    name: "bars with hours missing",
    ...bars,
    rows: [...hours.slice(0, 9), ...hours.slice(19)],
    check: followsBars([...hours.slice(0, 9), ...hours.slice(19)]),
  },
  {
    name: "96 bars in a day",
    ...bars,
    rows: series("t", 96, 15 * MINUTE, (i) => (i % 9) + 1),
    check: followsBars(series("t", 96, 15 * MINUTE, (i) => (i % 9) + 1)),
  },
  {
    name: "bars below zero",
    ...bars,
    rows: series("t", 12, HOUR, (i) => i - 6.5),
    check: followsBars(series("t", 12, HOUR, (i) => i - 6.5)),
  },
  {
    name: "days of Berlin, grouped here",
    ...bars,
    ...daily,
    rows: fourDays,
    check: onDays(["Nov 19", "Nov 20", "Nov 21", "Nov 22"], 24),
  },
  {
    name: "days that the platform has grouped, in Berlin",
    ...bars,
    ...daily,
    rows: [19, 20, 21, 22].map((day): Row => ["t", Date.UTC(2026, 10, day), 24]),
    check: onDays(["Nov 19", "Nov 20", "Nov 21", "Nov 22"], 24),
  },
  {
    name: "days that the platform has grouped, in New York",
    ...bars,
    data: daily.data,
    options: { timeZone: "America/New_York" },
    rows: [19, 20, 21, 22].map((day): Row => ["t", Date.UTC(2026, 10, day), 24]),
    check: onDays(["Nov 19", "Nov 20", "Nov 21", "Nov 22"], 24),
  },
  {
    name: "stacked bars",
    type: "vertical_bar_chart",
    display: { ...variables("a", "b"), stacked: true },
    rows: ["a", "b"].flatMap((name, k) => series(name, 6, HOUR, (i) => i + 1 + k)),
    check: (drawn) => {
      const [all, on] = [filled(drawn, "rect"), valueAxis(drawn)];
      expect(all).toHaveLength(12);
      for (let i = 0; i < 6; i++) {
        near(all[i]?.top, on.at(i + 1));
        near(all[i + 6]?.bottom, on.at(i + 1));
        near(all[i + 6]?.top, on.at(2 * i + 3));
      }
    },
  },
  {
    name: "horizontal bars of names",
    type: "horizontal_bar_chart",
    display: variables("a", "b", "c"),
    rows: ["a", "b", "c"].map((name, i): Row => [name, NOW - i * HOUR, 10 * (i + 1)]),
    check: (drawn) => {
      const marks = drawn.texts.filter(({ text }) => /^\d+$/.test(text));
      const on = lineThrough(marks.map(({ text, x }) => [Number(text), x] as const).sort(([a], [b]) => a - b));
      for (const [i, bar] of filled(drawn, "rect").entries()) near(bar.right, on.at(10 * (i + 1)));
    },
  },
];

/** Angle of a point from 12 o'clock around a middle, clockwise, from 0 to 360. */
const angleOf = ([x, y]: readonly [number, number], cx: number, cy: number): number =>
  ((Math.atan2(x - cx, cy - y) * 180) / Math.PI + 360) % 360;

/** Slices in their order, each as large as its share: from the start of one to the start of the next. */
const hasShares =
  (values: readonly number[], from = 0, whole = 360) =>
  (drawn: Measured): void => {
    const slices = filled(drawn, "path");
    const total = values.reduce((sum, value) => sum + value, 0);
    const [left, right, bottom] = [
      Math.min(...slices.map((each) => each.left)),
      Math.max(...slices.map((each) => each.right)),
      Math.max(...slices.map((each) => each.bottom)),
    ];
    const top = Math.min(...slices.map((each) => each.top));
    const [cx, cy] = [(left + right) / 2, whole === 360 ? (top + bottom) / 2 : bottom];
    let angle = from;
    for (const [i, value] of values.entries()) {
      near((angleOf(slices[i]?.points[0] ?? [0, 0], cx, cy) - angle + 540) % 360, 180, 1.5);
      const share = `${Math.round((value / total) * 100)}%`;
      if (value / total >= 0.06) expect(textsOf(drawn)).toContain(share);
      angle += (value / total) * whole;
    }
    expect(slices).toHaveLength(values.length);
  };

const last = (values: readonly number[], unit: string): Row[] =>
  values.map((value, i): Row => [`v${i}`, NOW, value, unit]);
const named = (count: number): object =>
  variables(...Array.from({ length: count }, (_, i) => ({ variable: `v${i}`, alias: `Category number ${i}` })));
const gauge = (type: string, value: number, maximum: number, more: object = {}) => ({
  type,
  display: { range: { type: "minmax", minimum: 0, maximum }, ...more },
  data: { variables: ["v0"] },
  rows: last([value], "t"),
});
/** The gap between the level of a vessel and the mark where it has to be. */
const atLevel = (value: number, shape: (drawn: Measured) => number | undefined) => (drawn: Measured) =>
  near(shape(drawn), valueAxis(drawn, "right").at(value), 2);

const shares: readonly Case[] = [
  { name: "a pie", type: "pie", display: named(3), rows: last([5, 3, 2], "kWh"), check: hasShares([5, 3, 2]) },
  {
    name: "a pie of twelve",
    type: "pie",
    display: named(12),
    rows: last([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12], "kWh"),
    check: hasShares([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
  },
  {
    name: "a half donut",
    type: "semidonut",
    display: named(3),
    rows: last([5, 3, 2], "kWh"),
    check: hasShares([5, 3, 2], 270, 180),
  },
  {
    name: "a pie of different units, which has no slices",
    type: "pie",
    display: named(2),
    rows: [...last([5], "bar"), ["v1", NOW, 7, "m³"]],
    check: (drawn) => {
      expect(filled(drawn, "path")).toEqual([]);
      expect(textsOf(drawn)).toEqual(expect.arrayContaining(["5 bar", "7 m³", "bar, m³: no shares, units differ"]));
    },
  },
  {
    name: "a gauge above its range",
    ...gauge("angular", 250, 100),
    check: (drawn) => expect(textsOf(drawn)).toEqual(expect.arrayContaining(["250 t", "above the range of 0 to 100"])),
  },
  {
    name: "a gauge with grouped numbers of the same decimals",
    ...gauge("angular", 13_333.33, 25_000, { number_format: { decimals: 1 } }),
    check: (drawn) => expect(textsOf(drawn)).toEqual(expect.arrayContaining(["13,333.3 t", "25,000.0", "0.0"])),
  },
  {
    name: "a solid gauge in the middle of its place",
    ...gauge("solid", 30, 100),
    options: { width: 300, height: 300 },
    check: ({ shapes, width }) => {
      const track = shapes.find((each) => each.class === "iot-track");
      expect((track?.right ?? 0) - (track?.left ?? 0)).toBeGreaterThan(width * 0.85);
    },
  },
  {
    name: "the needle of a gauge",
    ...gauge("angular", 75, 100),
    check: ({ shapes }) => {
      const needle = shapes.filter((each) => each.tag === "path" && each.class === "iot-ink").at(-1);
      const [a = [0, 0], tip = [0, 0], b = [0, 0]] = needle?.points ?? [];
      near(angleOf(tip, (a[0] + b[0]) / 2, (a[1] + b[1]) / 2), (-110 + 0.75 * 220 + 360) % 360, 1);
    },
  },
  {
    name: "a cylinder, filled to its value",
    ...gauge("cylinder", 30, 100),
    check: atLevel(
      30,
      ({ shapes }) =>
        shapes.find((each) => each.tag === "path" && each.class === "iot-accent" && each.bottom - each.top < 60)?.y,
    ),
  },
  {
    name: "a grain bin with its scale",
    ...gauge("grainbin", 30, 100),
    check: atLevel(30, ({ shapes }) => shapes.filter((each) => each.class === "iot-grain").at(-1)?.y),
  },
];

const PNG =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAMgAAABkCAIAAABM5OhcAAAAbklEQVR42u3OMQ0AAAgDMORjbgZRwc3RpAIaXZMDFRISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISEhISErpZAYRWkBkp2FsAAAAASUVORK5CYII=";
const place = (name: string, lat: number, lng: number, agoMs = 0): Row => [
  name,
  NOW - agoMs,
  1,
  "",
  { location: { lat, lng } },
];
/** Longitudes and latitudes of a map by the degrees on its lines. */
function degreesOf({ shapes, texts }: Measured) {
  const grid = shapes.filter((each) => each.tag === "line" && each.class === "iot-grid");
  const signed = (text: string): number => Number.parseFloat(text) * (/[WS]$/.test(text) ? -1 : 1);
  const lngs = texts
    .filter(({ text }) => /°[EW]$/.test(text))
    .map(
      (each) =>
        [
          signed(each.text),
          grid.find((l) => l.right - l.left < 1 && Math.abs(each.left - 4 - l.x) < 1.5)?.x ?? Number.NaN,
        ] as const,
    );
  const lats = texts
    .filter(({ text }) => /°[NS]$/.test(text))
    .map(
      (each) =>
        [
          signed(each.text),
          grid.find((l) => l.bottom - l.top < 1 && Math.abs(each.bottom + 1.5 - l.y) < 3)?.y ?? Number.NaN,
        ] as const,
    );
  return { lng: lineThrough(lngs.sort(([a], [b]) => a - b)), lat: lineThrough(lats.sort(([a], [b]) => a - b)) };
}
const pinsOf = ({ shapes }: Measured): readonly Shape[] =>
  shapes.filter((each) => each.tag === "path" && /^iot-f\d/.test(each.class));

/** Pins with their tips at their degrees, and a bar as long as it says at the latitude in the middle. */
const onTheGlobe =
  (places: readonly (readonly [lat: number, lng: number])[]) =>
  (drawn: Measured): void => {
    const { lng, lat } = degreesOf(drawn);
    const pins = pinsOf(drawn);
    expect(pins).toHaveLength(places.length);
    for (const [i, [north, east]] of places.entries()) {
      near(pins[i]?.x, lng.at(east), 3);
      near(pins[i]?.bottom, lat.at(north), 3);
    }
    const bar = drawn.shapes.find((each) => each.class === "iot-bar");
    const [, count = "", unit] =
      /^([\d,.]+) (k?m)$/.exec(textsOf(drawn).find((text) => / k?m$/.test(text)) ?? "") ?? [];
    const meters = Number(count.replaceAll(",", "")) * (unit === "km" ? 1_000 : 1);
    const middle = (Math.max(...places.map(([north]) => north)) + Math.min(...places.map(([north]) => north))) / 2;
    const ends = [bar?.points[0]?.[0] ?? 0, bar?.right ?? 0].map((x) => lng.valueAt(x));
    // Along the parallel: of a long bar the great circle is shorter.
    const half = [middle, (ends[0] ?? 0) + 0.0001] as const;
    const real = haversine([middle, ends[0] ?? 0], half) * (((ends[1] ?? 0) - (ends[0] ?? 0)) / 0.0001);
    expect(Math.abs(real / meters - 1)).toBeLessThan(0.03);
    for (const pin of pins)
      for (const text of drawn.texts)
        expect(
          Math.min(pin.right, text.right) - Math.max(pin.left, text.left) > 1 &&
            Math.min(pin.bottom, text.bottom - 3) - Math.max(pin.top, text.top + 3) > 1,
          `${text.text} on a pin`,
        ).toBe(false);
  };
const onMap = (name: string, places: readonly (readonly [number, number])[], more: Partial<Case> = {}): Case => ({
  name,
  type: "map",
  display: variables(...places.map((_, i) => `Place ${i}`)),
  rows: places.map(([lat, lng], i) => place(`Place ${i}`, lat, lng)),
  check: onTheGlobe(places),
  ...more,
});
/** Pins of a layer over a picture of 200 by 100. */
const pinned = (
  fit: string,
  boxOf: (drawn: Measured) => readonly [x: number, y: number, width: number, height: number],
): Case => ({
  name: `pins on a picture, ${fit}`,
  type: "compose",
  display: { ...variables("a", "b"), background_path: PNG, object_fit: fit },
  rows: [
    ["a", NOW, 1, "", { metadata: { x: 0.25, y: 0.5 } }],
    ["b", NOW, 2, "", { metadata: { x: 0.75, y: 0.7 } }],
  ],
  options: { images: true, height: 400 },
  check: (drawn) => {
    const [x, y, width, height] = boxOf(drawn);
    for (const [i, [left, top]] of [
      [0.25, 0.5],
      [0.75, 0.7],
    ].entries()) {
      near(pinsOf(drawn)[i]?.x, x + (left ?? 0) * width, 1);
      near(pinsOf(drawn)[i]?.bottom, y + (top ?? 0) * height, 1);
    }
  },
});
const imageOf = ({ shapes }: Measured): Shape | undefined => shapes.find((each) => each.tag === "image");

const places: readonly Case[] = [
  onMap("three continents", [
    [45.5, 9.2],
    [-33.9, 151.2],
    [40.7, -74],
  ]),
  onMap("four cities of Europe", [
    [51.5, -0.1],
    [48.85, 2.35],
    [52.5, 13.4],
    [41.9, 12.5],
  ]),
  onMap("two hundred meters", [
    [45.5, 9.2],
    [45.5013, 9.2012],
  ]),
  onMap(
    "a narrow map of the north",
    [
      [78.2, 15.6],
      [70, 25],
    ],
    { options: { width: 260 } },
  ),
  onMap("pins close to each other", [
    [45.5, 9.2],
    [45.503, 9.204],
    [45.505, 9.198],
    [45.52, 9.23],
  ]),
  {
    name: "Fiji and Samoa, with a line between them",
    type: "map",
    display: { ...variables("boat"), show_lines: true },
    rows: [place("boat", -17.8, 178.4, HOUR), place("boat", -16, -178, HOUR / 2), place("boat", -13.8, -171.8)],
    check: (drawn) => {
      const trail = linesOf(drawn)[0];
      expect([trail?.starts, (trail?.right ?? 0) - (trail?.left ?? 0) < drawn.width * 0.8]).toEqual([1, true]);
      const [a = [0, 0], b = [0, 0], c = [0, 0]] = trail?.points ?? [];
      near((b[0] - a[0]) / (c[0] - a[0]), 3.6 / 9.8, 0.01);
    },
  },
  pinned("contain", (drawn) => {
    const image = imageOf(drawn);
    const width = (image?.right ?? 0) - (image?.left ?? 0);
    return [image?.left ?? 0, (image?.y ?? 0) - width / 4, width, width / 2];
  }),
  pinned("fill", (drawn) => {
    const { left = 0, right = 0, top = 0, bottom = 0 } = imageOf(drawn) ?? {};
    return [left, top, right - left, bottom - top];
  }),
  pinned("cover", (drawn) => {
    const { x = 0, top = 0, bottom = 0 } = imageOf(drawn) ?? {};
    return [x - (bottom - top), top, 2 * (bottom - top), bottom - top];
  }),
  {
    name: "a heat map in the colors of its key",
    type: "heat_map",
    display: { ...variables("a"), scale: { type: "fixed", minimum: 0, maximum: 60 }, radius: 6 },
    rows: [5, 35, 55].map(
      (value, i): Row => ["a", NOW - i * HOUR, value, "", { metadata: { x: 0.2 + i * 0.3, y: 0.5 } }],
    ),
    check: ({ shapes, texts }) => {
      const key = shapes.filter((each) => each.tag === "rect" && each.fill.startsWith("#"));
      const surface = shapes.filter((each) => each.tag === "path" && each.fill.startsWith("#"));
      expect(surface.map(({ fill }) => fill)).toEqual([0, 3, 5].map((step) => key[step]?.fill));
      expect(texts.map(({ text }) => text)).toContain("average of the values near each place");
    },
  },
];

const devices = Array.from({ length: 39 }, (_, i) => ({
  device: `d${i}`,
  name: `Pump ${i}`,
  last_input: i === 0 ? null : "2026-11-23T08:00:00.000Z",
  active: i % 2 === 0,
  errors: 0,
}));
const rest: readonly Case[] = [
  {
    name: "a list of devices with the true number of rows, words as headings, and what is false, 0 and not there",
    type: "dynamic_table",
    display: {},
    rows: [],
    check: ({ rows, words }) => {
      expect(rows[0]).toEqual(["Name", "Last input", "State", "Errors"]);
      expect(rows[1]).toEqual(["Pump 0", "–", "true", "0"]);
      expect(rows[2]).toEqual(["Pump 1", "Nov 23, 2026, 08:00", "false", "0"]);
      expect(words).toContain(`${rows.length - 1} of 39 rows`);
    },
  },
  {
    name: "rows of variables, newest first",
    type: "dynamic_table",
    display: { variables: [{ is_date: true }, { variable: "on" }, { variable: "t" }] },
    rows: [
      ["on", NOW, false],
      ["t", NOW, 0, "°C"],
      ["on", NOW - HOUR, true],
    ],
    check: ({ rows }) =>
      expect(rows.slice(1)).toEqual([
        ["Nov 23, 2026, 20:00", "false", "0 °C"],
        ["Nov 23, 2026, 19:00", "true", "–"],
      ]),
  },
  {
    name: "icons by name and by address, and a letter for an unknown one",
    type: "icon",
    display: variables(
      ...["truck", "https://svg.internal.tago.io/delivery-truck-silhouette.svg", "no-such-thing"].map((url, i) => ({
        ...{ variable: `v${i}`, alias: `Quay ${i}`, icon_conditions: [{ condition: "*", url, color: "#c00" }] },
      })),
    ),
    rows: last([1, 2, 3], ""),
    check: ({ shapes, texts }) => {
      const glyphs = shapes.filter((each) => each.tag === "path");
      expect(glyphs).toHaveLength(2);
      near(glyphs[0]?.right, (glyphs[0]?.left ?? 0) + ((glyphs[1]?.right ?? 0) - (glyphs[1]?.left ?? 0)), 0.5);
      expect(texts.filter(({ text }) => text === "Q")).toHaveLength(1);
      near(shapes.find((each) => each.tag === "circle")?.x, texts.find(({ text }) => text === "Q")?.x ?? 0);
    },
  },
  {
    name: "a card with the lowest and the highest of its values",
    type: "card",
    display: { show_chart: true, max_points: 20, ...variables("t") },
    data: { variables: ["t"] },
    rows: series("t", 20, HOUR, (i) => 10 + ((i * 7) % 13), "°C"),
    check: (drawn) => {
      const curve = linesOf(drawn)[0];
      const find = (text: string): Shape | undefined => drawn.texts.find((each) => each.text === text);
      near(find("highest 22")?.bottom, curve?.top ?? 0, 6);
      near(find("lowest 10")?.top, curve?.bottom ?? 0, 6);
    },
  },
  {
    name: "a display of three with whole dividers",
    type: "display",
    display: variables("v0", "v1", "v2"),
    rows: last([147_474, 2, 3], "kWh"),
    check: ({ shapes, width, height }) => {
      const [upright, level] = shapes.filter((each) => each.tag === "line");
      expect([upright?.top, upright?.bottom]).toEqual([8, height - 8]);
      expect([level?.left, level?.right]).toEqual([8, width - 8]);
    },
  },
  {
    name: "a form with fields that are not shown yet",
    type: "form",
    display: {
      sections: [
        {
          fields: [
            { id: "kind", type: "text", label: "Kind", data: { variable: "kind", origin: "d" } },
            {
              id: "part",
              type: "text",
              label: "Part",
              data: { variable: "part", origin: "d" },
              visibility_conditions: [{ field: "kindd", condition: "=", value: "repair" }],
            },
          ],
        },
      ],
    },
    rows: [],
    check: ({ words }) => expect(words).toMatch(/Kind[\s\S]*Part[\s\S]*shown when Kind = repair/),
  },
];

const cases = [...charts, ...shares, ...places, ...rest];

describe("drawings in Chromium, measured against their data", () => {
  let browser: Browser;
  let drawn: readonly Measured[] = [];
  beforeAll(async () => {
    browser = await launch();
    const figures = cases.map(({ name, type, display, data, rows, options }) => {
      const isList = type === "dynamic_table" && rows.length === 0;
      const resource = [
        { view: "name" },
        { view: "last_input" },
        { view: "active", label: "State" },
        { view: "errors" },
      ];
      const widget = {
        type,
        label: name,
        display: { ...display },
        data: [{ ...data }],
        ...(isList ? { resource } : {}),
      };
      const records = isList ? resource.map(() => ({ result: devices })) : recordsOf(rows);
      const size = { width: 480, height: 300, nowMs: NOW, timeZone: "UTC", theme: "light" } as const;
      return drawWidget(widget, records as never, { ...size, ...options });
    });
    drawn = await measure(await browser.newPage(), widgetStyles(), figures);
  });
  afterAll(() => browser.close());

  it.each(cases.map(({ name, check }, i) => ({ name, check, i })))("$name", ({ check, i }) => {
    const found = drawn[i];
    if (found === undefined) throw new Error("not drawn");
    check(found);
    expect(badTexts(found)).toEqual([]);
  });
});
