import { describe, expect, it } from "vitest";
import { planDashboard, planWidget } from "../../../src/index.ts";
import { goneKeys, lossIn } from "../../../src/lib/widgets/losses.ts";

const gauge = { id: "1", label: "Wind", type: "gauge", display: { gauge_type: "angular", maximum: 40 }, data: [] };

describe("a plan", () => {
  it("counts the verdicts on the widgets of a dashboard, in order", () => {
    const note = { id: "2", type: "note", display: { value: "new" } };
    const plan = planDashboard({ id: "d", label: "Plant" }, [gauge, note, { id: "3", type: "robot" }, "rubbish"]);
    expect(plan).toMatchObject({ id: "d", label: "Plant" });
    expect(plan.counts).toEqual({ converts: 1, notes: 0, current: 1, unsupported: 1, invalid: 1 });
    expect(plan.widgets.map(({ type, newType, verdict }) => [type, newType, verdict])).toEqual([
      ["gauge/angular", "angular", "converts"],
      ["note", "note", "current"],
      ["robot", "robot", "unsupported"],
      ["", "", "invalid"],
    ]);
  });

  it("notes keys without a place in the new structure unless they are empty", () => {
    const planned = planWidget({ ...gauge, display: { ...gauge.display, watermark: "", made_up: 7, other: null } });
    expect(planned.verdict).toBe("notes");
    expect(planned.notes).toEqual([expect.stringMatching(/^display\.made_up is lost: not a known key/)]);
  });

  it("does not note keys that have no effect", () => {
    const display = { ...gauge.display, numberformat: "0.0", vars_format: { dwind: { decimals: 1 } } };
    const data = [{ origin: "d", query: "last_value", variables: ["wind"] }];
    const planned = planWidget({ ...gauge, data, display });
    expect(planned.entries).toContainEqual(
      expect.objectContaining({ path: "display.numberformat", status: "dropped" }),
    );
    expect([planned.verdict, planned.notes]).toEqual(["converts", []]);
  });

  it("says what is different to see without a key, and only where something is", () => {
    const data = [{ origin: "d", query: "last_value", variables: ["a", "b"] }];
    const chart = (display: object): unknown => ({
      id: "1",
      type: "chart",
      data,
      display: { chart_type: "spline", ...display },
    });
    const notes = (display: object): readonly string[] =>
      planWidget(chart({ vars_labels: { da: "A" }, ...display })).notes;
    const some = "display.numberformat is lost: numbers show as many decimals as they have instead of 2";
    expect(notes({ numberformat: "0.00" })).toEqual([some]);
    expect(notes({ numberformat: "0.00", vars_format: { da: { decimals: 1 } } })).toEqual([some]);
    expect(notes({ numberformat: "0.00", vars_format: { da: { decimals: 1 }, db: { decimals: 0 } } })).toEqual([]);
    expect(notes({ numberformat: "0" })).toEqual([]);
  });

  it("keeps a key that has another name now out of what is lost or not needed", () => {
    const widget = { ...gauge, display: { ...gauge.display, numberformat: "0.00", watermark: false } };
    const { before, after, entries } = planWidget(widget);
    expect(goneKeys(before, after, entries)).toEqual([
      { path: "display.watermark", isLost: false, why: "it is empty or off" },
    ]);
    expect(after).toMatchObject({ display: { number_format: { decimals: 2 } } });
  });

  it("does not call a unit lost that the new widget shows", () => {
    const data = [{ origin: "d", query: "last_value", variables: ["wind"] }];
    const dial = (unit: string): readonly string[] => {
      const formula = { enable: true, formula_type: "fixed", formula: "$VALUE$", unit_type: "fixed", unit };
      const display = { gauge_type: "dial", unit: "m/s", vars_formula: { dwind: formula } };
      return planWidget({ ...gauge, data, display }).notes;
    };
    expect(dial("m/s")).toEqual([]);
    expect(dial("")).toEqual(['display.unit is lost: values show their own unit instead of "m/s"']);
  });

  it("says of the alignment of values what is different to see, unless their variable is not shown", () => {
    const display = { vars_labels: { da: "A" }, column_alignments: { da: "right", dz: "center" } };
    const widget = { type: "display", display, data: [{ origin: "d", variables: ["a"] }] };
    const { before, after, entries, notes } = planWidget(widget);
    expect(notes).toEqual([
      'display.column_alignments.da is lost: the value has the alignment of the new widget instead of "right"',
    ]);
    expect(goneKeys(before, after, entries)).toContainEqual({
      path: "display.column_alignments.dz",
      isLost: false,
      why: "its variable is not shown by the widget",
    });
  });

  it("has one note for each setting, with each reason once", () => {
    const rule = { enable: true, formula_type: "fixed", formula: "$VALUE$ / 10", unit_type: "fixed", unit: "bar" };
    const { notes } = planWidget({
      type: "card",
      data: [{ origin: "d", query: "last_value", variables: ["a", "b"] }],
      display: { vars_labels: { da: "A" }, vars_formula: { da: rule, db: { ...rule, enable: false } }, made_up: 7 },
    });
    expect(notes).toEqual([
      "display.vars_formula: 5 keys are lost: values are shown without their formula",
      "display.made_up is lost: not a known key of this widget type",
    ]);
    expect(notes.map((note) => lossIn(note)?.key)).toEqual(["vars_formula", "made_up"]);
  });

  it("says of a form which settings its fields cannot keep, and not those that their kind never had", () => {
    const field = { fieldtype: "text", label: "Name", options: [{ label: "A", value: "a" }], hide_end_date: true };
    const fields = { a: field, b: { ...field, fieldtype: "number", maximum: 10 } };
    const form = { type: "input", display: { input_type: "form", form: { fields } } };
    const { before, after, entries, notes } = planWidget(form);
    expect(notes).toEqual(["display.form.fields.b.maximum is lost: the new widget has no such setting"]);
    expect(goneKeys(before, after, entries)).toContainEqual({
      path: "display.form.fields.a.options[0].label",
      isLost: false,
      why: "fields of its kind have none",
    });
  });

  it("says which data a widget does not show", () => {
    const data = ["d", "e"].map((origin) => ({ origin, variables: ["level"] }));
    expect(planWidget({ type: "grainbin", display: { watermark: false }, data }).notes).toEqual([
      "data: 2 keys are lost: data entry 2 is not shown",
    ]);
  });

  describe("of a map", () => {
    const data = ["d", "e"].map((origin) => ({ origin, variables: ["location"] }));
    const filter_variable = [{ origin: "d", variable: "location" }];
    const map = (display: object, shown: readonly object[] = data): readonly string[] =>
      planWidget({ type: "map", display: { map_icons: {}, connect_markers: true, ...display }, data: shown }).notes;

    it("says that records without a place are shown, if they were not", () => {
      expect(map({ ignore_00: true })).toEqual([
        "display.ignore_00 is lost: records at latitude 0 and longitude 0 are shown too",
      ]);
      expect(map({ ignore_00: false })).toEqual([]);
    });

    it("says that the filter lists the variable of every device, where it is shown and there are several", () => {
      expect(map({ show_filter: true, filter_variable })).toEqual([
        'display.filter_variable[0].origin is lost: the filter lists "location" of every device instead of one',
      ]);
      expect(map({ show_filter: true, filter_variable }, data.slice(0, 1))).toEqual([]);
      expect(map({ show_filter: true, filter_by: "devices", filter_variable })).toEqual([]);
      expect(map({ filter_variable })).toEqual([]);
    });

    it("does not call a key lost that changed nothing before either", () => {
      const unseen = { map_icons: { z: { color: "red" } }, vars_labels: { zlocation: "Gone" } };
      expect(map({ ...unseen, initial_zoom: 0, filter_variable: [...filter_variable, ...filter_variable] })).toEqual(
        [],
      );
    });
  });

  it("marks a widget as invalid if its new form fails the check", () => {
    const planned = planWidget(gauge, { check: () => ["too old"] });
    expect(planned).toMatchObject({ verdict: "invalid", notes: ["too old"], newType: "gauge/angular" });
    expect(planned.after).toBeUndefined();
  });

  it("does not change the widget and shares nothing with it", () => {
    const before = structuredClone(gauge);
    const { after } = planWidget(gauge);
    expect(gauge).toEqual(before);
    expect((after as typeof gauge).data).not.toBe(gauge.data);
  });

  it("is the same on every run with the same id source", () => {
    const form = {
      id: "9",
      type: "input",
      display: { input_type: "form", form: { fields: { a: { fieldtype: "text" } } } },
    };
    const newIds = (): (() => string) => {
      let count = 0;
      return () => {
        count += 1;
        return `id-${count}`;
      };
    };
    expect(planWidget(form, { newIds })).toEqual(planWidget(form, { newIds }));
  });
});
