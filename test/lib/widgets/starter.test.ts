import { describe, expect, it } from "vitest";
import { displays } from "../../../src/lib/widgets/displays.ts";
import { drawWidget } from "../../../src/lib/widgets/draw/index.ts";
import { newWidget, sampleVariables } from "../../../src/lib/widgets/starter.ts";
import { checkWidget } from "../../../src/schema/widgets/check.ts";

const sources = [
  { origin: "65a1000000000000000d0001", variable: "temperature" },
  { origin: "65a1000000000000000d0002", variable: "wind" },
];
const sizes = { width: 320, height: 240, sample: true, nowMs: Date.UTC(2026, 0, 15) };

describe("a new widget", () => {
  it("is valid for every type, with sample data and with devices", () => {
    for (const type of Object.keys(displays())) {
      for (const each of [newWidget(type), newWidget(type, sources)])
        expect([type, each.type, checkWidget(each)]).toEqual([type, type, []]);
    }
  });

  it("shows the devices and variables it is made for, wherever its type names them", () => {
    for (const type of Object.keys(displays()).filter((each) => sampleVariables(each).length > 0)) {
      const text = JSON.stringify(newWidget(type, sources));
      expect([type, text.includes("65a1000000000000000d0001"), text.includes("temperature")]).toEqual([
        type,
        true,
        true,
      ]);
    }
    expect(newWidget("line_chart", sources).data?.map(({ origin }) => origin)).toEqual(
      sources.map(({ origin }) => origin),
    );
  });

  it("is drawn with sample data, which no type lacks", () => {
    for (const type of Object.keys(displays())) {
      const drawing = drawWidget(newWidget(type), undefined, sizes);
      expect([type, /No data|No positions|not shown/.exec(drawing)?.[0]]).toEqual([type, undefined]);
    }
  });
});
