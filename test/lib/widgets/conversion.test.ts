import { describe, expect, it } from "vitest";
import { Migration } from "../../../src/lib/widgets/index.ts";
import { countedIds, fixtures } from "./fixtures.ts";

describe("convertWidget", () => {
  it.each(fixtures)("converts $name to its fixture", (fixture) => {
    expect(Migration.convertWidget(fixture.old, { newId: countedIds() })).toStrictEqual(fixture.new);
  });

  it.each(fixtures)("does not change the old $name and shares nothing with it", ({ old }) => {
    const before = structuredClone(old);
    const result = Migration.convertWidget(old);
    expect(old).toStrictEqual(before);
    expect(sharedObjects(old, result)).toStrictEqual([]);
  });

  it("shares nothing between two results", () => {
    const table = fixtures.find((each) => each.name === "dynamic-table");
    const [first, second] = [Migration.convertWidget(table?.old), Migration.convertWidget(table?.old)];
    expect(sharedObjects(first, second)).toStrictEqual([]);
  });

  it("generates unique ids without an id source", () => {
    const control = fixtures.find((each) => each.name === "static-table");
    const ids = Array.from({ length: 50 }, () => {
      const { display } = Migration.convertWidget<{ display: { variables: { id: string }[] } }>(control?.old);
      return display.variables.map((cell) => cell.id);
    }).flat();
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("returns a widget without a converter as it is", () => {
    const strange = { type: "custom_thing", display: { a: 1 } };
    expect(Migration.convertWidget(strange)).toBe(strange);
    expect(Migration.convertWidget(null)).toBeNull();
    expect(Migration.convertWidget("card")).toBe("card");
  });
});

describe("hasMigrate and isOldStructure", () => {
  it.each(fixtures)("find a converter for the old $name and judge its result as new", (fixture) => {
    expect(Migration.hasMigrate(fixture.old)).toBe(true);
    expect(Migration.isOldStructure(fixture.new)).toBe(false);
  });

  it.each([null, undefined, 5, "card", [], {}, { type: 5 }, { type: "Card" }, { type: "constructor" }])(
    "return false for %j",
    (value) => {
      expect(Migration.hasMigrate(value)).toBe(false);
      expect(Migration.isOldStructure(value)).toBe(false);
    },
  );

  it("check keys of the old structure only for the types that have them", () => {
    expect(Migration.isOldStructure({ type: "card", display: { vars_labels: {} } })).toBe(true);
    expect(Migration.isOldStructure({ type: "card", display: { url: "x" } })).toBe(false);
    expect(Migration.isOldStructure({ type: "iframe", display: { watermark: null } })).toBe(true);
    expect(Migration.isOldStructure({ type: "icon", display: { vars_labels: {}, variables: [] } })).toBe(false);
    expect(Migration.isOldStructure({ type: "input", display: { input_type: "form", buttons: [{}] } })).toBe(true);
  });
});

describe("convertImageMarkerData", () => {
  const widget = {
    type: "layer",
    display: { layer_type: "image_marker", layer_variable: { origin: { id: "plan" }, variable: "layer" } },
    data: [
      { origin: "plan", variables: ["layer"] },
      { origin: "tap", variables: ["flow"] },
    ],
  };
  const records = [{ id: "r1", metadata: { fixed_position: { tapflow: { x: 1, y: 2 } } } }];
  const data = [
    { data: { origin: "plan", variables: ["layer"] }, result: records },
    { data: { origin: "tap", variables: ["flow"] }, result: [{ id: "r2" }] },
  ];

  it("adds the position under the device and keeps the old key", () => {
    const before = structuredClone(data);
    const [record] = Migration.convertImageMarkerData(widget, data);
    expect(record).toStrictEqual({
      id: "r1",
      metadata: { fixed_position: { tapflow: { x: 1, y: 2 }, tap: { x: 1, y: 2 } } },
    });
    expect(data).toStrictEqual(before);
  });

  it("has the former spelling too", () => {
    expect(Migration.convertImagerMarkerData(widget, data)).toStrictEqual(
      Migration.convertImageMarkerData(widget, data),
    );
  });
});

function sharedObjects(a: unknown, b: unknown): object[] {
  const inA = new Set(objectsIn(a));
  return objectsIn(b).filter((each) => inA.has(each));
}

function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}
