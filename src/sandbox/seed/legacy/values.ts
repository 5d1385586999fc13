import { SEED_DEVICES } from "../names.ts";
import { common, type LegacyWidget, perVariable, source } from "./parts.ts";

const { freezer, weather, settings, siloNorth, siloEast, siloWest, truck, mainMeter } = SEED_DEVICES;

const warm = [
  { condition: ">", value: "-10", color: "rgb(220, 60, 50)" },
  { condition: "<=", value: "-10", color: "rgb(60, 120, 200)" },
];

export const values: readonly LegacyWidget[] = [
  {
    label: "Freezer 1",
    type: "card",
    data: [source(freezer, ["temperature"])],
    display: {
      ...common,
      numberformat: "0.0",
      unit: "°C",
      show_unit: true,
      show_chart: true,
      max_points: 20,
      conditions_value: warm,
      conditions_background: [],
      conditions_chart: [],
      url: "https://example.test/freezer",
      vars_labels: perVariable(freezer, { temperature: "Temperature" }),
      vars_format: perVariable(freezer, { temperature: { decimals: 1 } }),
    },
  },
  {
    label: "Plant now",
    type: "display",
    data: [source(mainMeter, ["power", "energy"]), source(weather, ["temperature"])],
    display: {
      ...common,
      numberformat: "0.0",
      hide_variables: false,
      column_alignments: perVariable(mainMeter, { power: "right", energy: "right" }),
      vars_labels: { ...perVariable(mainMeter, { power: "Load", energy: "Energy" }), [`${weather}temperature`]: "Air" },
      vars_format: perVariable(mainMeter, { energy: { decimals: 0, show_thousand: true } }),
    },
  },
  {
    label: "State of the plant",
    type: "icon",
    data: [source(freezer, ["compressor"]), source(settings, ["pump", "maintenance"])],
    display: {
      ...common,
      numberformat: "0",
      hide_values: false,
      hide_variables: false,
      show_unit: false,
      layout: {
        ...perVariable(freezer, { compressor: { row: 0, column: 0 } }),
        ...perVariable(settings, { pump: { row: 0, column: 1 }, maintenance: { row: 1, column: 0 } }),
      },
      vars_labels: {
        ...perVariable(freezer, { compressor: "Compressor" }),
        ...perVariable(settings, { pump: "Pump" }),
      },
      conditions: {
        ...perVariable(freezer, {
          compressor: [
            { condition: "=", value: "true", color: "rgb(70, 160, 80)", url: "https://example.test/on.svg" },
          ],
        }),
        ...perVariable(settings, { pump: [{ condition: "=", value: "on", color: "rgb(70, 160, 80)" }] }),
      },
    },
  },
  {
    label: "Where things are",
    type: "map",
    data: [source(truck, ["location"], { query: "last_location", qty: 1 })],
    display: {
      ...common,
      mode: "basic",
      initial_zoom: 12,
      numberformat: "0",
      connect_markers: true,
      ignore_00: true,
      group_markers: true,
      infowindow_closed: false,
      intervals: ["1 day", "1 wek"],
      show_filter: true,
      filter_title: "Find a truck",
      filter_by: "devices",
      filter_devices: [{ id: truck, name: "Truck 7" }],
      filter_variable: [{ origin: truck, variable: "location" }],
      map_icons: { [truck]: { css_class: "flaticon flaticon-delivery51", color: "rgb(30, 90, 160)" } },
      geo_variable: { origin: { id: truck, bucket: truck }, variable: "geofence" },
      geo_enable_user: true,
      geo_events: [{ value: "inside", label: "Inside", color: "rgb(70, 160, 80)" }],
      vars_labels: perVariable(truck, { location: "Truck 7" }),
      vars_url: perVariable(truck, { location: { url: "https://example.test/truck", alias: "Papers" } }),
    },
  },
  {
    label: "All silos",
    type: "tile",
    display: {
      ...common,
      background_color: "rgb(40, 70, 110)",
      icon_url: "https://example.test/silo.svg",
      icon_color: "rgb(255, 255, 255)",
      label_button: "Silos",
      label_color: "rgb(255, 255, 255)",
      fit_image: false,
      opacity: 90,
      link: "https://example.test/silos/",
    },
  },
  {
    label: "Level of the fullest silo",
    type: "card",
    data: [source(siloNorth, ["level"]), source(siloEast, ["level"]), source(siloWest, ["level"])],
    display: {
      ...common,
      numberformat: "0",
      unit: "%",
      show_unit: true,
      hide_variables: true,
      vars_labels: perVariable(siloNorth, { level: "Silos" }),
    },
  },
];
