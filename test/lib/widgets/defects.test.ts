import { describe, expect, it } from "vitest";
import { convertWithReport, inspectWidget, Migration } from "../../../src/lib/widgets/index.ts";
import { countedIds } from "./fixtures.ts";

type Json = Record<string, unknown>;

const item = { origin: "d1", variables: ["t"] };

function display(type: string, d: Json, data: unknown = [item], root: Json = {}): Json {
  const widget = { type, display: d, data, ...root };
  return Migration.convertWidget<{ display: Json }>(widget, { newId: countedIds() }).display;
}

function firstVariable(type: string, d: Json): Json | undefined {
  return (display(type, d)["variables"] as Json[])[0];
}

function formField(field: Json): unknown {
  const { sections } = display("input", { input_type: "form", form: { fields: { f: field } } }) as {
    sections: { fields: Json[] }[];
  };
  return sections[0]?.fields[0];
}

describe("corrected defects of the official converters", () => {
  it.each([
    ["gauge", { gauge_type: "angular" }, [{ origin: "d1" }, null]],
    ["card", {}, [{ origin: "d1" }]],
    ["table", { table_type: "dynamic" }, [null]],
    ["icon", { layout: { d1t: { row: 3 } }, conditions: { d1t: {} } }, [item]],
    ["input", { input_type: "x", controls: {} }, []],
    ["map", { intervals: "1 hra", filter_devices: {} }, [item]],
    ["image", { conditions: {} }, []],
    ["gauge", { gauge_type: "solid", range_limit: "metadata", range_limit_metadata: "custom" }, []],
  ])("D01: %s converts what it can when lists are missing", (type, d, data) => {
    expect(display(type, d, data)).toHaveProperty("help", "");
  });

  it("D01: marker data without a list of records is converted to an empty list", () => {
    expect(Migration.convertImageMarkerData({ type: "layer" }, null)).toStrictEqual([]);
  });

  it("D02: the widget is not changed, and a second conversion returns the same", () => {
    const cylinder = { type: "cylinder", display: { conditions: [{ color: "red" }, { color: "blue" }] }, data: [] };
    const first = Migration.convertWidget(cylinder);
    expect(Migration.convertWidget(cylinder)).toStrictEqual(first);
    expect(cylinder.display.conditions).toStrictEqual([{ color: "red" }, { color: "blue" }]);
  });

  it("D02: the data a static table's formula needs is added to the result, with its bucket", () => {
    const widget = {
      type: "table",
      display: {
        cell: { "0_0": { type: "variable", variables: { device: { id: "d1" }, variable: "t" } } },
        vars_formula: {
          d1t: {
            enable: true,
            formula_type: "dynamic",
            formula_variable: { origin: { id: "d2", bucket: "b2" }, variable: "u" },
          },
        },
      },
      data: [item],
    };
    const { data } = Migration.convertWidget<{ data: unknown }>(widget);
    expect(data).toStrictEqual([item, { origin: "d2", variables: ["u"], query: "last_value", bucket: "b2" }]);
    expect(widget.data).toHaveLength(1);
  });

  it.each(["gauge", "chart", "layer"])("D03: isOldStructure returns false for a %s of an unknown sub-type", (type) => {
    expect(Migration.isOldStructure({ type, display: { vars_labels: {} } })).toBe(false);
  });

  it("D04: the date columns of two tables are two objects", () => {
    const columns = [1, 2].map(() => {
      const variables = display("table", { table_type: "dynamic", show_time: true })["variables"] as Json[];
      return variables.find((column) => column["id"] === "date");
    });
    expect(columns[0]).toStrictEqual(columns[1]);
    expect(columns[0]).not.toBe(columns[1]);
  });

  it("D05: a read-only image marker stays read-only", () => {
    const marker = { layer_type: "image_marker", allow_add: false, allow_move: false, allow_remove: false };
    expect(display("layer", marker)).toMatchObject({
      allow_add: false,
      allow_edit: false,
      allow_remove: false,
      allow_edit_layers: true,
    });
  });

  it("D06: a map with open info windows keeps them open", () => {
    expect(display("map", { infowindow_closed: false })).toMatchObject({
      infobox_config: { show_window_closed: false },
    });
  });

  it("D07: an explicit 0 is a value", () => {
    const heat = { layer_type: "heat_map", radius: 0, max_points: 0, scale_maximum: 0 };
    expect(display("layer", heat)).toMatchObject({ radius: 0, max_points: 0, scale: { maximum: 0 } });
    expect(display("step_button", { maximum: 0, increment: 0 })).toMatchObject({
      limit: { maximum: 0 },
      step_value: 0,
    });
    expect(display("chart", { chart_type: "area", scale: "yes", y_max: 0, y_min: 0 })).toMatchObject({
      y_axis: { scale: { maximum: 0, minimum: 0 } },
    });
    expect(display("cylinder", { num_ticks: 0 })).toMatchObject({ tick_amount: 0 });
    expect(formField({ fieldtype: "incremental-step", increment: 0, maximum: 0 })).toMatchObject({
      maximum: 0,
      step_value: 0,
    });
  });

  it("D07: a string that is not numeric becomes the default", () => {
    expect(display("cylinder", { num_ticks: "many" })).toMatchObject({ tick_amount: 5 });
    const chart = display("chart", { chart_type: "area", downsample_factor: "x", downsample_threshold: "y" });
    expect(chart).toMatchObject({ downsample: { factor: 10, threshold: 1000 } });
  });

  it("D08: the range of a grain bin consists of numbers", () => {
    expect(display("grainbin", { minimum: "5", maximum: "50" })).toMatchObject({ range: { minimum: 5, maximum: 50 } });
    expect(display("grainbin", { maximum: 0 })).toMatchObject({ range: { maximum: 0 } });
  });

  it("D09: a chart without show_abbreviation gets false", () => {
    expect(display("chart", { chart_type: "spline" })).toMatchObject({ y_axis: { show_metric_abbreviation: false } });
  });

  it("D10: hiding the end date of a calendar field hides it", () => {
    expect(formField({ fieldtype: "calendar", hide_end_date: true })).toHaveProperty("show_end_date", false);
    expect(formField({ fieldtype: "calendar", hide_end_date: false })).toHaveProperty("show_end_date", true);
    expect(formField({ fieldtype: "calendar" })).toHaveProperty("show_end_date", true);
  });

  it("D11: an image field takes origin and variable from the variable it names", () => {
    const field = { fieldtype: "image-select", variable: "own", use_variable: { origin: { id: "d2" }, variable: "u" } };
    expect(formField(field)).toHaveProperty("use_values_from_variable", { origin: "d2", variable: "u" });
  });

  it("D12: the time axis names the id of an origin given as an object", () => {
    const data = [{ origin: { id: "clock" }, variables: ["t"], is_global_time_data: true }];
    const chart = display("chart", { chart_type: "spline", plot_by: "time" }, data, { realtime: "variable" });
    expect(chart).toMatchObject({ x_axis: { variable: { origin: "clock", variable: "t" } } });
  });

  it("D13: a gauge with an empty formula keeps its unit", () => {
    expect(display("gauge", { gauge_type: "angular", unit: "V", vars_formula: { d1t: {} } })).toMatchObject({
      formula: { fixed_unit: "V", unit_type: "fixed" },
    });
  });

  it("D14: a dial without data has the formula of its unit", () => {
    expect(display("dial", { unit: "V" }, undefined)).toMatchObject({ formula: { fixed_unit: "V" } });
  });

  it("D15: an icon keeps a number format of 0 decimals", () => {
    expect(firstVariable("icon", { vars_format: { d1t: { decimals: 0 } } })).toMatchObject({
      number_format: { decimals: 0 },
    });
  });

  it("D16: the colour conditions of an icon keep their value", () => {
    const conditions = { d1t: [{ condition: ">", value: "50", color: "red", url: "x" }] };
    expect(firstVariable("icon", { conditions })).toMatchObject({
      color_conditions: [{ condition: ">", value: "50", color: "red" }],
    });
  });

  it("D17: a button state keeps a colour that has its new name already", () => {
    expect(display("push_button", { state_one: { color: "red" } })).toMatchObject({ state_one: { color: "red" } });
  });

  it("D18: an image is static by its type key only; the report names the picture of another one", () => {
    expect(display("media", { type_image: "static", static_media: "m" })).toMatchObject({
      source: { type: "static", static_image: "m" },
    });
    for (const old of [{ static_image: "m" }, { type_media: "static_image", static_media: "m" }]) {
      const { widget, entries } = convertWithReport({ type: "image", display: old, data: [] });
      expect(widget).toMatchObject({ display: { source: { type: "conditional", conditions: [] } } });
      expect(JSON.stringify(widget)).not.toContain("static_");
      expect(entries.find(({ path }) => path.startsWith("display.static_"))).toMatchObject({
        status: "dropped",
        reason: 'shown only when type_image is "static"',
      });
    }
  });

  it.each(["satellite", "sattelite"])("D19: a map in mode %s keeps it", (mode) => {
    expect(display("map", { mode })).toHaveProperty("initial_mode", mode);
  });

  it("D20: every pin condition in a list gets the default image", () => {
    const conditions = [{ condition: "*" }, { condition: ">", url: "own" }];
    const pin = firstVariable("map", { vars_conditions: { d1: { variable: "t", conditions } } })?.["pin_config"];
    expect(pin).toMatchObject({ icon_conditions: [{ url: expect.stringContaining("map-marker") }, { url: "own" }] });
  });

  it("D21: an unknown kind of series is left out", () => {
    const chart = { chart_type: "multiple_axis", variables_chart: { d1t: "pie" } };
    expect(firstVariable("chart", chart)).not.toHaveProperty("chart_type");
    expect(firstVariable("chart", { ...chart, variables_chart: { td1: "bar" } })).toMatchObject({
      chart_type: "horizontal_bar_chart",
    });
  });

  it("D22: values of a wrong type are ignored", () => {
    expect(display("display", {}, [{ origin: "d1", variables: "ab" }])).toHaveProperty("variables", []);
    expect(display("push_button", { state_one: "on" })).toHaveProperty("state_one", { type: "text", color: "" });
    expect(firstVariable("display", { vars_formula: { d1t: "text" } })).not.toHaveProperty("formula");
    expect(formField({ fieldtype: "text", visibility_conditions: [null] })).toHaveProperty("visibility_conditions", []);
  });

  it.each(["step_button", "keypad", "card", "tile", "input"])("D23: a %s keeps the analysis it runs", (type) => {
    const widget = { type, display: {}, analysis_run: "an1" };
    expect(Migration.convertWidget(widget)).toHaveProperty("analysis_run", "an1");
  });

  it("D24: a current widget with an old type name is left alone by the conversion with a report", () => {
    const pie = { type: "pie", display: { show_legend: true, variables: [{ origin: "d1", variable: "t" }] } };
    expect(convertWithReport(pie)).toMatchObject({ converted: false, widget: pie });
  });

  it.each([
    ["chart", { chart_type: "spline" }],
    ["tile", { icon_url: "x" }],
    ["push_button", { state_one: { text_color: "red" } }],
    ["table", { table_type: "static" }],
    ["input", { input_type: "controls" }],
  ])("D25: a %s is detected as old without the optional keys", (type, d) => {
    expect(inspectWidget({ type, display: d }).verdict).toBe("legacy");
  });

  it("D25: a widget that no key proves to be old can be converted by force", () => {
    expect(convertWithReport({ type: "push_button", display: {} }).converted).toBe(false);
    expect(convertWithReport({ type: "push_button", display: {} }, { force: true })).toMatchObject({
      converted: true,
      widget: { display: { button_type: "monostable" } },
    });
  });

  it("D26: form fields of unknown kind and a changed order are reported", () => {
    const fields = { b: { fieldtype: "hologram" }, c: null, 7: { fieldtype: "text" } };
    const report = convertWithReport({ type: "input", display: { input_type: "form", form: { fields } } });
    const dropped = report.entries.filter((entry) => entry.status === "dropped").map((entry) => entry.path);
    expect(dropped).toEqual(expect.arrayContaining(["display.form.fields.b", "display.form.fields.c"]));
    expect(report.warnings).toHaveLength(1);
  });

  it("D27: what a card cannot keep is reported", () => {
    const card = {
      type: "card",
      display: { vars_formula: { d1t: { enable: true } }, url: "http://a.b/" },
      data: [item],
    };
    const { entries } = convertWithReport(card);
    expect(entries.find((entry) => entry.path === "display.vars_formula")).toMatchObject({ status: "dropped" });
    expect(entries.find((entry) => entry.path === "display.url")?.reason).toContain("scheme");
  });

  it("D28: every unit in an interval is converted", () => {
    const { intervals } = display("chart", { chart_type: "area", intervals: ["1 hra 1 hra", "2 wek"] });
    expect(intervals).toStrictEqual(["1 hour 1 hour", "2 week"]);
  });

  it("D29: two markers on one device are reported", () => {
    const widget = {
      type: "layer",
      display: { layer_type: "image_marker" },
      data: [item, { origin: "d1", variables: ["u"] }],
    };
    expect(convertWithReport(widget).warnings).toHaveLength(1);
  });

  it("D30: the image marker negates override_color, the dynamic table copies it", () => {
    expect(firstVariable("layer", { layer_type: "image_marker", override_color: true })).toHaveProperty(
      "override_color",
      false,
    );
    expect(firstVariable("table", { table_type: "dynamic", override_color: true })).toHaveProperty(
      "override_color",
      true,
    );
  });
});

describe("a field of a form", () => {
  it("leaves the decimals of a number to the browser where the old form did", () => {
    expect(formField({ fieldtype: "number", decimals: "-1" })).toHaveProperty("decimals", "auto");
    expect(formField({ fieldtype: "number", decimals: "2" })).toHaveProperty("decimals", "2");
  });
});
