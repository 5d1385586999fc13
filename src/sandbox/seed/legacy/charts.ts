import { SEED_DEVICES } from "../names.ts";
import { common, type LegacyWidget, perVariable, source } from "./parts.ts";

const { freezer, weather, waterMeter, mainMeter, siloNorth, siloEast, siloWest } = SEED_DEVICES;

const chartDisplay = {
  ...common,
  numberformat: "0.0",
  hide_variables: false,
  max_points: 500,
  scale: "auto",
  y_max: "",
  y_min: "",
  intervals: ["1 hra", "1 day", "1 wek"],
  group_by: "date",
  order_by: "time",
};
const silos = [source(siloNorth, ["level"]), source(siloEast, ["level"]), source(siloWest, ["level"])];
const siloLabels = {
  ...perVariable(siloNorth, { level: "North" }),
  ...perVariable(siloEast, { level: "East" }),
  ...perVariable(siloWest, { level: "West" }),
};

export const charts: readonly LegacyWidget[] = [
  {
    label: "Freezer temperature",
    type: "chart",
    data: [source(freezer, ["temperature"], { query: "defaultQ", qty: 96, start_date: "1 day", overwrite: true })],
    display: {
      ...chartDisplay,
      chart_type: "spline",
      line_curve: "smooth",
      downsample_enabled: true,
      downsample_factor: "10",
      downsample_threshold: "1000",
      vars_labels: perVariable(freezer, { temperature: "Freezer 1" }),
      vars_format: perVariable(freezer, { temperature: { decimals: 1 } }),
    },
  },
  {
    label: "Air pressure",
    type: "chart",
    data: [source(weather, ["pressure"], { query: "defaultQ", qty: 168, start_date: "1 week" })],
    display: {
      ...chartDisplay,
      chart_type: "area",
      scale: "yes",
      y_max: "1040",
      y_min: "980",
      vars_labels: perVariable(weather, { pressure: "Pressure" }),
    },
  },
  {
    label: "Silo levels",
    type: "chart",
    data: silos,
    display: {
      ...chartDisplay,
      chart_type: "bar_horizontal",
      stacked: "off",
      enable_labels: true,
      vars_labels: siloLabels,
    },
  },
  {
    label: "Water per day",
    type: "chart",
    data: [
      source(waterMeter, ["flow"], { query: "aggregate", interval: "day", function: "sum", start_date: "1 month" }),
    ],
    display: {
      ...chartDisplay,
      chart_type: "bar_vertical",
      stacked: "realtime",
      vars_labels: perVariable(waterMeter, { flow: "Water" }),
      vars_format: perVariable(waterMeter, { flow: { decimals: 0, show_thousand: true } }),
    },
  },
  {
    label: "Weather",
    type: "chart",
    data: [source(weather, ["temperature", "humidity", "wind"], { query: "defaultQ", qty: 72, start_date: "3 days" })],
    display: {
      ...chartDisplay,
      chart_type: "multiple_axis",
      variables_chart: perVariable(weather, { temperature: "spline", humidity: "area", wind: "column" }),
      vars_labels: perVariable(weather, { temperature: "Temperature", humidity: "Humidity", wind: "Wind" }),
    },
  },
  {
    label: "Share of grain",
    type: "pie",
    data: silos,
    display: { ...common, pie_type: "circle", numberformat: "0", vars_labels: siloLabels },
  },
  {
    label: "Share of grain, half",
    type: "pie",
    data: silos,
    display: { ...common, pie_type: "semicircle", numberformat: "0", vars_labels: siloLabels },
  },
  {
    label: "Plant load of the day",
    type: "chart",
    data: [
      source(mainMeter, ["power"], { query: "aggregate", interval: "hour", function: "avg", start_date: "1 day" }),
    ],
    display: {
      ...chartDisplay,
      chart_type: "spline",
      show_abbreviation: true,
      vars_labels: perVariable(mainMeter, { power: "Load" }),
    },
  },
];
