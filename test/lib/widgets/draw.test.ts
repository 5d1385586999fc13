import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { displays } from "../../../src/lib/widgets/displays.ts";
import {
  type DrawOptions,
  drawWidget,
  readWidget,
  sampleData,
  widgetStyles,
} from "../../../src/lib/widgets/draw/index.ts";
import { amount } from "../../helpers/amount.ts";
import { type Drawing, drawings, options } from "./drawings.ts";
import { fixtures } from "./fixtures.ts";
import { randomWidget } from "./random-widgets.ts";
import { faultsOf } from "./well-formed.ts";

const folder = join(import.meta.dirname, "../../fixtures/drawings");
const isUpdate = process.env["UPDATE_DRAWINGS"] === "1";

/** The text of a file, after writing it where the stored drawings are updated. */
function stored(name: string, now: string): string {
  const path = join(folder, name);
  if (isUpdate) writeFileSync(path, now);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

function pageOf({ name, new: widget, old }: Drawing): string {
  const figures = [
    drawWidget(widget, undefined, { ...options, theme: "light" }),
    drawWidget(widget, undefined, { ...options, theme: "dark" }),
    ...(old === undefined ? [] : [drawWidget(old, undefined, { ...options, theme: "light" })]),
  ];
  const head = `<!DOCTYPE html><meta charset="utf-8"><title>${name}</title><link rel="stylesheet" href="drawings.css">`;
  // A line for each element, so that a difference can be read.
  return `${head}\n${figures.join("\n").replaceAll("><", ">\n<")}\n`;
}

describe("the stored drawings", () => {
  it.each(drawings)("has $name in light and dark, and the old widget", (drawing) => {
    const page = pageOf(drawing);
    expect(page).toBe(stored(`${drawing.name}.html`, page));
  });

  it("have the style sheet, and a drawing of every type", () => {
    expect(widgetStyles()).toBe(stored("drawings.css", widgetStyles()));
    expect(readdirSync(folder).sort()).toEqual(["drawings.css", ...drawings.map(({ name }) => `${name}.html`)].sort());
    const types = new Set(drawings.map(({ new: widget }) => (widget as { type: string }).type));
    expect(Object.keys(displays()).filter((type) => !types.has(type))).toEqual([]);
  });
});

const texts = (html: string): string[] => [...html.matchAll(/>([^<>]+)</g)].map(([, text = ""]) => text);
const draw = (widget: unknown, records?: readonly object[], more: DrawOptions = {}): string =>
  drawWidget(widget, records, { ...options, sample: false, ...more });

const minute = (n: number): string => new Date(options.nowMs - n * 60_000).toISOString();
const level = { variable: "level", value: 1234.5, unit: "l", time: minute(0) };
const card = (display: object): object => ({ type: "card", label: "C", display, data: [{ variables: ["level"] }] });

describe("a drawing", () => {
  it("is harmless, well-formed HTML for every type, size and theme", { tags: ["slow"] }, () => {
    for (const { name, new: widget, old } of drawings) {
      for (const [width, height] of [
        [160, 120],
        [480, 320],
        [2000, 2000],
      ] as const) {
        for (const each of old === undefined ? [widget] : [widget, old]) {
          expect([name, faultsOf(drawWidget(each, undefined, { ...options, width, height }))]).toEqual([name, []]);
          expect([name, faultsOf(draw(each, [], { width, height }))]).toEqual([name, []]);
        }
      }
    }
  });

  it("escapes every string of the widget and of the data", () => {
    const evil = `"'><img src=x onerror=alert(1)><script>&amp;\u202e\u0000\ud800`;
    const poison = (value: unknown, key = ""): unknown => {
      if (typeof value === "string") return /type|condition$|^variables?$|time$/.test(key) ? value : evil;
      if (Array.isArray(value)) return value.map((item) => poison(item, key));
      if (typeof value !== "object" || value === null) return value;
      return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poison(item, name)]));
    };
    for (const { name, new: widget, old } of drawings) {
      for (const each of old === undefined ? [widget] : [widget, old]) {
        const data = sampleData(each, options.nowMs);
        const html = drawWidget(poison(each), poison(data) as typeof data, options);
        expect([name, faultsOf(html)]).toEqual([name, []]);
        const loud = drawWidget(poison(each), poison(data) as typeof data, { ...options, images: true });
        expect([name, faultsOf(loud)]).toEqual([name, []]);
      }
    }
    expect(texts(draw({ type: evil, label: evil })).join("")).toContain("&lt;img src=x");
    // The columns of a list are named by the widget: poisoned above, they find no cell.
    const resource = ["name", "tags.site", "last_input"].map((view) => ({ type: "device", view }));
    const row = { device: evil, name: evil, "tags.site": evil, last_input: evil };
    const listed = draw({ type: "dynamic_table", label: "", display: {}, resource }, [{ result: [row] }]);
    expect([faultsOf(listed), texts(listed).filter((text) => text.includes("&lt;img src=x"))]).toEqual([
      [],
      expect.objectContaining({ length: 3 }),
    ]);
  });

  it("does not fail on any widget and any data", () => {
    const anything = fc.oneof(randomWidget, fc.jsonValue() as fc.Arbitrary<unknown>);
    const odd = fc.oneof(
      fc.constantFrom(Number.NaN, Infinity, -Infinity, 1e308, -1e308, 5e-324, "", null, true),
      fc.double(),
      fc.string(),
    );
    const record = fc.record({
      variable: fc.constantFrom("temperature", "flow", "__proto__", ""),
      value: odd,
      time: odd,
      group: odd,
      location: odd,
      metadata: fc.record({ x: odd, y: odd, min: odd, max: odd }),
    });
    fc.assert(
      fc.property(anything, fc.array(record, { maxLength: 8 }), (widget, records) => {
        expect(faultsOf(drawWidget(widget, records as never, options))).toEqual([]);
      }),
      { numRuns: amount(500, 3_000) },
    );
    let deep: unknown = [];
    for (let i = 0; i < 30_000; i++) deep = [deep];
    const loop: Record<string, unknown> = { type: "x", label: "Loop" };
    loop["display"] = loop;
    for (const widget of [loop, { type: "x", display: deep }, { type: "note", display: { value: deep } }])
      expect(faultsOf(draw(widget))).toEqual([]);
  });

  it("keeps huge and missing numbers out of the markup", () => {
    const values = [Number.NaN, Infinity, 1e308, -1e308, 0, "12", null];
    const records = values.map((value, i) => ({ variable: "pressure", value, time: minute(values.length - i) }));
    for (const { new: widget, name } of fixtures) expect([name, faultsOf(draw(widget, records))]).toEqual([name, []]);
  });

  it("is small for 10,000 points, and has the highest and the lowest", () => {
    const records = Array.from({ length: 10_000 }, (_, i) => ({
      variable: "a",
      value: i === 5_000 ? 900 : i === 7_000 ? -900 : 5,
      time: minute(10_000 - i),
    }));
    const widget = { type: "line_chart", label: "L", display: { variables: [{ variable: "a" }] } };
    const html = draw(widget, records);
    expect(html.length).toBeLessThan(20_000);
    expect(texts(html)).toEqual(expect.arrayContaining(["1,000", "-1,000"]));
    const heights = [
      ...(/<path d="([^"]+)" class="iot-l0"/.exec(html)?.[1] ?? "").matchAll(/[ML]\S+?,(\S+?)(?=L|$)/g),
    ].map(([, y]) => Number(y));
    expect(Math.max(...heights) - Math.min(...heights)).toBeGreaterThan(120);
    expect(heights.length).toBeLessThan(900);
    for (const type of ["area_chart", "vertical_bar_chart", "horizontal_bar_chart", "dynamic_table"]) {
      expect(draw({ ...widget, type }, records).length).toBeLessThan(30_000);
    }
  });
});

describe("what a widget says", () => {
  it("decides formula, unit and number format", () => {
    const display = {
      alias: "Tank",
      formula: { enable: true, value: "($VALUE$ - 34.5) * 2^3", unit_type: "fixed", fixed_unit: "gal" },
      number_format: { decimals: 2, show_thousand: true },
    };
    expect(texts(draw(card(display), [level]))).toEqual(expect.arrayContaining(["9,600.00 gal", "Tank"]));
    const broken = { ...display, formula: { ...display.formula, value: "alert($VALUE$)" } };
    expect(texts(draw(card(broken), [level]))).toContain("1,234.50 gal");
    expect(texts(draw(card({ show_unit: false, show_variables: false }), [level]))).not.toContain("level");
    expect(texts(draw(card({ number_format: { decimals: 1 } }), [level], { locale: "de-DE" }))).toContain("1234,5 l");
  });

  it("chooses colors by conditions, the catch-all last, and refuses what is no color", () => {
    const fill = (conditions: unknown): string => draw(card({ theme: { color: { text: conditions } } }), [level]);
    const any = { condition: "*", color: "#00ff00" };
    expect(fill([any, { condition: ">", value: "1000", color: "#ff0000" }])).toContain('fill="#ff0000"');
    expect(fill([any, { condition: ">", value: "2000", color: "#ff0000" }])).toContain('fill="#00ff00"');
    expect(fill("rgba(1, 2, 3, 0.9)")).toContain('fill="rgba(1, 2, 3, 0.9)"');
    for (const bad of ["url(#a)", "expression(1)", "#12", "red;x", "var(--x)", 5]) expect(fill(bad)).toBe(fill(null));
  });

  it("takes the theme whose text can be read on its background", () => {
    const on = (background: unknown): string =>
      draw(card({ theme: { color: { background } } }), [level], { theme: "light" });
    expect(on("#101820")).toMatch(/^<figure class="iot-widget iot-type-card" data-theme="dark">.*fill="#101820"/);
    expect(on("hsl(50, 90%, 80%)")).toContain('data-theme="light"');
    expect(draw(card({}), [level])).toMatch(/^<figure class="iot-widget iot-type-card"><figcaption>/);
  });

  it("sets fixed scales, time ticks in the time zone, and reads the range of a gauge", () => {
    const records = [0, 6, 12].map((n) => ({
      ...level,
      value: n,
      time: new Date(Date.UTC(2026, 6, 1, n)).toISOString(),
    }));
    const line = {
      type: "line_chart",
      label: "",
      display: {
        variables: [{ variable: "level" }],
        y_axis: { scale: { type: "fixed", minimum: "-40", maximum: 40 } },
      },
    };
    const told = texts(draw(line, records, { timeZone: "Asia/Kolkata" }));
    expect(told).toEqual(expect.arrayContaining(["-40", "40", "06:00", "08:00"]));
    expect(texts(draw(line, records, { timeZone: "no/where" }))).toContain("08:00");
    const gauge = {
      type: "angular",
      display: { range: { type: "metadata", metadata_origin: "original" } },
      data: [{ variables: ["level"] }],
    };
    const desc = draw(gauge, [{ ...level, metadata: { min: -5, max: "5000" } }]);
    expect(texts(desc).join(" ")).toContain("range -5 to 5000");
  });

  it("finds its records by variable and origin, in any form of the data", () => {
    const two = {
      type: "pie",
      label: "P",
      display: {
        variables: [
          { variable: "level", origin: "a", alias: "A" },
          { variable: "level", origin: "b", alias: "B" },
        ],
      },
    };
    const result = [
      { ...level, origin: "a", value: 1 },
      { ...level, origin: "b", value: 3 },
      { ...level, origin: "c", value: 100 },
    ];
    for (const data of [result, [{ result }], { content: [{ result }] }] as const) {
      expect(texts(drawWidget(two, data as never))).toEqual(expect.arrayContaining(["25%", "75%", "A 1 l", "B 3 l"]));
    }
    expect(texts(draw(two, [{ variable: "level", value: 2 }]))).toEqual(expect.arrayContaining(["A 2", "B 2"]));
    expect(texts(draw(two, []))).toContain("No data");
  });

  it("groups records by the interval and the function of their entry, on the calendar of the zone", () => {
    const values = (entry: object, records: readonly object[]): (string | undefined)[] => {
      const column = { id: "l", data: { variable: "level", origin: "a" } };
      const date = { id: "d", is_date: true, data: null };
      const data = [{ origin: "a", variables: ["level"], query: "aggregate", ...entry }];
      const html = draw({ type: "dynamic_table", label: "", display: { variables: [date, column] }, data }, records);
      return [...html.matchAll(/<td>([^<]*)<\/td>/g)].map(([, text]) => text);
    };
    const at = (time: string, value: number): object => ({ variable: "level", origin: "a", value, time });
    const records = [
      at("2026-03-31T23:10:00Z", 4),
      at("2026-03-31T23:40:00Z", 6),
      at("2026-04-01T10:00:00Z", 1),
      at("2026-04-05T10:00:00Z", 2),
      at("2026-04-06T10:00:00Z", 9),
    ];
    // Two hours before the first of April UTC it is April in Lisbon already.
    const [a, b, c] = ["Apr 6, 2026, 00:00", "Apr 5, 2026, 00:00", "Apr 1, 2026, 00:00"];
    expect(values({ interval: "day", function: "sum" }, records)).toEqual([a, "9", b, "2", c, "11"]);
    expect(values({ interval: "hour", function: "avg" }, records).slice(-2)).toEqual([c, "5"]);
    expect(values({ interval: "week", function: "max" }, records)).toEqual([a, "9", "Mar 30, 2026, 00:00", "6"]);
    expect(values({ interval: "quarter", function: "min" }, records)).toEqual([c, "1"]);
    expect(values({ interval: "minute", function: "avg" }, records)).toHaveLength(10);
    expect(values({ interval: "month", function: "sum" }, [at("2026-04-01T00:00:00Z", 12)])).toEqual([c, "12"]);
    for (const entry of [
      { interval: "fortnight", function: "avg" },
      { interval: "day", function: "constructor" },
    ])
      expect(values(entry, records)).toHaveLength(10);
  });

  it("makes one marker of near ones with group_markers, which names its pins", () => {
    const variables = ["a", "b", "c"].map((variable) => ({ variable }));
    const places = [0, 0.0005, 0.02].map((lat, i) => ({ variable: variables[i]?.variable, location: { lat, lng: 0 } }));
    const drawn = (group: boolean) =>
      texts(draw({ type: "map", label: "", display: { variables, group_markers: group } }, places));
    expect(drawn(true)).toEqual(expect.arrayContaining(["2", "a, b", "c"]));
    expect(drawn(false)).toEqual(expect.arrayContaining(["a", "b", "c"]));
    expect(drawn(false)).not.toContain("2");
  });

  it("decides which fields of a form are shown by the values of the others, and says when the others are", () => {
    const shown = (value: string): string[] => {
      const field = (id: string, more: object): object => ({
        id,
        type: "text",
        label: id,
        data: { variable: id },
        ...more,
      });
      const when = (condition: string, wanted: string): object => ({ condition, field: "kind", value: wanted });
      const fields = [
        field("kind", { default_value: "last" }),
        field("other", { default_value: "last" }),
        field("small", { visibility_conditions: [when("<", "10"), when("=", "few")] }),
        field("always", { visibility_conditions: [] }),
      ];
      const widget = { type: "form", label: "", display: { sections: [{ fields }] } };
      return texts(draw(widget, [{ variable: "kind", value }], { height: 600 }));
    };
    const when = "shown when kind &lt; 10 or kind = few";
    expect(shown("5")).toEqual(expect.arrayContaining(["kind", "5", "small", "always"]));
    for (const met of ["5", "few"]) expect(shown(met)).not.toContain(when);
    expect(shown("50")).toEqual(expect.arrayContaining(["small", when, "always"]));
  });

  it("loads images only from https and data addresses, and only when asked", () => {
    const image = (address: string): object => ({
      type: "image",
      label: "I",
      display: { source: { type: "static", static_image: address } },
    });
    expect(draw(image("https://a.example/x.png"))).not.toContain("<image");
    expect(draw(image("https://a.example/x.png"), [], { images: true })).toContain(
      '<image href="https://a.example/x.png"',
    );
    for (const address of ["http://a.example/x.png", "javascript:alert(1)", "data:text/html,x", 'https://a/"x'])
      expect(draw(image(address), [], { images: true })).not.toContain("<image");
  });

  it("shows lists of devices, and says how many rows there is no room for", () => {
    const list = {
      type: "dynamic_table",
      label: "D",
      display: {},
      resource: [
        { type: "device", view: "name" },
        { type: "device", view: "tags.site" },
      ],
    };
    const rows = Array.from({ length: 40 }, (_, i) => ({ device: `d${i}`, name: `Pump ${i}`, "tags.site": "Quay" }));
    const told = texts(draw(list, [{ result: rows }]));
    expect(told).toEqual(expect.arrayContaining(["site", "Pump 0", "Quay", "4 of 40 rows"]));
    expect(told).not.toContain("Pump 4");
  });
});

describe("a legacy widget", () => {
  const byName = (name: string) => fixtures.find((each) => each.name === name) ?? { old: {}, new: {} };
  const both = (name: string): [string[], string[]] => {
    const { old, new: current } = byName(name);
    const data = sampleData(current, options.nowMs);
    return [texts(drawWidget(old, data, options)), texts(drawWidget(current, data, options))];
  };

  it("is drawn by its own keys, so that what the conversion loses can be seen", () => {
    const [oldPie, newPie] = both("pie");
    expect(oldPie.some((text) => /^0\.\d bar$/.test(text))).toBe(true);
    expect(newPie.some((text) => /^0\.\d bar$/.test(text))).toBe(false);
    const [oldTile, newTile] = both("tile");
    expect([oldTile.includes("//example.org/quay/"), newTile.includes("example.org/quay")]).toEqual([true, true]);
  });

  it("looks like the new one where nothing is lost", () => {
    for (const name of ["line", "multiple-axis", "clock", "static-table", "control", "vu-meter", "note", "display"]) {
      const [old, current] = both(name);
      expect([name, old]).toEqual([name, current]);
    }
  });

  it("is read in the structure of the new type, so that a program can fill in its form", () => {
    const field = { fieldtype: "upload", variable: "photo", origin: "d1", label: "Photo", max_files: 3 };
    const visible = [{ variable: "kind", origin: "d1", condition: "=", value: "x" }];
    const fields = { p: field, q: { ...field, fieldtype: "text", visibility_conditions: visible } };
    const form = { label_submit: "Go", confirm_before_submit: true, bypass_bucket: true, fields };
    const old = { type: "input", display: { input_type: "form", intervals: ["1 hra"], form } };
    expect(readWidget(old)).toMatchObject({
      type: "form",
      display: {
        intervals: ["1 hour"],
        buttons: [{ text: "Go", show_confirmation: true, send_data: false }],
        sections: [
          {
            fields: [
              { id: "p", type: "upload", label: "Photo", data: { origin: "d1", variable: "photo" }, maximum_files: 3 },
              { id: "q", type: "text", visibility_conditions: [{ field: "kindd1", condition: "=", value: "x" }] },
            ],
          },
        ],
      },
    });
    const current = { type: "note", display: { value: "a" } };
    expect(readWidget(current)).toEqual(current);
    expect(readWidget(null)).toEqual({ type: "unknown", display: {} });
  });

  it("is marked, and every fixture is recognized", () => {
    for (const { old, new: current, name } of fixtures) {
      expect([name, draw(old).includes('data-structure="legacy"')]).toEqual([name, true]);
      expect([name, draw(current).includes("data-structure")]).toEqual([name, false]);
    }
  });
});

describe("sampleData", () => {
  it("gives the same values for the same seed, others for another one, within the range of the widget", () => {
    const { new: widget } = fixtures.find(({ name }) => name === "cylinder") ?? { new: {} };
    const sample = sampleData(widget, options.nowMs);
    expect(sampleData(widget, options.nowMs)).toEqual(sample);
    expect(sampleData(widget, options.nowMs, 2)).not.toEqual(sample);
    const records = sample.flatMap(({ result }) => result as { variable: string; value: number; time: string }[]);
    const values = records.filter(({ variable }) => variable === "pressure").map(({ value }) => value / 10);
    expect(values.every((value) => value > 0 && value < 100)).toBe(true);
    expect(records.at(-1)?.time).toBe(new Date(options.nowMs).toISOString());
  });
});

describe("more records than are read", () => {
  const many = 100_000;
  const record = (n: number) => ({
    variable: "level",
    value: n < many ? n % 7 : 9_999,
    time: options.nowMs - n * 1_000,
  });
  const shows = (...variables: readonly string[]): object => ({
    variables: variables.map((variable) => ({ variable })),
  });
  const line = { type: "line_chart", label: "L", display: shows("level") };
  const newestFirst = Array.from({ length: many + 50 }, (_, n) => record(n));

  const note = "Drawn from the newest 100,000 of 100,050 records";
  const withoutNote = (html: string): string => html.replace(/<p class="iot-foot">Drawn from [^<]*<\/p>/, "");

  it("are said to be left out", () => {
    const tiny = Array.from({ length: many + 50 }, () => ({}));
    expect(draw(line, tiny)).toContain(note);
    expect(draw(line, tiny.slice(0, many))).not.toContain("Drawn from");
    expect(draw(line, [{ result: tiny }])).toContain(note);
  });

  it("leave the newest 100,000, whichever end they are at", { tags: ["slow"] }, () => {
    const shown = draw(line, newestFirst.slice(0, many));
    expect(shown).toContain("<path");
    expect(withoutNote(draw(line, newestFirst))).toBe(shown);
    expect(withoutNote(draw(line, newestFirst.toReversed()))).toBe(shown);
    expect(draw(line, newestFirst.slice(many - 1_000))).not.toBe(shown);
  });

  it("are shared by the entries of a widget, so that each keeps its newest", { tags: ["slow"] }, () => {
    const content = ["level", "other"].map((variable) => ({
      result: newestFirst.slice(0, 60_000).map((each) => ({ ...each, variable })),
    }));
    const kept = content.flatMap(({ result }) => result.slice(0, many / 2));
    const both = { ...line, display: shows("level", "other") };
    expect(withoutNote(drawWidget(both, { content }, options))).toBe(draw(both, kept));
  });

  it("are grouped once, by the first entry that asks for it", () => {
    const entry = (interval: string) => ({ query: "aggregate", function: "sum", interval, variables: ["level"] });
    const records = newestFirst.slice(0, 1_000);
    const one = draw({ ...line, data: [entry("minute")] }, records);
    expect(draw({ ...line, data: [entry("minute"), entry("day")] }, records)).toBe(one);
    expect(draw({ ...line, data: [entry("day")] }, records)).not.toBe(one);
  });
});
