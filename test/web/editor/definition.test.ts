import { describe, expect, it } from "vitest";
import { displays } from "../../../src/lib/widgets/displays.ts";
import { newWidget, sampleVariables } from "../../../src/lib/widgets/starter.ts";
import { checkWidget } from "../../../src/schema/widgets/check.ts";
import { checkText, textOf } from "../../../src/web/editor/check.ts";
import { jsonLines, lineOf } from "../../../src/web/editor/json-lines.ts";
import { sourcesOf, withMore, withoutSource, withSource } from "../../../src/web/editor/sources.ts";

const temperature = { origin: "freezer", variable: "temperature" };
const wind = { origin: "station", variable: "wind" };
const level = { origin: "silo", variable: "level" };

describe("the variables of a widget", () => {
  it("are added, replaced and removed in every type that names them, and the widget stays valid", () => {
    for (const type of Object.keys(displays()).filter((each) => sampleVariables(each).length > 0)) {
      const start = newWidget(type, [temperature]);
      const two = withMore(start, wind);
      const other = withSource(two, temperature, level);
      const one = withoutSource(other, wind);
      for (const each of [two, other, one]) expect([type, checkWidget(each)]).toEqual([type, []]);
      expect([type, sourcesOf(two)]).toEqual([type, [temperature, wind]]);
      const text = JSON.stringify(one);
      expect([type, text.includes("freezer"), text.includes('"wind"')]).toEqual([type, false, false]);
    }
  });

  it("keep the settings of the one they replace", () => {
    const chart = newWidget("line_chart", [temperature, wind]);
    const [first, second] = chart.display["variables"] as object[];
    const colored = { ...chart, display: { ...chart.display, variables: [{ ...first, color: "#123456" }, second] } };
    const next = withSource(colored, temperature, level);
    expect(next.display["variables"]).toEqual([
      expect.objectContaining({ origin: "silo", variable: "level", color: "#123456" }),
      second,
    ]);
    expect(next.data?.[0]).toMatchObject({ origin: "silo", variables: ["level"], qty: 96 });
  });

  it("leave an entry that reads several variables in two, with its query and the rest of its names", () => {
    const display = { variables: [] };
    const data = [{ origin: "a", bucket: "a", variables: ["one", "two"], query: "last_value" }];
    const next = withSource(
      { label: "L", type: "display", display, data },
      { origin: "a", variable: "two" },
      { origin: "b", variable: "three" },
    );
    expect(next.data).toEqual([
      { origin: "a", bucket: "a", variables: ["one"], query: "last_value" },
      { origin: "b", bucket: "b", variables: ["three"], query: "last_value" },
    ]);
  });

  it("are the fields of a form", () => {
    const labels = (widget: ReturnType<typeof newWidget>): unknown =>
      (widget.display["sections"] as { fields: { label: string }[] }[]).map(({ fields }) => fields.map((f) => f.label));
    const form = withMore(newWidget("form", [temperature]), wind);
    expect(labels(form)).toEqual([["Temperature", "Wind"]]);
    expect(labels(withoutSource(form, temperature))).toEqual([["Wind"]]);
  });
});

describe("the text of a widget", () => {
  it("is read with the line of each mistake", () => {
    const text = textOf({
      label: "L",
      type: "angular",
      display: { range: { type: "minmax", minimum: [], maximum: 1 } },
    });
    const { definition, mistakes } = checkText(text);
    expect(definition?.label).toBe("L");
    expect(mistakes).toEqual([{ line: 7, text: "display.range.minimum must be number or string or null, not array." }]);
    expect(text.split("\n")[6]).toContain("minimum");
  });

  it("has the mistake of what is missing where it would be", () => {
    const { mistakes } = checkText('{\n  "label": "L",\n  "type": "angular",\n  "display": {\n  }\n}');
    expect(mistakes).toEqual([{ line: 4, text: "display.range is missing." }]);
  });

  it("is no widget without a name, a type and settings, or when it is no JSON", () => {
    expect(checkText('{"type": "note"}')).toEqual({
      definition: undefined,
      mistakes: [
        { line: 1, text: "label must be a string." },
        { line: 1, text: "display must be an object." },
      ],
    });
    expect(checkText("[]").definition).toBeUndefined();
    expect(checkText('{\n  "a": 1,\n  "b": [1, 2,, 3]\n}')).toEqual({
      definition: undefined,
      mistakes: [{ line: 3, text: "This is not JSON." }],
    });
  });

  it("may be of a type that has no schema", () => {
    expect(checkText('{"label": "L", "type": "hologram", "display": {}}')).toMatchObject({ mistakes: [] });
  });

  it("has lines for everything in it, whatever is in its strings", () => {
    const found = jsonLines('{\n "a": {"b": "{[,:]}\\" \\u00e9"},\n "list": [\n  1,\n  {"x": null}\n ]\n}');
    expect([...found.lines]).toEqual([
      ["", 1],
      ["a", 2],
      ["a.b", 2],
      ["list", 3],
      ["list[0]", 4],
      ["list[1]", 5],
      ["list[1].x", 5],
    ]);
    expect(lineOf(found, "list[1].y.z")).toBe(5);
    expect(lineOf(found, "nowhere")).toBe(1);
    for (const wrong of ["", "{", '{"a"}', "[1,]", "tru", '"\n"', "1 2"]) expect(jsonLines(wrong).wrong).toBeDefined();
    expect(jsonLines("[".repeat(100_000)).wrong).toBeDefined();
  });
});
