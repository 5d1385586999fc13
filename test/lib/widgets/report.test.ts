import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertWithReport, inspectWidget, Migration, type ReportEntry } from "../../../src/lib/widgets/index.ts";
import { amount } from "../../helpers/amount.ts";
import { allPaths, countedIds, fixtures, sharedVectors, without } from "./fixtures.ts";
import { randomWidget } from "./random-widgets.ts";

const inputs = [
  ...fixtures.map((each) => each.old),
  ...sharedVectors.filter((each) => !each.method).map((v) => v.input),
];

function convert(widget: unknown): unknown {
  return Migration.convertWidget(widget, { newId: countedIds() });
}

function report(widget: unknown, force = false) {
  return convertWithReport(widget, { newId: countedIds(), force });
}

function entryOf(widget: unknown, path: string) {
  return report(widget).entries.find((entry) => entry.path === path);
}

// One expectation for each widget: an expectation for each of some ten thousand keys would take minutes.
function expectComplete(widget: unknown): void {
  const { entries, widget: result } = report(widget, true);
  expect(entries.map((entry) => entry.path)).toStrictEqual(allPaths(widget));
  const places = new Set(allPaths(result));
  expect(entries.filter((entry) => !isSound(entry, places))).toStrictEqual([]);
}

function isSound(entry: ReportEntry, places: ReadonlySet<string>): boolean {
  const { status, to = [], reason } = entry;
  if (status === "mapped") return to.length > 0 && to.every((place) => places.has(place));
  if (status === "defaulted") return to.length > 0 && to.every((place) => places.has(place)) && reason !== undefined;
  return to.length === 0 && (status === "unknown" || reason !== undefined);
}

describe("the report", () => {
  it("has one entry for every key path of every known widget, in order, with paths that exist", {
    tags: ["slow"],
  }, () => {
    for (const widget of inputs) expectComplete(widget);
  });

  it("has one entry for every key path of random widgets", { tags: ["slow"] }, () => {
    fc.assert(fc.property(randomWidget, expectComplete), { numRuns: 800 });
  });

  it("returns the same widget as convertWidget", () => {
    for (const widget of inputs) {
      const result = report(widget);
      if (result.inspection.verdict === "legacy") expect(result.widget).toStrictEqual(convert(widget));
    }
  });

  it("returns the same widget as convertWidget for random widgets", { tags: ["slow"] }, () => {
    const property = fc.property(randomWidget, (widget) => {
      const result = report(widget);
      if (result.inspection.verdict === "legacy") expect(result.widget).toStrictEqual(convert(widget));
    });
    fc.assert(property, { numRuns: amount(500, 1_500) });
  });

  it("marks keys as dropped or unknown only if they do not influence the new widget", () => {
    for (const { old } of fixtures) {
      const gone = report(old).entries.filter((entry) => entry.status === "dropped" || entry.status === "unknown");
      for (const { path } of gone) {
        const rest = without(old, path);
        if (rest !== undefined) expect(convert(rest), path).toStrictEqual(convert(old));
      }
    }
  });

  it("does not change the widget and shares nothing with it", () => {
    for (const { old } of fixtures) {
      const before = structuredClone(old);
      const { widget } = report(old);
      (widget as { display: { header_buttons: unknown[] } }).display.header_buttons.push("mine");
      expect(old).toStrictEqual(before);
    }
  });

  const gauge = {
    type: "gauge",
    display: {
      gauge_type: "angular",
      minimum: "5",
      maximum: "much",
      watermark: true,
      sparkle: 1,
      vars_labels: { d1t: "Heat", d9z: "Gone" },
    },
    data: [{ origin: "d1", variables: ["t"] }],
  };

  it.each([
    ["type", "mapped", ["type"]],
    ["display.gauge_type", "mapped", ["type"]],
    ["display.minimum", "mapped", ["display.range.minimum"]],
    ["display.maximum", "defaulted", ["display.range.maximum"]],
    ["display.watermark", "dropped", undefined],
    ["display.sparkle", "unknown", undefined],
    ["display.vars_labels", "mapped", ["display.alias"]],
    ["display.vars_labels.d1t", "mapped", ["display.alias"]],
    ["display.vars_labels.d9z", "dropped", undefined],
    ["data[0].origin", "mapped", ["data[0].origin"]],
  ])("reports %s of a gauge as %s", (path, status, to) => {
    const entry = entryOf(gauge, path);
    expect(entry?.status).toBe(status);
    expect(entry?.to).toStrictEqual(to);
  });

  it("reports keys below its maximum depth as part of the key that contains them", () => {
    let deep: unknown = "bottom";
    for (let i = 0; i < 20_000; i++) deep = { deeper: deep };
    const { entries } = report({ type: "note", display: { text: deep } });
    expect(entries.length).toBeLessThan(300);
    expect(entries.at(-1)?.reason).toContain("deep");
  });
});

describe("mixed widgets", () => {
  it("keep the values of new keys and take the rest from old ones", () => {
    const widget = {
      type: "gauge",
      display: {
        gauge_type: "angular",
        vars_labels: { d1t: "Old name" },
        maximum: 40,
        range: { type: "minmax", minimum: -5 },
        theme: { color: { fill: "red" } },
      },
      data: [{ origin: "d1", variables: ["t"] }],
      resource: [{ type: "device" }],
    };
    const result = report(widget);
    expect(result.inspection.verdict).toBe("mixed");
    expect(result.widget).toMatchObject({
      display: {
        alias: "Old name",
        range: { type: "minmax", minimum: -5, maximum: 40 },
        theme: { color: { fill: "red", background: null } },
      },
      resource: [{ type: "device" }],
    });
  });

  it("merge variables one by one and report overridden old keys", () => {
    const widget = {
      type: "display",
      display: {
        vars_labels: { d1t: "Old name", d1u: "Second" },
        vars_format: { d1t: { decimals: 2 } },
        variables: [{ origin: "d1", variable: "t", alias: "New name" }],
      },
      data: [{ origin: "d1", variables: ["t", "u"] }],
    };
    expect(report(widget).widget).toMatchObject({
      display: {
        variables: [
          { origin: "d1", variable: "t", alias: "New name", number_format: { decimals: 2 } },
          { origin: "d1", variable: "u", alias: "Second" },
        ],
      },
    });
    expect(entryOf(widget, "display.vars_labels.d1t")).toMatchObject({
      status: "dropped",
      reason: "display.variables[0].alias says otherwise",
    });
    expect(entryOf(widget, "display.variables[0].alias")).toMatchObject({
      status: "mapped",
      to: ["display.variables[0].alias"],
    });
  });

  it("are detected under their new type too", () => {
    const widget = { type: "line_chart", display: { vars_labels: { d1t: "T" }, line_curve: "step" }, data: [] };
    expect(inspectWidget(widget)).toMatchObject({ verdict: "mixed", newType: "line_chart" });
    expect(report(widget).widget).toMatchObject({ type: "line_chart", display: { line_curve: "step" } });
  });
});

describe("inspectWidget", () => {
  it.each(fixtures)("judges $name as legacy before and current after the conversion", (fixture) => {
    expect(inspectWidget(fixture.old)).toMatchObject({ verdict: "legacy", newType: fixture.new["type"] });
    expect(inspectWidget(fixture.new).verdict).toBe("current");
  });

  it.each([
    [null, "invalid"],
    [[], "invalid"],
    [{ type: 4 }, "invalid"],
    [{ type: "card", display: "x" }, "invalid"],
    [{ type: "hologram", display: {} }, "unsupported"],
    [{ type: "gauge", display: { gauge_type: "thermo" } }, "unsupported"],
    [{ type: "card", display: {} }, "current"],
    [{ type: "card", display: { vars_labels: {} } }, "legacy"],
    [{ type: "card", display: { vars_labels: {}, alias: "x" } }, "mixed"],
    [{ type: "chart", display: { chart_type: "spline", reference_lines: [] } }, "mixed"],
    [{ type: "card", display: { input_type: "number" } }, "legacy"],
  ])("judges %j as %s", (widget, verdict) => {
    expect(inspectWidget(widget).verdict).toBe(verdict);
  });

  it("names the keys that prove the verdict", () => {
    const widget = { type: "card", display: { conditions_value: [], alias: "x", url: "same in both" } };
    expect(inspectWidget(widget)).toMatchObject({
      verdict: "mixed",
      legacyKeys: ["display.conditions_value"],
      currentKeys: ["display.alias"],
    });
  });
});
