import { SEED_DEVICES } from "../names.ts";
import { common, type LegacyWidget, perVariable, source } from "./parts.ts";

const { freezer, weather, vibration, siloNorth, mainMeter } = SEED_DEVICES;

export const gauges: readonly LegacyWidget[] = [
  {
    label: "Wind",
    type: "gauge",
    data: [source(weather, ["wind"])],
    display: {
      ...common,
      gauge_type: "angular",
      minimum: "0",
      maximum: "120",
      range_limit: "minmax",
      numberformat: "0.0",
      unit: "km/h",
      hide_variables: false,
      vars_labels: perVariable(weather, { wind: "Wind on the roof" }),
      vars_format: perVariable(weather, { wind: { decimals: 1, show_thousand: false } }),
    },
  },
  {
    label: "Humidity",
    type: "gauge",
    data: [source(weather, ["humidity"])],
    display: {
      ...common,
      gauge_type: "solid",
      minimum: "0",
      maximum: "100",
      numberformat: "0",
      unit: "%",
      hide_variables: true,
      vars_labels: perVariable(weather, { humidity: "Humidity" }),
    },
  },
  {
    label: "Freezer clock",
    type: "gauge",
    data: [source(freezer, ["temperature"])],
    display: { ...common, gauge_type: "clock", show_last_update: true },
  },
  {
    label: "Power",
    type: "gauge",
    data: [source(mainMeter, ["power"])],
    display: {
      ...common,
      gauge_type: "vu_meter",
      minimum: "0",
      maximum: "200",
      numberformat: "0.0",
      vars_labels: perVariable(mainMeter, { power: "Plant load" }),
      vars_formula: perVariable(mainMeter, {
        power: { enable: true, formula: "$VALUE$ / 1000", formula_type: "fixed", unit_type: "fixed", unit: "MW" },
      }),
    },
  },
  {
    label: "Vibration",
    type: "gauge",
    data: [source(vibration, ["vibration"])],
    display: {
      ...common,
      gauge_type: "dial",
      minimum: "0",
      maximum: "10",
      numberformat: "0.00",
      unit: "mm/s",
      vars_labels: perVariable(vibration, { vibration: "Bearing" }),
      vars_formula: perVariable(vibration, { vibration: { enable: false, formula: "", unit_type: "origin" } }),
    },
  },
  {
    label: "Freezer dial",
    type: "dial",
    data: [source(freezer, ["temperature"])],
    display: {
      ...common,
      minimum: "-30",
      maximum: "10",
      numberformat: "0.0",
      unit: "°C",
      vars_labels: perVariable(freezer, { temperature: "Freezer" }),
      vars_format: perVariable(freezer, { temperature: { decimals: 1 } }),
    },
  },
  {
    label: "Silo cylinder",
    type: "cylinder",
    data: [source(siloNorth, ["level"])],
    display: {
      ...common,
      minimum: "0",
      maximum: "100",
      num_ticks: "5",
      numberformat: "0",
      unit: "%",
      conditions: [
        { condition: "<", value: "20", color: "rgb(220, 60, 50)" },
        { condition: ">=", value: "20", color: "rgb(70, 160, 80)" },
      ],
      vars_labels: perVariable(siloNorth, { level: "Barley" }),
      vars_format: perVariable(siloNorth, { level: { decimals: 0 } }),
    },
  },
  {
    label: "Grain bin",
    type: "grainbin",
    data: [source(siloNorth, ["level"])],
    display: { ...common, gauge_label: "Silo north", minimum: 0, maximum: 100, numberformat: "0", unit: "%" },
  },
];
