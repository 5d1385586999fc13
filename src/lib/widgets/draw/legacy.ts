import { oldTypes, ruleFor } from "../catalog.ts";
import { displayOf, isLegacy, reverseKey } from "../engine.ts";
import { decimalsIn, get, list, record, type Source } from "../readers.ts";
import { intervals, paletteColor } from "../shared.ts";
import { control, dynamicTable, form, keypad, push, staticTable, step } from "./legacy-inputs.ts";
import { colors, formulaOf, isShown, type Read, rangeOf, variablesOf } from "./legacy-settings.ts";
import { below, textOf } from "./read.ts";

/** A widget as it is drawn. */
interface Structure {
  /** Type of the new structure whose picture it has. */
  readonly type: string;
  readonly d: Source;
  readonly isLegacy: boolean;
}

/**
 * Type and display of a widget; a legacy one is read by its own keys. This is not the converter: what the conversion
 * changes or drops stays visible in the drawing of the old widget.
 */
export function structureOf(widget: Source): Structure {
  const rule = ruleFor(widget);
  const d = displayOf(widget);
  const isOld = rule !== undefined && (oldTypes.has(get(widget, "type")) || isLegacy(rule, d));
  const read = isOld ? readers[rule.type] : undefined;
  if (!isOld || read === undefined) return { type: textOf(widget, "type") || "unknown", d, isLegacy: false };
  const shared = { header_buttons: get(d, "header_buttons"), help: get(d, "help"), intervals: intervals(d) };
  return { type: rule.type, d: { ...shared, ...read(d, widget, rule.type) }, isLegacy: true };
}

const gauge: Read = (d, widget) => ({
  variables: variablesOf(d, widget),
  alias: get(d, "gauge_label"),
  range: rangeOf(d),
  show_variables: isShown(d, "hide_variables"),
  tick_amount: get(d, "num_ticks"),
  formula: formulaOf(d, {}),
  number_format: { decimals: decimalsIn(get(d, "numberformat")) },
  ...colors({ fill: get(d, "conditions") ?? null }),
});

const card: Read = (d, widget) => ({
  variables: variablesOf(d, widget),
  show_chart: get(d, "show_chart"),
  show_unit: get(d, "show_unit"),
  show_variables: isShown(d, "hide_variables"),
  max_points: get(d, "max_points"),
  url: get(d, "url"),
  ...colors({
    background: get(d, "conditions_background"),
    chart: get(d, "conditions_chart"),
    text: get(d, "conditions_value"),
  }),
});

const SERIES: Readonly<Record<string, string>> = {
  area: "area_chart",
  bar: "vertical_bar_chart",
  column: "vertical_bar_chart",
};

const chart: Read = (d, widget) => {
  const kinds = below(d, "variables_chart");
  const time = list(get(widget, "data"))
    .map(record)
    .find((item) => get(item, "is_global_time_data"));
  const isByTime = get(widget, "realtime") === "variable" && get(d, "plot_by") === "time" && time !== undefined;
  const isByGroup = get(d, "plot_by") === "group";
  const own = { variable: list(get(time, "variables"))[0], origin: get(time, "origin") };
  return {
    // The old charts stored no colours; these are the ones that the conversion writes.
    variables: variablesOf(d, widget, (pair, place) => {
      const kind = textOf(kinds, pair.key, reverseKey(pair));
      return { color: paletteColor(place), chart_type: SERIES[kind] ?? "line_chart" };
    }),
    x_axis: isByTime
      ? { plot_by: "variable", type: "time", variable: own }
      : {
          plot_by: isByGroup ? "variable" : "realtime",
          type: isByGroup ? "group" : "time",
          variable: get(d, "plot_variable_group"),
        },
    y_axis: {
      scale: {
        type: get(d, "scale") === "yes" ? "fixed" : "dynamic",
        minimum: get(d, "y_min"),
        maximum: get(d, "y_max"),
      },
      show_metric_abbreviation: get(d, "show_abbreviation"),
    },
    line_curve: textOf(d, "line_curve") || "smooth",
    max_points: get(d, "max_points"),
    show_point_values: Boolean(get(d, "enable_labels")),
    stacked: get(d, "stacked") === "realtime" || get(d, "stacked") === true,
  };
};

const pie: Read = (d, widget) => ({
  variables: variablesOf(d, widget, (_, place) => ({ color: paletteColor(place) })),
});

const values: Read = (d, widget) => ({
  variables: variablesOf(d, widget, ({ key }) => {
    const conditions = get(below(d, "conditions"), key);
    return { icon_conditions: conditions, color_conditions: conditions };
  }),
  show_variables: isShown(d, "hide_variables"),
  show_values: isShown(d, "hide_values"),
  show_units: get(d, "show_unit"),
});

const image: Read = (d) => ({
  source:
    get(d, "type_image") === "static"
      ? { type: "static", static_image: textOf(d, "static_image", "static_media") }
      : {
          type: "conditional",
          conditions: list(get(d, "conditions")).map((each) => ({
            ...record(each),
            url: textOf(record(each), "image", "media_url"),
          })),
        },
});

const map: Read = (d, widget) => ({
  variables: variablesOf(d, widget, ({ originText }) => {
    const icon = record(get(below(d, "map_icons"), originText));
    const conditions = get(record(get(below(d, "vars_conditions"), originText)), "conditions");
    return {
      pin_config: {
        color: get(icon, "color"),
        icon: get(icon, "css_class"),
        icon_type: Array.isArray(conditions) ? "conditional" : "fixed",
        icon_conditions: conditions,
      },
    };
  }),
  show_lines: Boolean(get(d, "connect_markers")),
  group_markers: get(d, "group_markers") ?? true,
  geofence: { variable: get(d, "geo_variable") },
});

const layer: Read = (d, widget, type) => ({
  variables: variablesOf(d, widget, ({ key }) => {
    const conditions = get(below(d, "vars_conditions"), key);
    const icon = record(get(below(d, "vars_icons"), key));
    return {
      color: get(icon, "color"),
      icon: get(icon, "url"),
      color_conditions: Array.isArray(conditions) ? conditions : get(record(conditions), "conditions"),
    };
    // What holds the picture is no pin on it.
  }).filter((each) => each["variable"] !== get(below(d, "layer_variable"), "variable")),
  source: { type: "static", static_image: get(d, "img_path") },
  scale: {
    type: get(d, "scale_fixed") ? "fixed" : "auto",
    minimum: get(d, "scale_minimum"),
    maximum: get(d, "scale_maximum"),
  },
  radius: get(d, "radius"),
  show_scale: type === "heat_map" && get(d, "show_scale") !== false,
  background_path: textOf(d, "background_path", "img_path"),
  layer: get(d, "layer_variable"),
  connect_markers: get(d, "connect_markers"),
});

const tile: Read = (d) => ({
  image_type: get(d, "icon_color") ? "icon" : "image",
  image_url: get(d, "icon_url"),
  opacity: get(d, "opacity"),
  title: get(d, "label_button"),
  url: get(d, "link"),
  ...colors({ background: get(d, "background_color"), icon: get(d, "icon_color"), title: get(d, "label_color") }),
});

const readers: Readonly<Record<string, Read>> = Object.assign(Object.create(null) as Record<string, Read>, {
  angular: gauge,
  solid: gauge,
  "vu-meter": gauge,
  dial: gauge,
  cylinder: gauge,
  grainbin: gauge,
  clock: () => ({}),
  card,
  line_chart: chart,
  area_chart: chart,
  horizontal_bar_chart: chart,
  vertical_bar_chart: chart,
  multiple_axis_chart: chart,
  pie,
  semidonut: pie,
  display: values,
  icon: values,
  note: (d) => ({ value: get(d, "text") }),
  image,
  video: (d) => ({ source: { static_video: textOf(d, "static_media", "static_image") } }),
  iframe: (d) => ({ url: get(d, "url") }),
  map,
  heat_map: layer,
  image_marker: layer,
  compose: layer,
  dynamic_table: dynamicTable,
  static_table: staticTable,
  push_button: push,
  step_button: step,
  keypad,
  tile,
  form,
  control,
} satisfies Record<string, Read>);
