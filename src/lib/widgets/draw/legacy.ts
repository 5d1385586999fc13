import { oldTypes, ruleFor } from "../catalog.ts";
import { displayOf, isLegacy, type Pair, reverseKey, shownVariables } from "../engine.ts";
import { get, list, type Out, record, type Source } from "../readers.ts";
import { paletteColor } from "../shared.ts";
import { below, idIn, numberIn, textOf } from "./read.ts";

/** A legacy widget as it is drawn. */
export interface Legacy {
  /** Type of the new structure whose picture it has. */
  readonly type: string;
  readonly d: Source;
}

const MAX_PAIRS = 100;

/**
 * Reads a legacy widget by its own keys. This is not the converter: what the conversion changes or drops stays visible
 * in the drawing of the old widget. Undefined for a widget of the new structure.
 */
export function legacyOf(widget: Source): Legacy | undefined {
  const rule = ruleFor(widget);
  const d = displayOf(widget);
  if (rule === undefined || !(oldTypes.has(get(widget, "type")) || isLegacy(rule, d))) return undefined;
  const read = readers[rule.type];
  const shared = { header_buttons: get(d, "header_buttons"), help: get(d, "help") };
  return read && { type: rule.type, d: { ...shared, ...read(d, widget, rule.type) } };
}

type Read = (d: Source, widget: Source, type: string) => Out;

const pairsOf = (widget: Source): readonly Pair[] => shownVariables(widget).slice(0, MAX_PAIRS);

/** The settings of a variable in the old tables. */
function settingsOf(d: Source, { key, variable, item }: Pair): Out {
  return {
    variable,
    origin: get(item, "origin"),
    alias: get(below(d, "vars_labels"), key),
    number_format: get(below(d, "vars_format"), key) ?? { decimals: decimalsIn(get(d, "numberformat")) },
    formula: formulaOf(d, record(get(below(d, "vars_formula"), key))),
  };
}

function formulaOf(d: Source, old: Source): Out {
  const unit = textOf(old, "unit") || textOf(d, "unit");
  const kind = get(old, "unit_type") ?? (unit === "" ? "origin" : "fixed");
  const isDynamic = get(old, "formula_type") === "dynamic";
  return {
    enable: get(old, "enable"),
    formula_type: isDynamic ? "variable" : "fixed",
    value: get(old, "formula"),
    variable: get(old, "formula_variable"),
    unit_type: kind,
    fixed_unit: unit,
  };
}

function decimalsIn(pattern: unknown): number {
  const digits = typeof pattern === "string" ? (/\.(\d{1,10}|#{1,10})/.exec(pattern)?.[1]?.length ?? 0) : 0;
  return digits === 0 ? -1 : digits;
}

const variablesOf = (
  d: Source,
  widget: Source,
  more: (pair: Pair, place: number) => Out = () => ({}),
): readonly Out[] => pairsOf(widget).map((pair, place) => ({ ...settingsOf(d, pair), ...more(pair, place) }));

function rangeOf(d: Source): Out {
  if (get(d, "range_limit") === "metadata") {
    const isCustom = get(d, "range_limit_metadata") === "custom";
    return {
      type: "metadata",
      metadata_origin: isCustom ? "variable" : "original",
      variable: get(d, "range_limit_variable"),
    };
  }
  return { type: "minmax", minimum: numberIn(get(d, "minimum")) ?? 0, maximum: numberIn(get(d, "maximum")) ?? 100 };
}

const colors = (color: Out): Out => ({ theme: { color } });
const isShown = (d: Source, key: string): boolean => !get(d, key);

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
        icon_type: Array.isArray(conditions) ? "conditional" : "fixed",
        icon_conditions: conditions,
      },
    };
  }),
  show_lines: Boolean(get(d, "connect_markers")),
  geofence: { variable: get(d, "geo_variable") },
});

const layer: Read = (d, widget, type) => ({
  variables: variablesOf(d, widget, ({ key }) => {
    const conditions = get(below(d, "vars_conditions"), key);
    return { color_conditions: Array.isArray(conditions) ? conditions : get(record(conditions), "conditions") };
  }),
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

const dynamicTable: Read = (d, widget) => {
  const fields = below(below(d, "form"), "fields");
  const pairs = pairsOf(widget);
  const isEditable = pairs.some((pair) => get(record(get(fields, reverseKey(pair))), "editable"));
  const control = { is_control: true, alias: "Controls", show_edit: isEditable, show_delete: get(d, "show_delete") };
  return {
    variables: [
      ...variablesOf(d, widget, ({ key }) => ({
        alignment: get(below(d, "column_alignments"), key),
        icon_conditions: get(below(d, "conditions"), key),
        override_color: get(d, "override_color"),
        content_type: get(below(d, "vars_that_have_conditions"), key) ? "icon" : "value",
      })),
      ...(get(d, "show_time") ? [{ is_date: true, alias: "Date and Time" }] : []),
      ...(get(d, "show_delete") || isEditable ? [control] : []),
    ],
    show_search: get(d, "show_search"),
  };
};

const staticTable: Read = (d) => {
  const cells = below(d, "cell");
  return {
    variables: Object.keys(cells).map((place): Out => {
      const cell = record(get(cells, place));
      const [row, column] = place.split("_").map(Number);
      const position = { x: column || 0, y: row || 0 };
      if (get(cell, "type") === "constant")
        return { position, data_type: "text", text_content: get(cell, "constant"), show_bold: true };
      const source = below(cell, "variables");
      const variable = textOf(source, "variable");
      const origin = idIn(get(source, "device"));
      const key = (origin ?? "") + variable;
      const settings = settingsOf(d, {
        key,
        variable,
        item: { origin },
        names: [variable],
        index: 0,
        originText: origin ?? "",
      });
      const conditions = get(below(d, "conditions"), key);
      return {
        ...settings,
        position,
        data_type: "variable",
        alignment: get(below(d, "column_alignments"), key),
        icon_conditions: conditions,
        content_type: conditions ? "icon" : "value",
      };
    }),
  };
};

const push: Read = (d, widget) => {
  const state = (key: string): Out => ({ ...below(d, key), color: textOf(below(d, key), "text_color", "color") });
  return {
    variables: variablesOf(d, widget),
    button_type: get(d, "button_type") === "bi-stable" ? "bistable" : "monostable",
    show_variables: isShown(d, "hide_variables"),
    state_one: state("state_one"),
    state_two: state("state_two"),
  };
};

const step: Read = (d, widget) => ({
  variables: variablesOf(d, widget),
  limit: { enabled: Boolean(get(d, "enable_limit")), minimum: get(d, "minimum"), maximum: get(d, "maximum") },
  step_value: get(d, "increment") ?? 1,
  show_unit: get(d, "show_unit"),
  unit: get(d, "unit"),
  show_variables: isShown(d, "hide_variables"),
  ...colors({ button: get(d, "conditions_button"), value: get(d, "conditions_text") }),
});

const form: Read = (d) => {
  const old = below(d, "form");
  const fields = Object.values(below(old, "fields")).map(record);
  const source = (each: Source): Out => ({ origin: get(each, "origin"), variable: get(each, "variable") });
  return {
    sections: [{ fields: fields.map((each) => ({ ...each, type: get(each, "fieldtype"), data: source(each) })) }],
    buttons: [{ text: textOf(old, "label_submit") || "Send" }],
  };
};

const control: Read = (d) => ({
  sections: [
    {
      fields: list(get(d, "controls"))
        .map(record)
        .map((each) => ({
          type: get(each, "type") === "switch" ? "switch" : "text",
          label: get(each, "name"),
          label_selected: get(each, "label_yes"),
          label_unselected: get(each, "label_no"),
          data: { origin: get(each, "origin"), variable: get(each, "variable") },
        })),
    },
  ],
});

const keypad: Read = (d) => ({ ...d, ...colors({ background: get(d, "main_color"), click: get(d, "click_color") }) });

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
