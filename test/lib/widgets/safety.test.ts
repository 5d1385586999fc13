import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { convertWithReport, inspectWidget, Migration } from "../../../src/lib/widgets/index.ts";
import { amount, isFull } from "../../helpers/amount.ts";
import { growthOf, IN_PROPORTION } from "../../helpers/growth.ts";
import { fixtures } from "./fixtures.ts";
import { randomWidget } from "./random-widgets.ts";

const verdicts = ["current", "legacy", "mixed", "unsupported", "invalid"];

function useEveryEntryPoint(widget: unknown): void {
  const before = JSON.stringify(widget);
  expect(typeof Migration.hasMigrate(widget)).toBe("boolean");
  expect(typeof Migration.isOldStructure(widget)).toBe("boolean");
  const result = Migration.convertWidget(widget);
  if (Migration.hasMigrate(widget)) expect(Migration.isOldStructure(result)).toBe(false);
  expect(verdicts).toContain(inspectWidget(widget).verdict);
  expect(convertWithReport(widget, { force: true }).inspection.verdict).toBe(inspectWidget(widget).verdict);
  expect(Array.isArray(Migration.convertImageMarkerData(widget, [widget, { data: widget, result: [widget] }]))).toBe(
    true,
  );
  expect(JSON.stringify(widget)).toBe(before);
}

describe("the converters do not fail", () => {
  it("on any JSON", () => {
    fc.assert(fc.property(fc.jsonValue(), useEveryEntryPoint), { numRuns: 2000 });
  });

  it("on widgets with any values", { tags: ["slow"] }, () => {
    fc.assert(fc.property(randomWidget, useEveryEntryPoint), { numRuns: amount(400, 5_000) });
  });

  function expectDeep(some: typeof fixtures): void {
    let deep: unknown = [];
    for (let i = 0; i < 30_000; i++) deep = i % 2 ? [deep] : { deep };
    for (const { old } of some) {
      const d = old["display"] as Record<string, unknown>;
      const subtypes = Object.entries(d).filter(([key]) => key.includes("type"));
      const display = {
        ...Object.fromEntries(Object.keys(d).map((key) => [key, deep])),
        ...Object.fromEntries(subtypes),
      };
      expect(Migration.convertWidget({ ...old, data: [deep], display })).toHaveProperty("type");
      expect(convertWithReport({ ...old, data: deep }).converted).toBe(true);
    }
  }
  const oneOfEachType = [...new Map(fixtures.map((fixture) => [fixture.old["type"], fixture])).values()];

  it("on deeply nested widgets", { tags: ["slow"] }, () => expectDeep(oneOfEachType.slice(0, 3)));

  it("on deeply nested widgets of every type", { tags: ["slow"] }, () => expectDeep(isFull ? fixtures : oneOfEachType));

  it("on circular widgets", () => {
    const loop: Record<string, unknown> = { type: "note", display: { text: {} } };
    (loop["display"] as Record<string, unknown>)["text"] = loop;
    expect(Migration.convertWidget(loop)).toHaveProperty("type", "note");
    expect(inspectWidget(loop).verdict).toBe("legacy");
  });

  it("on keys such as __proto__, which are ordinary keys", () => {
    const text = `{"type":"display","display":{"vars_labels":{"__proto__":"P","constructor":"C"}},
      "data":[{"origin":"__pro","variables":["to__"]},{"origin":"const","variables":["ructor"]},
      {"origin":"to","variables":["String"]}],"id":{"__proto__":{"polluted":true}}}`;
    const result = Migration.convertWidget<{ id: object; display: { variables: { alias?: string }[] } }>(
      JSON.parse(text),
    );
    expect(result.display.variables.map((variable) => variable.alias)).toStrictEqual(["P", "C", undefined]);
    expect(Object.keys(result.id)).toStrictEqual(["__proto__"]);
    expect(result.id).not.toHaveProperty("polluted");
    expect({}).not.toHaveProperty("polluted");
  });

  it("on ten thousand variables, in a time in proportion to their number", { tags: ["slow"] }, async () => {
    const convert = (count: number) => {
      const variables = Array.from({ length: count }, (_, i) => `v${i}`);
      const widget = { type: "map", display: { vars_labels: {} }, data: [{ origin: "d", variables }] };
      expect(convertWithReport(widget).entries).toHaveLength(count + 7);
    };
    expect(await growthOf(convert, 1_250)).toBeLessThan(IN_PROPORTION);
  });
});
