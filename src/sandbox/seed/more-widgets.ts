import { type CurrentWidget, chart, gauge, last, series, shown } from "./current-widgets.ts";
import { SEED_DEVICES } from "./names.ts";

const { freezer, weather, waterMeter, settings, siloNorth, siloEast, siloWest, truck } = SEED_DEVICES;

const basics = { header_buttons: [], help: "" };
const plan = { static_image: "https://example.test/plan.png", type: "static" };
const silos = [last(siloNorth, "level"), last(siloEast, "level"), last(siloWest, "level")];
const siloVariables = [
  shown(siloNorth, "level", "North", "hsl(210, 71%, 70%)"),
  shown(siloEast, "level", "East", "hsl(110, 76%, 71%)"),
  shown(siloWest, "level", "West", "hsl(26, 87%, 61%)"),
];
const legend = { ...basics, show_legend: true, variables: siloVariables };
const colors = (...names: readonly string[]): object => ({
  color: Object.fromEntries(names.map((name) => [name, null])),
});

const picture = (label: string, type: string, source: object): CurrentWidget => ({
  label,
  type,
  data: [],
  display: {
    ...basics,
    object_fit: "contain",
    occupy_whole_widget: false,
    source,
    theme: colors("background", "header"),
  },
});

/** The widget types of the present format that the overview does not show. */
export const MORE_WIDGETS: readonly CurrentWidget[] = [
  gauge("Wind, as a meter", "vu-meter", "Wind", "km/h", 120),
  gauge("Wind, as a dial", "dial", "Wind", "km/h", 120),
  {
    label: "Freezer clock",
    type: "clock",
    data: [last(freezer, "temperature")],
    display: { ...basics, show_last_update: false, theme: colors("background", "header", "text") },
  },
  {
    label: "Grain bin",
    type: "grainbin",
    data: [last(siloEast, "level")],
    display: {
      ...basics,
      alias: "Wheat",
      number_format: { decimals: 0, show_thousand: false },
      range: { type: "minmax", minimum: 0, maximum: 100 },
      show_variables: true,
      theme: colors("background", "fill", "header", "text", "text_background"),
    },
  },
  chart("Silo levels", "horizontal_bar_chart", last(siloNorth, "level"), shown(siloNorth, "level", "North")),
  chart("Water per hour", "vertical_bar_chart", series(waterMeter, "flow", 24, "1 day"), {
    ...shown(waterMeter, "flow", "Water", "hsl(191, 78%, 45%)"),
  }),
  chart("Weather", "multiple_axis_chart", series(weather, "temperature", 72, "3 days"), {
    ...shown(weather, "temperature", "Temperature", "hsl(346, 84%, 65%)"),
    chart_type: "line_chart",
  }),
  { label: "Share of grain", type: "pie", data: silos, display: legend },
  { label: "Share of grain, half", type: "semidonut", data: silos, display: legend },
  {
    label: "All silos",
    type: "tile",
    data: [],
    display: {
      ...basics,
      image_type: "icon",
      image_url: "https://example.test/silo.svg",
      title: "Silos",
      url: "example.test/silos",
      theme: colors("background", "header", "hover", "icon", "title"),
    },
  },
  picture("Plant", "image", plan),
  picture("Gate camera", "video", { static_video: "https://example.test/gate.mp4", type: "static" }),
  {
    label: "Silos on the plan",
    type: "image_marker",
    data: [last(settings, "floor_plan"), ...silos],
    display: {
      ...basics,
      allow_edit: true,
      layer: { origin: settings, variable: "floor_plan" },
      layer_sub_type: "advanced",
      max_points: 1,
      variables: siloVariables,
    },
  },
  {
    label: "Warm places",
    type: "heat_map",
    data: [last(siloNorth, "temperature"), last(siloEast, "temperature")],
    display: {
      ...basics,
      max_points: 500,
      radius: 3,
      scale: { enable: true, minimum: 10, maximum: 30, type: "fixed" },
      source: plan,
      variables: [shown(siloNorth, "temperature", "North"), shown(siloEast, "temperature", "East")],
    },
  },
  {
    label: "Silo scheme",
    type: "compose",
    data: silos,
    display: { ...basics, background_path: plan.static_image, max_points: 300, variables: siloVariables },
  },
  {
    label: "Route planner",
    type: "iframe",
    data: [last(truck, "location", "speed")],
    display: {
      ...basics,
      url: "https://example.test/planner",
      parameters: [],
      variables: [],
      theme: colors("background"),
    },
  },
  {
    label: "Temperatures",
    type: "static_table",
    data: [last(freezer, "temperature"), last(weather, "temperature")],
    display: {
      ...basics,
      theme: { color: {} },
      variables: [
        { id: "place", position: { x: 0, y: 0 }, size: "auto", data_type: "text", text_content: "Freezer 1" },
        {
          id: "value",
          position: { x: 1, y: 0 },
          size: "auto",
          data_type: "variable",
          content_type: "value",
          data: { origin: freezer, variable: "temperature", query: "last_value" },
        },
      ],
    },
  },
  {
    label: "State of the plant",
    type: "icon",
    data: [last(freezer, "compressor"), last(settings, "pump")],
    display: {
      ...basics,
      show_units: false,
      show_values: true,
      show_variables: true,
      variables: [shown(freezer, "compressor", "Compressor"), shown(settings, "pump", "Pump")],
    },
  },
  {
    label: "Door code",
    type: "keypad",
    data: [last(settings, "access_code")],
    display: {
      ...basics,
      buttons: [],
      bypass_bucket: false,
      show_digits_bar: true,
      theme: colors("background", "click"),
    },
  },
  {
    label: "Target, in steps",
    type: "step_button",
    data: [last(settings, "target_temperature")],
    display: {
      ...basics,
      alias: "Target",
      limit: { enabled: true, minimum: -30, maximum: -10 },
      show_unit: true,
      show_variables: true,
      step_value: 0.5,
      type: "number",
      unit: "°C",
      theme: colors("background", "button", "text", "value"),
    },
  },
  {
    label: "Switches",
    type: "control",
    data: [last(settings, "pump", "maintenance")],
    display: {
      ...basics,
      sections: [
        {
          id: "switches",
          title: "",
          fields: [{ id: "pump", type: "switch", label: "Pump", data: { origin: settings, variable: "pump" } }],
        },
      ],
      theme: colors("background", "field", "footer"),
    },
  },
];

/** What the hidden tab shows. */
export const ENGINEER_WIDGETS: readonly CurrentWidget[] = [
  {
    label: "Rows of the vibration logger",
    type: "display",
    data: [{ origin: SEED_DEVICES.vibration, variables: ["vibration"], query: "count" }],
    display: {
      ...basics,
      font_size: { type: "auto" },
      show_units: false,
      show_variables: true,
      style: "default",
      variables: [shown(SEED_DEVICES.vibration, "vibration", "Rows")],
    },
  },
];
