import {
  anyObject,
  anything,
  constant,
  either,
  flag,
  flagOrNull,
  type JsonSchema,
  list,
  number,
  numeric,
  oneOf,
  ref,
  shape,
  text,
  textOrNull,
  told,
} from "./json-schema.ts";

/** A theme with these colours. */
function theme(colors: string, optional: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const names = colors.split(" ").filter((name) => name !== "");
  const fields = Object.fromEntries(names.map((name) => [name, ref("color")]));
  return told("Colours; null uses the colour of the dashboard.", shape({ color: shape({}, fields) }, optional));
}

/** One displayed variable: the common fields and the given ones. */
function variable(
  required: Readonly<Record<string, JsonSchema>> = {},
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return shape(
    { variable: text, ...required },
    {
      origin: ref("origin"),
      alias: textOrNull,
      number_format: ref("numberFormat"),
      formula: ref("formula"),
      ...optional,
    },
  );
}

const gaugeColors = "background fill outline text text_border";
const fit = textOrNull;
const conditions = ref("conditions");
const reference = ref("reference");

function gauge(colors: string, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const optional = {
    alias: textOrNull,
    number_format: ref("numberFormat"),
    show_variables: flag,
    theme: theme(colors),
  };
  return shape({ range: ref("range") }, { ...optional, formula: ref("formula"), ...more });
}

function chart(
  more: Readonly<Record<string, JsonSchema>> = {},
  perVariable: Readonly<Record<string, JsonSchema>> = {},
) {
  const axis = shape(
    { type: text },
    { plot_by: oneOf("realtime", "variable"), variable: shape({}, { origin: ref("origin"), variable: textOrNull }) },
  );
  const scale = either(
    shape({ type: constant("dynamic") }),
    shape({ type: constant("fixed"), minimum: numeric, maximum: numeric }),
  );
  return shape(
    { variables: list(variable({}, { color: textOrNull, ...perVariable })) },
    {
      x_axis: axis,
      y_axis: shape({ scale }, { show_metric_abbreviation: either(flag, constant("")) }),
      downsample: ref("downsample"),
      group_by: textOrNull,
      intervals: list(text),
      max_points: numeric,
      order_by: textOrNull,
      show_legend: flag,
      show_point_values: flag,
      aggregate_intervals: anything,
      override_dashboard_presets: anything,
      reference_lines: anything,
      theme: theme("background header label tick"),
      ...more,
    },
  );
}

const curve = { line_curve: textOrNull };
const bars = { stacked: flag };

const pie = shape(
  { variables: list(variable({}, { color: textOrNull })) },
  { show_legend: told("Whether to show the legend.", flag) },
);

const imageSource = either(
  shape({ type: constant("static") }, { static_image: textOrNull }),
  shape({ type: constant("conditional"), conditions }),
);

const mapVariable = variable(
  {},
  {
    alias_type: oneOf("icon", "text"),
    icon_conditions: conditions,
    infobox: shape(
      {},
      { image: shape({}, { static_image: anything }), link: shape({}, { url: textOrNull, label: textOrNull }) },
    ),
    pin_config: shape(
      { icon_type: oneOf("fixed", "conditional") },
      { color: textOrNull, icon: textOrNull, icon_conditions: either(conditions, anyObject) },
    ),
    originName: textOrNull,
  },
);

const map = shape(
  { variables: list(mapVariable) },
  {
    center_options: shape({}, { center_all_variables: flag, show_only_last_values: flag, variables: list(anything) }),
    custom_text: anyObject,
    direction_variable: anyObject,
    filter_by: oneOf("variable", "value", "device"),
    filter_list_by: oneOf("variable", "device"),
    filter_variables: list(textOrNull),
    geofence: shape(
      {},
      {
        enable_user: flagOrNull,
        events: list(anyObject),
        events_label: textOrNull,
        limit: numeric,
        type_enable_user: textOrNull,
        variable: anything,
      },
    ),
    group_by: textOrNull,
    group_markers: flag,
    infobox_config: anyObject,
    initial_mode: textOrNull,
    initial_zoom: numeric,
    intervals: list(text),
    max_points: numeric,
    show_directions: flag,
    show_filter: flag,
    show_icons_for_all: flagOrNull,
    show_lines: flag,
    show_lines_animated: flag,
    timezone: anything,
  },
);

const dataColumn = variable({}, {});
const column = told(
  "A column: a variable, the date, or the row buttons.",
  shape(
    { id: text },
    {
      ...Object.fromEntries(Object.entries(dataColumn.properties ?? {}).filter(([key]) => key !== "variable")),
      data: either(shape({ variable: text }, { origin: ref("origin") }), { type: "null" }),
      alignment: textOrNull,
      allow_resize: flag,
      content_type: oneOf("icon", "value"),
      override_color: flagOrNull,
      icon_conditions: conditions,
      edit: shape(
        {},
        {
          type: textOrNull,
          enabled: flag,
          required: flag,
          show_label: flag,
          options: anything,
          use_values_from: textOrNull,
          use_values_from_variable: either(reference, { type: "null" }),
        },
      ),
      fixed_width: number,
      is_date: flag,
      is_control: flag,
      size: oneOf("auto", "fixed"),
      overflow_behavior: textOrNull,
      show_delete: flagOrNull,
      show_edit: flag,
      show_edit_modal: flagOrNull,
    },
  ),
);

const cell = told(
  "A cell: a fixed string, or the last value of a variable.",
  either(
    shape(
      { data_type: constant("text"), id: text, position: shape({ x: number, y: number }) },
      { text_content: anything, show_bold: flag, allow_resize: flag, size: textOrNull },
    ),
    shape(
      { data_type: constant("variable"), id: text, position: shape({ x: number, y: number }) },
      {
        data: shape({ origin: ref("origin"), variable: text }, { query: textOrNull }),
        content_type: oneOf("icon", "value"),
        alias: textOrNull,
        alignment: textOrNull,
        formula: ref("formula"),
        number_format: ref("numberFormat"),
        icon_conditions: conditions,
        show_bold: flag,
        allow_resize: flag,
        size: textOrNull,
      },
    ),
  ),
);

const fieldTypes = [
  "address barcode calendar checkbox clock-set device dropdown dropdown-multi email filtered hidden image-select",
  "incremental-step number password qrcode radio text upload user validation switch",
].flatMap((line) => line.split(" "));

const field = told(
  "A form field, or a switch of a control.",
  shape(
    {
      id: text,
      type: oneOf(...fieldTypes),
      data: shape({}, { bucket: anything, origin: anything, variable: textOrNull }),
    },
    {
      label: textOrNull,
      icon: anything,
      required: flag,
      show_new_line: flagOrNull,
      placeholder: anything,
      unit: anything,
      value_type: textOrNull,
      default_value: oneOf("fixed", "last"),
      fixed_value: anything,
      visibility_conditions: list(shape({}, { condition: textOrNull, field: textOrNull, value: anything })),
      options: list(ref("fieldOption")),
      use_values_from: oneOf("variable", "options"),
      use_values_from_variable: either(reference, { type: "null" }),
      send_data: flag,
      label_type: textOrNull,
      label_selected: textOrNull,
      label_unselected: textOrNull,
    },
  ),
);

const sections = list(
  shape(
    { fields: list(field) },
    { id: text, title: textOrNull, description: textOrNull, show_border: flag, show_caption: flag },
  ),
);

const submit = told(
  "A submit button.",
  shape(
    { id: text },
    {
      analysis: textOrNull,
      run_analysis: flag,
      send_data: flag,
      clear_form: flag,
      text: textOrNull,
      color: textOrNull,
      icon: anything,
      identifier: textOrNull,
      show_confirmation: flag,
      confirmation_message: textOrNull,
      confirmation_title: textOrNull,
      confirmation_confirm: textOrNull,
      confirmation_cancel: textOrNull,
      wait_for_validation: flag,
    },
  ),
);

const state = shape(
  { type: text },
  { color: textOrNull, label: anything, value: anything, unit: anything, url: anything, button_color: textOrNull },
);

const markerVariable = variable(
  {},
  {
    override_color: flagOrNull,
    url_type: textOrNull,
    color_conditions: conditions,
    external_url: textOrNull,
    external_url_label: textOrNull,
    img_pin: anything,
    embed: textOrNull,
  },
);

const allowed = (names: string): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, flag]));

const ownKeys: Readonly<Record<string, JsonSchema>> = {
  angular: gauge(gaugeColors),
  solid: gauge(gaugeColors),
  "vu-meter": gauge(gaugeColors),
  dial: gauge(gaugeColors),
  cylinder: gauge("background fill glass header text tick", { tick_amount: numeric }),
  grainbin: gauge("background fill header text text_background"),
  clock: shape({}, { show_last_update: flag, theme: theme(`${gaugeColors} header`) }),
  card: shape(
    {},
    {
      alias: textOrNull,
      formula: ref("formula"),
      number_format: ref("numberFormat"),
      max_points: numeric,
      ...allowed("show_chart show_unit show_variables"),
      url: textOrNull,
      variable: anything,
      data_params: anything,
      theme: theme("background chart text"),
    },
  ),
  push_button: shape(
    { state_one: state, state_two: state },
    {
      button_type: oneOf("monostable", "bistable"),
      alias: textOrNull,
      number_format: ref("numberFormat"),
      formula: ref("formula"),
      show_variables: flag,
      theme: theme("background text"),
    },
  ),
  step_button: shape(
    { limit: shape({ enabled: flag }, { maximum: numeric, minimum: numeric }) },
    {
      alias: textOrNull,
      number_format: ref("numberFormat"),
      formula: ref("formula"),
      hour_visualization: textOrNull,
      step_value: numeric,
      type: textOrNull,
      unit: textOrNull,
      ...allowed("show_unit show_variables"),
      theme: theme("background button text value"),
    },
  ),
  keypad: shape(
    {},
    {
      buttons: either(list(anyObject), anyObject),
      bypass_bucket: flagOrNull,
      message_variable: anything,
      ...allowed(
        "play_audio send_run_user show_asterisk show_digits_bar show_last_column show_last_row show_number_sign",
      ),
      theme: theme("background click header"),
    },
  ),
  line_chart: chart(curve),
  area_chart: chart(curve),
  horizontal_bar_chart: chart(bars),
  vertical_bar_chart: chart(bars),
  multiple_axis_chart: chart({ ...curve, ...bars }, { chart_type: textOrNull }),
  pie,
  semidonut: pie,
  display: shape(
    { variables: list(variable()) },
    {
      font_size: shape({ type: text }),
      style: textOrNull,
      aggregate_intervals: anything,
      ...allowed("show_units show_variables"),
    },
  ),
  icon: shape(
    { variables: list(variable({}, { icon_conditions: conditions, color_conditions: conditions })) },
    { aggregate_intervals: anything, ...allowed("show_units show_values show_variables") },
  ),
  map,
  heat_map: shape(
    { variables: list(variable({}, { overwrite_coordinates: flag })) },
    {
      ...allowed("allow_zoom occupy_whole_widget show_last_update show_zoom_buttons"),
      max_points: numeric,
      radius: numeric,
      object_fit: fit,
      scale: shape({ enable: flag }, { type: textOrNull, minimum: numeric, maximum: numeric }),
      show_coordinates: flagOrNull,
      show_scale: flagOrNull,
      source: imageSource,
      timezone: anything,
      theme: theme("background button_background button_border button_icon header text text_background text_border", {
        timezone: ref("timezone"),
      }),
    },
  ),
  image_marker: shape(
    { variables: list(markerVariable) },
    {
      ...allowed(
        "allow_add allow_edit allow_edit_layers allow_remove allow_embed_url allow_image_url allow_label allow_pin_color",
      ),
      ...allowed(
        "allow_zoom connect_markers occupy_whole_widget show_filter show_last_update show_polyline show_side_value",
      ),
      filter_by: textOrNull,
      filter_truncate_direction: textOrNull,
      geofence: anyObject,
      infobox_config: anyObject,
      layer: anyObject,
      layer_sub_type: oneOf("basic", "advanced"),
      markdown_box: textOrNull,
      max_points: numeric,
      object_fit: fit,
      tools_title: textOrNull,
      theme: theme(
        "background button_background button_icon header infobox_background infobox_header infobox_text zoom_button_background zoom_button_border zoom_button_icon",
      ),
    },
  ),
  compose: shape(
    {
      variables: list(
        variable(
          {},
          {
            override_color: flagOrNull,
            color_conditions: conditions,
            external_url: textOrNull,
            external_url_label: textOrNull,
            embed: textOrNull,
          },
        ),
      ),
    },
    {
      ...allowed("allow_add allow_edit allow_embed_url allow_label allow_pin_color allow_remove allow_zoom"),
      ...allowed("occupy_whole_widget show_last_update"),
      aspect_ratio: either(list(numeric), text),
      background: anything,
      background_path: textOrNull,
      background_type: textOrNull,
      max_points: numeric,
      object_fit: fit,
      pin_size: textOrNull,
      title_window: textOrNull,
      theme: theme("background button_background button_icon header infobox_background infobox_text"),
    },
  ),
  dynamic_table: shape(
    { variables: list(column) },
    {
      max_rows: numeric,
      search_position: textOrNull,
      show_control: flag,
      show_search: flagOrNull,
      show_time: flagOrNull,
      show_divisor: anything,
      intervals: list(text),
      theme: theme(""),
    },
  ),
  static_table: shape({ variables: list(cell) }, { theme: theme("") }),
  image: shape(
    { source: imageSource },
    {
      formula: ref("formula"),
      object_fit: fit,
      ...allowed("allow_zoom occupy_whole_widget show_zoom_buttons"),
      theme: theme("background header"),
    },
  ),
  video: shape(
    { source: shape({ type: text }, { static_video: textOrNull }) },
    {
      object_fit: fit,
      ...allowed("auto_play initially_muted loop show_controls occupy_whole_widget"),
      theme: theme("background header"),
    },
  ),
  note: shape({ value: either(text, anyObject) }),
  tile: shape(
    { image_type: oneOf("icon", "image") },
    {
      image_url: textOrNull,
      occupy_whole_widget: flagOrNull,
      opacity: numeric,
      title: textOrNull,
      url: textOrNull,
      theme: theme("background header hover icon title"),
    },
  ),
  iframe: shape(
    { url: text },
    {
      header_size: numeric,
      user: anything,
      parameters: list(anyObject),
      variables: list(anyObject),
      theme: theme("background"),
    },
  ),
  form: shape({ sections, buttons: list(submit) }, { theme: theme("background field header") }),
  control: shape({ sections }, { theme: theme("background field footer") }),
};

const common = { frame_settings: anything, header_buttons: list(ref("headerButton")), help: textOrNull };

/** The display of every widget type of the new structure. */
export const displays: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  Object.entries(ownKeys).map(([type, own]) => [type, { ...own, properties: { ...own.properties, ...common } }]),
);
