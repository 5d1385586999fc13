import { describe, expect, it } from "vitest";
import { type DrawOptions, drawWidget } from "../../../src/lib/widgets/draw/index.ts";
import { faultsOf } from "./well-formed.ts";

const NOW = Date.parse("2026-11-23T20:00:00Z");
const HOUR = 3_600_000;

const record = (variable: string, value: unknown, more: object = {}): object => ({
  ...{ variable, value, time: new Date(NOW).toISOString() },
  ...more,
});
const draw = (widget: object, records: readonly object[], options: DrawOptions = {}): string => {
  const html = drawWidget({ label: "", ...widget }, records as never, { nowMs: NOW, timeZone: "UTC", ...options });
  if (options.images === undefined) expect(faultsOf(html)).toEqual([]);
  return html;
};
const textsOf = (html: string): string[] => [...html.matchAll(/>([^<>]+)</g)].map(([, text = ""]) => text);
const shows = (...names: readonly string[]): object => ({ variables: names.map((variable) => ({ variable })) });

describe("icons", () => {
  const tile = (url: string, color: unknown = "#036"): string =>
    draw(
      {
        type: "tile",
        display: { image_type: "icon", image_url: url, title: "Quay", theme: { color: { icon: color } } },
      },
      [],
    );

  it.each([
    ["a name", "truck"],
    ["another word for it", "lorry"],
    ["an address of the platform", "https://svg.internal.tago.io/delivery-truck-silhouette.svg"],
    ["the class of an old map", "flaticon flaticon-delivery51"],
    ["a name of another set", "fa-truck"],
  ])("are drawn in their color by %s", (_, name) => {
    expect(tile(name)).toBe(tile("truck"));
    expect(tile(name)).toMatch(/<path d="M14 18V6[^"]*" fill="none"[^>]* stroke="#036"/);
    expect(textsOf(tile(name))).not.toContain("Q");
  });

  it.each([
    "no-such-icon",
    "https://svg.internal.tago.io/android.svg",
    "bell-slash",
    "calendar-plus",
    "constructor",
    "",
  ])("are a letter where %j is not known", (name) => expect(textsOf(tile(name))).toContain("Q"));

  it("stand in the head of pins, but for the pin of a pin", () => {
    const map = (icon: string): string =>
      draw({ type: "map", display: { variables: [{ variable: "a", pin_config: { icon } }] } }, [
        record("a", 1, { location: { lat: 45, lng: 9 } }),
      ]);
    const hasGlyph = (html: string): boolean => html.includes('viewBox="0 0 24 24"');
    expect(["bus", "residence", "motorcycle", "mail", "car", "truck"].map((icon) => hasGlyph(map(icon)))).not.toContain(
      false,
    );
    expect(
      ["location", "https://svg.internal.tago.io/map-marker.svg", "", "?"].map((icon) => hasGlyph(map(icon))),
    ).toEqual([false, false, false, false]);
  });

  it("are chosen by conditions, on buttons, in tables and in forms", () => {
    const conditions = [{ condition: ">", value: "8", url: "flame", color: "#c00" }];
    const icon = { variables: [{ variable: "a", icon_conditions: conditions }] };
    expect(draw({ type: "icon", display: icon }, [record("a", 9)])).toContain('stroke="#c00"');
    expect(textsOf(draw({ type: "icon", display: icon }, [record("a", 1)]))).toContain("A");
    const cell = { data: { variable: "a" }, content_type: "icon", icon_conditions: conditions };
    expect(draw({ type: "dynamic_table", display: { variables: [cell] } }, [record("a", 9)])).toContain(
      'stroke="#c00"',
    );
    const button = { text: "Go", icon: "send", color: "#123456" };
    for (const widget of [
      { type: "form", display: { sections: [], buttons: [button] } },
      { type: "note", display: { value: "x", header_buttons: [button] } },
      { type: "push_button", display: { state_one: { type: "icon", url: "send", button_color: "#123456" } } },
    ])
      expect(draw(widget, [])).toMatch(/<path d="M14\.536/);
  });
});

describe("images", () => {
  const scheme = (images: DrawOptions["images"], fit = "contain"): string =>
    draw(
      { type: "compose", display: { ...shows("a"), background_path: "/file/p/plan.png", object_fit: fit } },
      [record("a", 1, { metadata: { x: 0.5, y: 0.25 } })],
      { width: 428, height: 222, ...(images === undefined ? {} : { images }) },
    );
  const tipOf = (html: string): string => /<path d="M(\S+ \S+)C/.exec(html)?.[1] ?? "";
  const found = (size: object) => (address: string) => ({ href: `${address}?signed`, ...size });

  it("are loaded from where the page says, and nowhere else", () => {
    expect(scheme(true)).not.toContain("<image");
    expect(scheme(() => undefined)).not.toContain("<image");
    expect(scheme(found({}))).toContain('<image href="/file/p/plan.png?signed"');
    for (const href of ["javascript:alert(1)", "//a.example/x.png", "http://a.example/x.png"])
      expect(scheme(() => ({ href }))).not.toContain("<image");
  });

  it("have pins where they are, not where their box is, once their size is known", () => {
    // The box is 400 by 200 from 14, 8.
    expect(tipOf(scheme(found({})))).toBe("214 58");
    expect(tipOf(scheme(found({ width: 100, height: 100 })))).toBe("214 58");
    expect(tipOf(scheme(found({ width: 800, height: 200 })))).toBe("214 83");
    expect(tipOf(scheme(found({ width: 800, height: 200 }), "fill"))).toBe("214 58");
    expect(tipOf(scheme(found({ width: 100, height: 100 }), "cover"))).toBe("214 8");
  });
});

describe("maps", () => {
  const at = (variable: string, lat: number, lng: number, agoMs = 0): object =>
    record(variable, 1, { location: { lat, lng }, time: new Date(NOW - agoMs).toISOString() });
  const map = (records: readonly object[], more: object = {}, options: DrawOptions = {}): string =>
    draw({ type: "map", display: { ...shows("a", "b"), ...more } }, records, options);

  it("draw a line over the antimeridian, not around the world", () => {
    const html = map([at("a", -17.8, 178.4, HOUR), at("a", -13.8, -171.8)], { show_lines: true });
    const [, x1 = "", x2 = ""] =
      /<path d="M(\S+) \S+L(\S+) [^"]*" stroke/.exec(html) ??
      /<path d="M(\S+) \S+L(\S+) [^"]*" class="iot-l0"/.exec(html) ??
      [];
    expect([Number(x2) - Number(x1) > 50, Number(x2) - Number(x1) < 400]).toEqual([true, true]);
    expect(textsOf(html)).toEqual(expect.arrayContaining(["180°", "176°W"]));
  });

  it("have the land below them where its outline is true enough, and a scale", () => {
    const far = map([at("a", 45.5, 9.2), at("b", -33.9, 151.2)]);
    const close = map([at("a", 45.5, 9.2), at("b", 45.5013, 9.2012)]);
    expect([far.includes("iot-coast"), close.includes("iot-coast")]).toEqual([true, false]);
    expect([textsOf(far), textsOf(close)]).toEqual([
      expect.arrayContaining(["5,000 km", "N"]),
      expect.arrayContaining(["50 m", "N"]),
    ]);
    expect(textsOf(map([at("a", 45.5, 9.2), at("b", -33.9, 151.2)], {}, { locale: "de-DE" }))).toContain("5.000 km");
    expect(far.length).toBeLessThan(70_000);
  });

  it("leave out a name that has no free place, and keep it in the legend", () => {
    const names = Array.from({ length: 30 }, (_, i) => `a very long name of pin ${i}`);
    const html = map(
      names.map((name, i) => at(name, 45 + i / 1e5, 9)),
      shows(...names),
    );
    const bold = [...html.matchAll(/font-weight="600"/g)].length;
    expect([bold > 0, bold < 30]).toEqual([true, true]);
  });
});

describe("values", () => {
  it("of a heat map have the colors of its key at their places, and leave free what no value is near to", () => {
    const html = draw(
      { type: "heat_map", display: { ...shows("a"), scale: { type: "fixed", minimum: 0, maximum: 60 } } },
      [record("a", 5, { metadata: { x: 0.2, y: 0.5 } }), record("a", 55, { metadata: { x: 0.8, y: 0.5 } })],
    );
    expect([...html.matchAll(/<path d="[^"]*" fill="(#\w+)"/g)].map(([, fill]) => fill)).toEqual([
      "#2563eb",
      "#dc2626",
    ]);
    expect(textsOf(html)).toContain("average of the values near each place");
  });

  it("outside the range of a gauge are said to be, and marks have the decimals of the value", () => {
    const gauge = (value: number, number_format?: object): string[] => {
      const display = { range: { minimum: 0, maximum: 25_000 }, number_format };
      return textsOf(draw({ type: "angular", display, data: [{ variables: ["a"] }] }, [record("a", value)]));
    };
    expect(gauge(13_333.25, { decimals: 1 })).toEqual(expect.arrayContaining(["13,333.3", "25,000.0"]));
    expect(gauge(13_333.333)).toEqual(expect.arrayContaining(["13,333.333", "25,000"]));
    expect(gauge(13_333, { show_thousand: false })).toEqual(expect.arrayContaining(["13333", "25000"]));
    expect(gauge(30_000)).toContain("above the range of 0 to 25,000");
    expect(gauge(-1)).toContain("below the range of 0 to 25,000");
    expect(gauge(25_000).join()).not.toContain("the range of");
  });

  it("of a pie that are negative or 0 have no share, and the note says so", () => {
    const pie = (...values: readonly number[]): string[] =>
      textsOf(
        draw(
          { type: "pie", display: shows("a", "b") },
          ["a", "b"].map((name, i) => record(name, values[i])),
        ),
      );
    expect(pie(4, -3)).toContain("Shares of 4, negative values have none");
    expect([pie(0, 0), pie(-1, -2)]).toEqual([
      expect.arrayContaining(["All values are 0"]),
      expect.arrayContaining(["No positive values"]),
    ]);
  });

  it("of a list are words: dates, false, 0, and a dash for what is not there", () => {
    const resource = [
      { view: "last_input" },
      { view: "active" },
      { view: "tags.site_code" },
      { view: "name", label: "n_n" },
    ];
    const rows = [
      { device: "1", last_input: "2026-11-23T08:00:00Z", active: false, name: 0 },
      { device: "2", last_input: null, "tags.site_code": "", name: ["x"] },
    ];
    const list = (locale?: string): string[] =>
      textsOf(
        draw(
          { type: "dynamic_table", display: {}, resource },
          [{ result: rows }],
          locale === undefined ? {} : { locale },
        ),
      );
    expect(list()).toEqual([
      "Last input",
      "Active",
      "site_code",
      "n_n",
      "Nov 23, 2026, 08:00",
      "false",
      "–",
      "0",
      "–",
      "–",
      "–",
      "[&quot;x&quot;]",
    ]);
    expect(list("de-DE")).toContain("23. Nov. 2026, 08:00");
  });

  it("of a card with a curve are between its lowest and its highest", () => {
    const records = [3, 9, 5].map((value, i) => record("a", value, { time: new Date(NOW + i * HOUR).toISOString() }));
    const display = { show_chart: true, max_points: 10 };
    const texts = textsOf(draw({ type: "card", display, data: [{ variables: ["a"] }] }, records));
    expect(texts).toEqual(expect.arrayContaining(["lowest 3", "highest 9"]));
  });

  it("of a grain bin are beside its scale", () => {
    const bin = { type: "grainbin", display: { range: { minimum: 0, maximum: 40 } }, data: [{ variables: ["a"] }] };
    expect(textsOf(draw(bin, [record("a", 21)]))).toEqual(expect.arrayContaining(["0", "10", "20", "30", "40"]));
  });
});

describe("days of a zone", () => {
  const sums = (times: readonly number[], timeZone: string): string[] => {
    const data = [{ variables: ["a"], query: "aggregate", interval: "day", function: "sum" }];
    const display = { variables: [{ is_date: true }, { data: { variable: "a" } }] };
    const records = times.map((time) => record("a", 1, { time: new Date(time).toISOString() }));
    return textsOf(draw({ type: "dynamic_table", data, display }, records, { timeZone, height: 600 })).slice(2);
  };
  const hours = (from: string, count: number): number[] =>
    Array.from({ length: count }, (_, i) => Date.parse(from) + i * HOUR);

  it("start at its midnight, also when the clocks change", () => {
    expect(sums(hours("2026-10-23T22:00:00Z", 73), "Europe/Berlin")).toEqual([
      "Oct 26, 2026, 00:00",
      "24",
      "Oct 25, 2026, 00:00",
      "25",
      "Oct 24, 2026, 00:00",
      "24",
    ]);
  });

  it("are those of the same date where the platform has grouped them", () => {
    const days = [Date.UTC(2026, 10, 22), Date.UTC(2026, 10, 23)];
    for (const zone of ["Europe/Berlin", "America/New_York", "UTC"])
      expect([zone, sums(days, zone)]).toEqual([zone, ["Nov 23, 2026, 00:00", "1", "Nov 22, 2026, 00:00", "1"]]);
  });
});

describe("lines", () => {
  const runs = (minutes: readonly number[]): number => {
    const records = minutes.map((minute) =>
      record("a", minute % 7, { time: new Date(NOW + minute * 60_000).toISOString() }),
    );
    const [, d = ""] =
      /<path d="([^"]*)"[^>]* class="iot-l0"/.exec(draw({ type: "line_chart", display: shows("a") }, records)) ?? [];
    return d.split("M").length - 1;
  };
  const even = Array.from({ length: 60 }, (_, i) => i * 10);

  it("are open where regular data is missing", () => {
    expect(runs(even)).toBe(1);
    expect(runs(even.filter((_, i) => i < 20 || i > 30))).toBe(2);
    // Of a record that is there twice, and of one alone in a hole.
    expect(runs([...even.slice(0, 30), 290, ...even.slice(30)])).toBe(1);
    expect(runs(even.filter((_, i) => i < 20 || i === 30 || i > 40))).toBe(3);
  });

  it("are not torn apart where data comes at any time, or less often by night", () => {
    let at = 0;
    const events = Array.from({ length: 200 }, (_, i) => {
      at += -Math.log((((i * 7_919) % 199) + 1) / 201) * 10;
      return at;
    });
    expect(runs(events)).toBe(1);
    expect(runs([...even, ...even.slice(0, 10).map((_, i) => 600 + i * 60)])).toBe(1);
  });
});

describe("forms", () => {
  it("draw all fields of a legacy form, and say when those are shown that are not", () => {
    const fields = {
      kind: { fieldtype: "text", variable: "kind", origin: "d1", label: "Kind" },
      part: {
        fieldtype: "text",
        variable: "part",
        origin: "d1",
        label: "Part",
        visibility_conditions: [{ variable: "kind", origin: "d1", condition: "=", value: "repair" }],
      },
      cost: {
        fieldtype: "text",
        variable: "cost",
        origin: "d1",
        label: "Cost",
        visibility_conditions: [{ variable: "size", origin: "d1", condition: ">", value: "3" }],
      },
    };
    const texts = textsOf(draw({ type: "input", display: { input_type: "form", form: { fields } } }, []));
    expect(texts).toEqual(
      expect.arrayContaining(["Kind", "Part", "shown when Kind = repair", "Cost", "shown when size &gt; 3"]),
    );
    const met = textsOf(
      draw({ type: "input", display: { input_type: "form", form: { fields } } }, [
        record("kind", "repair", { origin: "d1" }),
      ]),
    );
    expect(met.join()).not.toContain("shown when Kind");
  });
});
