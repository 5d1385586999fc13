import { SEED_DEVICES } from "../names.ts";
import { common, type LegacyWidget, perField, perVariable, source } from "./parts.ts";

const { settings, freezer, weather, siloNorth } = SEED_DEVICES;

export const tables: readonly LegacyWidget[] = [
  {
    label: "Tasks",
    type: "table",
    realtime: true,
    data: [source(settings, ["task", "operator"], { query: "defaultQ", qty: 50 })],
    display: {
      ...common,
      table_type: "dynamic",
      show_time: true,
      show_search: true,
      show_delete: true,
      messageDeleteRow: "Remove this task?",
      intervals: ["1 day", "1 mth"],
      column_alignments: perVariable(settings, { task: "left", operator: "center" }),
      vars_labels: perVariable(settings, { task: "Task", operator: "Who" }),
      form: {
        fields: perField(settings, {
          task: { editable: true, required: true, show_label: true, fieldtype: "text" },
          operator: {
            editable: true,
            fieldtype: "dropdown",
            options: [
              { label: "Ines", value: "Ines" },
              { label: "Otto", value: "Otto" },
            ],
          },
        }),
      },
    },
  },
  {
    label: "Temperatures",
    type: "table",
    data: [source(freezer, ["temperature"]), source(weather, ["temperature"]), source(siloNorth, ["temperature"])],
    display: {
      ...common,
      table_type: "static",
      vars_that_have_conditions: {},
      cell: {
        "0_0": { type: "constant", constant: "Place" },
        "0_1": { type: "constant", constant: "Now" },
        "1_0": { type: "constant", constant: "Freezer 1" },
        "1_1": { type: "variable", variables: { device: { id: freezer }, variable: "temperature" } },
        "2_0": { type: "constant", constant: "Roof" },
        "2_1": { type: "variable", variables: { device: { id: weather }, variable: "temperature" } },
        "3_0": { type: "constant", constant: "Silo north" },
        "3_1": { type: "variable", variables: { device: { id: siloNorth }, variable: "temperature" } },
      },
      vars_labels: perVariable(freezer, { temperature: "Freezer 1" }),
      vars_format: perVariable(freezer, { temperature: { decimals: 1 } }),
    },
  },
];
