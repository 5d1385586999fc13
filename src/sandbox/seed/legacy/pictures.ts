import { SEED_ANALYSIS, SEED_DEVICES } from "../names.ts";
import { common, type LegacyWidget, perVariable, source } from "./parts.ts";

const { settings, siloNorth, siloEast, siloWest, truck, freezer } = SEED_DEVICES;
const plan = "https://example.test/plan.png";
const silos = [source(siloNorth, ["level"]), source(siloEast, ["level"]), source(siloWest, ["level"])];
const siloLabels = {
  ...perVariable(siloNorth, { level: "North" }),
  ...perVariable(siloEast, { level: "East" }),
  ...perVariable(siloWest, { level: "West" }),
};
const compose = {
  ...common,
  background_path: plan,
  background_type: "image",
  aspect_ratio: [16, 9],
  numberformat: "0",
  hide_variables: false,
  vars_labels: siloLabels,
  vars_icons: perVariable(siloNorth, { level: { url: "https://example.test/silo.svg", color: "rgb(49, 60, 70)" } }),
  vars_url: perVariable(siloNorth, { level: { url: "https://example.test/north", alias: "Details" } }),
};

export const layers: readonly LegacyWidget[] = [
  {
    label: "Warm places",
    type: "layer",
    data: [
      source(siloNorth, ["temperature"], { timezone: "Europe/Rome" }),
      source(siloEast, ["temperature"], { timezone: "Europe/Rome" }),
    ],
    display: {
      ...common,
      layer_type: "heat_map",
      img_path: plan,
      max_points: 200,
      radius: 3,
      scale_fixed: true,
      scale_minimum: 10,
      scale_maximum: 30,
      show_scale: true,
      show_coordinates: false,
    },
  },
  {
    label: "Silos on the plan",
    type: "layer",
    data: [source(settings, ["floor_plan"]), ...silos],
    display: {
      ...common,
      layer_type: "image_marker",
      layer_sub_type: "advanced",
      layer_variable: { origin: settings, variable: "floor_plan" },
      allow_add: true,
      allow_move: true,
      allow_remove: true,
      allow_edit_layers: true,
      connect_markers: false,
      override_color: true,
      numberformat: "0",
      max_points: 1,
      title_window: "Plan",
      vars_labels: siloLabels,
      vars_conditions: perVariable(siloNorth, { level: [{ condition: "<", value: "20", color: "rgb(220, 60, 50)" }] }),
    },
  },
  { label: "Silo scheme", type: "layer", data: silos, display: { ...compose, layer_type: "compose" } },
  {
    label: "Silo scheme, older",
    type: "layer",
    data: silos,
    display: { ...compose, layer_type: "virtualization_layer" },
  },
];

export const media: readonly LegacyWidget[] = [
  {
    label: "Plant",
    type: "image",
    display: { ...common, type_media: "static_image", type_image: "static", static_image: plan },
  },
  {
    label: "Gate camera",
    type: "image",
    display: { ...common, type_media: "static_video", static_media: "https://example.test/gate.mp4" },
  },
  {
    label: "Compressor",
    type: "media",
    data: [source(freezer, ["compressor"])],
    display: {
      ...common,
      type_media: "image",
      type_image: "dynamic",
      conditions: [
        { condition: "=", value: "true", image: "https://example.test/on.png" },
        { condition: "=", value: "false", image: "https://example.test/off.png" },
      ],
    },
  },
  {
    label: "Tour",
    type: "media",
    display: { ...common, type_media: "static_video", static_video: "", static_media: "https://example.test/tour.mp4" },
  },
  {
    label: "Read me",
    type: "note",
    display: { ...common, text: "**Freezer 1** must stay below -10 °C. Call the operator when it does not." },
  },
  {
    label: "Route planner",
    type: "iframe",
    analysis_run: SEED_ANALYSIS,
    data: [source(truck, ["location", "speed"])],
    display: {
      ...common,
      url: "https://example.test/planner",
      header_size: "normal",
      user: true,
      parameters: [{ key: "zoom", value: "12" }],
      variables: [],
    },
  },
];
