import { SEED_ANALYSIS, SEED_DEVICES } from "./names.ts";

/** A widget in the present format. */
export interface CurrentWidget {
  readonly label: string;
  readonly type: string;
  readonly display: Readonly<Record<string, unknown>>;
  readonly data?: readonly object[];
  readonly resource?: readonly object[];
  readonly analysis_run?: string;
}

const { freezer, weather, mainMeter, settings, siloNorth, truck } = SEED_DEVICES;

const basics = { header_buttons: [], help: "" };
const gaugeTheme = {
  color: { background: null, fill: null, outline: null, text: null, text_border: null },
};
const chartTheme = { color: { background: null, header: null, label: null, tick: null } };

export const last = (origin: string, ...variables: readonly string[]): object => ({
  origin,
  variables,
  query: "last_value",
});
export const series = (origin: string, variable: string, qty: number, start: string): object => ({
  origin,
  variables: [variable],
  qty,
  start_date: start,
  overwrite: true,
});

/** One shown variable, as charts, displays and maps list them. */
export const shown = (origin: string, variable: string, alias: string, color?: string): object => ({
  origin,
  variable,
  alias,
  ...(color !== undefined && { color }),
});

export const gauge = (label: string, type: string, alias: string, unit: string, maximum: number): CurrentWidget => ({
  label,
  type,
  data: [last(weather, type === "solid" ? "humidity" : "wind")],
  display: {
    ...basics,
    alias,
    formula: { fixed_unit: unit, unit_type: "fixed" },
    number_format: { decimals: 0, show_thousand: false },
    range: { type: "minmax", minimum: 0, maximum },
    show_variables: true,
    theme: gaugeTheme,
  },
});

export const chart = (label: string, type: string, data: object, variable: object): CurrentWidget => ({
  label,
  type,
  data: [data],
  display: {
    ...basics,
    downsample: { enabled: false, factor: 10, threshold: 1000 },
    group_by: "time",
    intervals: ["1 hour", "1 day", "1 week"],
    ...(!type.includes("bar") && { line_curve: "smooth" }),
    max_points: 5000,
    order_by: "time",
    show_legend: true,
    show_point_values: false,
    theme: chartTheme,
    variables: [variable],
    x_axis: { plot_by: "realtime", type: "time" },
    y_axis: { scale: { type: "dynamic" }, show_metric_abbreviation: false },
  },
});

export const CURRENT_WIDGETS: readonly CurrentWidget[] = [
  gauge("Wind", "angular", "Wind on the roof", "km/h", 120),
  gauge("Humidity", "solid", "Humidity", "%", 100),
  chart(
    "Freezer temperature",
    "line_chart",
    series(freezer, "temperature", 96, "1 day"),
    shown(freezer, "temperature", "Freezer 1", "hsl(210, 71%, 70%)"),
  ),
  chart(
    "Plant load",
    "area_chart",
    series(mainMeter, "power", 96, "1 day"),
    shown(mainMeter, "power", "Load", "hsl(110, 76%, 71%)"),
  ),
  {
    label: "Freezer 1",
    type: "card",
    data: [last(freezer, "temperature")],
    display: {
      ...basics,
      header_buttons: [{ text: "Report now", type: "analysis", icon: "", color: "", analysis: SEED_ANALYSIS }],
      alias: "Temperature",
      formula: { enable: false, fixed_unit: "°C", unit_type: "fixed" },
      max_points: 20,
      number_format: { decimals: 1, show_thousand: false },
      show_chart: true,
      show_unit: true,
      show_variables: true,
      theme: { color: { background: [], chart: [], text: [] } },
      url: "",
    },
  },
  {
    label: "Plant now",
    type: "display",
    data: [last(mainMeter, "power", "energy")],
    display: {
      ...basics,
      font_size: { type: "auto" },
      show_units: true,
      show_variables: true,
      style: "default",
      variables: [shown(mainMeter, "power", "Load"), shown(mainMeter, "energy", "Energy")],
    },
  },
  {
    label: "Where the truck is",
    type: "map",
    data: [{ origin: truck, variables: ["location"], query: "last_location" }],
    display: {
      ...basics,
      filter_by: "variable",
      initial_mode: "basic",
      max_points: 1,
      show_filter: false,
      show_lines: true,
      variables: [shown(truck, "location", "Truck 7")],
    },
  },
  {
    label: "Devices",
    type: "dynamic_table",
    resource: [
      { type: "device", filter: [{ key: "site", value: "plant" }], view: "name", editable: "name" },
      { type: "device", filter: [{ key: "site", value: "plant" }], view: "tags.room", editable: "tags.room" },
      { type: "device", filter: [{ key: "site", value: "plant" }], view: "last_input" },
    ],
    display: { ...basics, max_rows: 10_000, show_control: false, show_search: true, theme: { color: {} } },
  },
  {
    label: "Pump",
    type: "push_button",
    data: [last(settings, "pump")],
    display: {
      ...basics,
      alias: "Pump",
      button_type: "bistable",
      show_variables: true,
      state_one: { label: "Start", value: "on", type: "text", color: "" },
      state_two: { label: "Stop", value: "off", type: "text", color: "" },
      theme: { color: { background: null, text: null } },
    },
  },
  {
    label: "New task",
    type: "form",
    analysis_run: SEED_ANALYSIS,
    data: [last(settings, "task")],
    display: {
      ...basics,
      buttons: [{ id: "send", text: "Add", run_analysis: true, analysis: SEED_ANALYSIS, send_data: true }],
      sections: [
        {
          id: "task",
          title: "",
          description: "",
          show_border: false,
          show_caption: false,
          fields: [
            { id: "task", type: "text", label: "Task", required: true, data: { origin: settings, variable: "task" } },
          ],
        },
      ],
      theme: { color: { background: null, field: null, header: null } },
    },
  },
  {
    label: "Silo north",
    type: "cylinder",
    data: [last(siloNorth, "level")],
    display: {
      ...basics,
      alias: "Barley",
      formula: { fixed_unit: "%", unit_type: "fixed" },
      number_format: { decimals: 0, show_thousand: false },
      range: { type: "minmax", minimum: 0, maximum: 100 },
      show_variables: true,
      theme: { color: { background: null, fill: [], glass: null, header: null, text: null, tick: null } },
      tick_amount: 5,
    },
  },
  { label: "Read me", type: "note", data: [], display: { ...basics, value: "Everything here is made up." } },
];

/** Ids of the placeholders of the blueprint dashboard. */
export const BLUEPRINT_PLACEHOLDERS = {
  silo: "65a1000000000000000bd001",
  store: "65a1000000000000000bd002",
} as const;

export const BLUEPRINT_WIDGETS: readonly CurrentWidget[] = [
  {
    label: "Level of the chosen silo",
    type: "line_chart",
    data: [series(BLUEPRINT_PLACEHOLDERS.silo, "level", 84, "1 week")],
    display: {
      ...basics,
      max_points: 5000,
      show_legend: true,
      theme: chartTheme,
      variables: [shown(BLUEPRINT_PLACEHOLDERS.silo, "level", "Level", "hsl(210, 71%, 70%)")],
    },
  },
  {
    label: "Cold store of the same site",
    type: "card",
    data: [last(BLUEPRINT_PLACEHOLDERS.store, "temperature")],
    display: {
      ...basics,
      alias: "Temperature",
      number_format: { decimals: 1, show_thousand: false },
      show_chart: false,
      show_unit: true,
      show_variables: true,
      theme: { color: { background: [], chart: [], text: [] } },
    },
  },
];
