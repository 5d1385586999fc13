import {
  anyObject,
  anything,
  boolean,
  booleanOrNull,
  constant,
  described,
  either,
  type JsonSchema,
  list,
  number,
  numeric,
  oneOf,
  ref,
  shape,
  string,
  stringOrNull,
} from "./json-schema.ts";

/** A theme with these colours. */
function theme(colors: string, optional: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const names = colors.split(" ").filter((name) => name !== "");
  const fields = Object.fromEntries(names.map((name) => [name, ref("color")]));
  return described("Colours; null uses the colour of the dashboard.", shape({ color: shape({}, fields) }, optional));
}

/** One displayed variable: the common fields and the given ones. */
function variable(
  required: Readonly<Record<string, JsonSchema>> = {},
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return shape(
    { variable: string, ...required },
    {
      origin: ref("origin"),
      alias: stringOrNull,
      number_format: ref("numberFormat"),
      formula: ref("formula"),
      ...optional,
    },
  );
}

const gaugeColors = "background fill outline text text_border";
const fit = stringOrNull;
const conditions = ref("conditions");
const reference = ref("reference");

function gauge(colors: string, more: Readonly<Record<string, JsonSchema>> = {}): JsonSchema {
  const optional = {
    alias: stringOrNull,
    number_format: ref("numberFormat"),
    show_variables: boolean,
    theme: theme(colors),
  };
  return shape({ range: ref("range") }, { ...optional, formula: ref("formula"), ...more });
}

function chart(
  more: Readonly<Record<string, JsonSchema>> = {},
  perVariable: Readonly<Record<string, JsonSchema>> = {},
) {
  const axis = shape(
    { type: string },
    { plot_by: oneOf("realtime", "variable"), variable: shape({}, { origin: ref("origin"), variable: stringOrNull }) },
  );
  const scale = either(
    shape({ type: constant("dynamic") }),
    shape({ type: constant("fixed"), minimum: numeric, maximum: numeric }),
  );
  return shape(
    { variables: list(variable({}, { color: stringOrNull, ...perVariable })) },
    {
      x_axis: axis,
      y_axis: shape({ scale }, { show_metric_abbreviation: either(boolean, constant("")) }),
      downsample: ref("downsample"),
      group_by: stringOrNull,
      intervals: list(string),
      max_points: numeric,
      order_by: stringOrNull,
      show_legend: boolean,
      show_point_values: boolean,
      aggregate_intervals: anything,
      override_dashboard_presets: anything,
      reference_lines: anything,
      theme: theme("background header label tick"),
      ...more,
    },
  );
}

const curve = { line_curve: stringOrNull };
const bars = { stacked: boolean };

const pie = () =>
  shape(
    { variables: list(variable({}, { color: stringOrNull })) },
    { show_legend: described("Whether to show the legend.", boolean) },
  );

const imageSource = () =>
  either(
    shape({ type: constant("static") }, { static_image: stringOrNull }),
    shape({ type: constant("conditional"), conditions }),
  );

const mapVariable = () =>
  variable(
    {},
    {
      alias_type: oneOf("icon", "text"),
      icon_conditions: conditions,
      infobox: shape(
        {},
        { image: shape({}, { static_image: anything }), link: shape({}, { url: stringOrNull, label: stringOrNull }) },
      ),
      pin_config: shape(
        {},
        {
          icon_type: oneOf("fixed", "conditional"),
          color: stringOrNull,
          icon: stringOrNull,
          icon_conditions: either(conditions, anyObject),
        },
      ),
      originName: stringOrNull,
    },
  );

const map = () =>
  shape(
    { variables: list(mapVariable()) },
    {
      center_options: shape(
        {},
        { center_all_variables: boolean, show_only_last_values: boolean, variables: list(anything) },
      ),
      custom_text: anyObject,
      direction_variable: anyObject,
      filter_by: oneOf("variable", "value", "device"),
      filter_list_by: oneOf("variable", "device"),
      filter_variables: list(stringOrNull),
      geofence: shape(
        {},
        {
          enable_user: booleanOrNull,
          events: list(anyObject),
          events_label: stringOrNull,
          limit: numeric,
          type_enable_user: stringOrNull,
          variable: anything,
        },
      ),
      group_by: stringOrNull,
      group_markers: boolean,
      infobox_config: anyObject,
      initial_mode: stringOrNull,
      initial_zoom: numeric,
      intervals: list(string),
      max_points: numeric,
      show_directions: boolean,
      show_filter: boolean,
      show_icons_for_all: booleanOrNull,
      show_lines: boolean,
      show_lines_animated: boolean,
      timezone: anything,
    },
  );

const column = () =>
  described(
    "A column: a variable, the date, or the row buttons.",
    shape(
      { id: string },
      {
        ...Object.fromEntries(Object.entries(variable().properties ?? {}).filter(([key]) => key !== "variable")),
        data: either(shape({ variable: string }, { origin: ref("origin") }), { type: "null" }),
        alignment: stringOrNull,
        allow_resize: boolean,
        content_type: oneOf("icon", "value"),
        override_color: booleanOrNull,
        icon_conditions: conditions,
        edit: shape(
          {},
          {
            type: stringOrNull,
            enabled: boolean,
            required: boolean,
            show_label: boolean,
            options: anything,
            use_values_from: stringOrNull,
            use_values_from_variable: either(reference, { type: "null" }),
          },
        ),
        fixed_width: number,
        is_date: boolean,
        is_control: boolean,
        size: oneOf("auto", "fixed"),
        overflow_behavior: stringOrNull,
        show_delete: booleanOrNull,
        show_edit: boolean,
        show_edit_modal: booleanOrNull,
      },
    ),
  );

const cell = () =>
  described(
    "A cell: a fixed string, or the last value of a variable.",
    either(
      shape(
        { data_type: constant("text"), id: string, position: shape({ x: number, y: number }) },
        { text_content: anything, show_bold: boolean, allow_resize: boolean, size: stringOrNull },
      ),
      shape(
        { data_type: constant("variable"), id: string, position: shape({ x: number, y: number }) },
        {
          data: shape({ origin: ref("origin"), variable: string }, { query: stringOrNull }),
          content_type: oneOf("icon", "value"),
          alias: stringOrNull,
          alignment: stringOrNull,
          formula: ref("formula"),
          number_format: ref("numberFormat"),
          icon_conditions: conditions,
          show_bold: boolean,
          allow_resize: boolean,
          size: stringOrNull,
        },
      ),
    ),
  );

const fieldTypes = () =>
  [
    "address barcode calendar checkbox clock-set device dropdown dropdown-multi email filtered hidden image-select",
    "incremental-step number password qrcode radio text upload user validation switch",
  ].flatMap((line) => line.split(" "));

const field = () =>
  described(
    "A form field, or a switch of a control.",
    shape(
      {
        id: string,
        type: oneOf(...fieldTypes()),
        data: shape({}, { bucket: anything, origin: anything, variable: stringOrNull }),
      },
      {
        label: stringOrNull,
        icon: anything,
        required: boolean,
        show_new_line: booleanOrNull,
        placeholder: anything,
        unit: anything,
        value_type: stringOrNull,
        default_value: oneOf("fixed", "last"),
        fixed_value: anything,
        visibility_conditions: list(shape({}, { condition: stringOrNull, field: stringOrNull, value: anything })),
        options: list(ref("fieldOption")),
        use_values_from: oneOf("variable", "options"),
        use_values_from_variable: either(reference, { type: "null" }),
        send_data: boolean,
        label_type: stringOrNull,
        label_selected: stringOrNull,
        label_unselected: stringOrNull,
      },
    ),
  );

const sections = () =>
  list(
    shape(
      { fields: list(field()) },
      { id: string, title: stringOrNull, description: stringOrNull, show_border: boolean, show_caption: boolean },
    ),
  );

const submit = () =>
  described(
    "A submit button.",
    shape(
      { id: string },
      {
        analysis: stringOrNull,
        run_analysis: boolean,
        send_data: boolean,
        clear_form: boolean,
        text: stringOrNull,
        color: stringOrNull,
        icon: anything,
        identifier: stringOrNull,
        show_confirmation: boolean,
        confirmation_message: stringOrNull,
        confirmation_title: stringOrNull,
        confirmation_confirm: stringOrNull,
        confirmation_cancel: stringOrNull,
        wait_for_validation: boolean,
      },
    ),
  );

const state = () =>
  shape(
    { type: string },
    {
      color: stringOrNull,
      label: anything,
      value: anything,
      unit: anything,
      url: anything,
      button_color: stringOrNull,
    },
  );

const markerVariable = () =>
  variable(
    {},
    {
      override_color: booleanOrNull,
      url_type: stringOrNull,
      color_conditions: conditions,
      external_url: stringOrNull,
      external_url_label: stringOrNull,
      img_pin: anything,
      embed: stringOrNull,
    },
  );

const booleans = (names: string): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(names.split(" ").map((name) => [name, boolean]));

const ownKeys: Readonly<Record<string, () => JsonSchema>> = {
  angular: () => gauge(gaugeColors),
  solid: () => gauge(gaugeColors),
  "vu-meter": () => gauge(gaugeColors),
  dial: () => gauge(gaugeColors),
  cylinder: () => gauge("background fill glass header text tick", { tick_amount: numeric }),
  grainbin: () => gauge("background fill header text text_background"),
  clock: () => shape({}, { show_last_update: boolean, theme: theme(`${gaugeColors} header`) }),
  card: () =>
    shape(
      {},
      {
        alias: stringOrNull,
        formula: ref("formula"),
        number_format: ref("numberFormat"),
        max_points: numeric,
        ...booleans("show_chart show_unit show_variables"),
        url: stringOrNull,
        variable: anything,
        data_params: anything,
        theme: theme("background chart text"),
      },
    ),
  push_button: () =>
    shape(
      { state_one: state(), state_two: state() },
      {
        button_type: oneOf("monostable", "bistable"),
        alias: stringOrNull,
        number_format: ref("numberFormat"),
        formula: ref("formula"),
        show_variables: boolean,
        theme: theme("background text"),
      },
    ),
  step_button: () =>
    shape(
      { limit: shape({ enabled: boolean }, { maximum: numeric, minimum: numeric }) },
      {
        alias: stringOrNull,
        number_format: ref("numberFormat"),
        formula: ref("formula"),
        hour_visualization: stringOrNull,
        step_value: numeric,
        type: stringOrNull,
        unit: stringOrNull,
        ...booleans("show_unit show_variables"),
        theme: theme("background button text value"),
      },
    ),
  keypad: () =>
    shape(
      {},
      {
        buttons: either(list(anyObject), anyObject),
        bypass_bucket: booleanOrNull,
        message_variable: anything,
        ...booleans(
          "play_audio send_run_user show_asterisk show_digits_bar show_last_column show_last_row show_number_sign",
        ),
        theme: theme("background click header"),
      },
    ),
  line_chart: () => chart(curve),
  area_chart: () => chart(curve),
  horizontal_bar_chart: () => chart(bars),
  vertical_bar_chart: () => chart(bars),
  multiple_axis_chart: () => chart({ ...curve, ...bars }, { chart_type: stringOrNull }),
  pie: () => pie(),
  semidonut: () => pie(),
  display: () =>
    shape(
      { variables: list(variable()) },
      {
        font_size: shape({ type: string }),
        style: stringOrNull,
        aggregate_intervals: anything,
        ...booleans("show_units show_variables"),
      },
    ),
  icon: () =>
    shape(
      { variables: list(variable({}, { icon_conditions: conditions, color_conditions: conditions })) },
      { aggregate_intervals: anything, ...booleans("show_units show_values show_variables") },
    ),
  map: () => map(),
  heat_map: () =>
    shape(
      { variables: list(variable({}, { overwrite_coordinates: boolean })) },
      {
        ...booleans("allow_zoom occupy_whole_widget show_last_update show_zoom_buttons"),
        max_points: numeric,
        radius: numeric,
        object_fit: fit,
        scale: shape({ enable: boolean }, { type: stringOrNull, minimum: numeric, maximum: numeric }),
        show_coordinates: booleanOrNull,
        show_scale: booleanOrNull,
        source: imageSource(),
        timezone: anything,
        theme: theme("background button_background button_border button_icon header text text_background text_border", {
          timezone: ref("timezone"),
        }),
      },
    ),
  image_marker: () =>
    shape(
      { variables: list(markerVariable()) },
      {
        ...booleans(
          "allow_add allow_edit allow_edit_layers allow_remove allow_embed_url allow_image_url allow_label allow_pin_color",
        ),
        ...booleans(
          "allow_zoom connect_markers occupy_whole_widget show_filter show_last_update show_polyline show_side_value",
        ),
        filter_by: stringOrNull,
        filter_truncate_direction: stringOrNull,
        geofence: anyObject,
        infobox_config: anyObject,
        layer: anyObject,
        layer_sub_type: oneOf("basic", "advanced"),
        markdown_box: stringOrNull,
        max_points: numeric,
        object_fit: fit,
        tools_title: stringOrNull,
        theme: theme(
          "background button_background button_icon header infobox_background infobox_header infobox_text zoom_button_background zoom_button_border zoom_button_icon",
        ),
      },
    ),
  compose: () =>
    shape(
      {
        variables: list(
          variable(
            {},
            {
              override_color: booleanOrNull,
              color_conditions: conditions,
              external_url: stringOrNull,
              external_url_label: stringOrNull,
              embed: stringOrNull,
            },
          ),
        ),
      },
      {
        ...booleans("allow_add allow_edit allow_embed_url allow_label allow_pin_color allow_remove allow_zoom"),
        ...booleans("occupy_whole_widget show_last_update"),
        aspect_ratio: either(list(numeric), string),
        background: anything,
        background_path: stringOrNull,
        background_type: stringOrNull,
        max_points: numeric,
        object_fit: fit,
        pin_size: stringOrNull,
        title_window: stringOrNull,
        theme: theme("background button_background button_icon header infobox_background infobox_text"),
      },
    ),
  dynamic_table: () =>
    shape(
      { variables: list(column()) },
      {
        max_rows: numeric,
        search_position: stringOrNull,
        show_control: boolean,
        show_search: booleanOrNull,
        show_time: booleanOrNull,
        show_divisor: anything,
        intervals: list(string),
        theme: theme(""),
      },
    ),
  static_table: () => shape({ variables: list(cell()) }, { theme: theme("") }),
  image: () =>
    shape(
      { source: imageSource() },
      {
        formula: ref("formula"),
        object_fit: fit,
        ...booleans("allow_zoom occupy_whole_widget show_zoom_buttons"),
        theme: theme("background header"),
      },
    ),
  video: () =>
    shape(
      { source: shape({ type: string }, { static_video: stringOrNull }) },
      {
        object_fit: fit,
        ...booleans("auto_play initially_muted loop show_controls occupy_whole_widget"),
        theme: theme("background header"),
      },
    ),
  note: () => shape({ value: either(string, anyObject) }),
  tile: () =>
    shape(
      { image_type: oneOf("icon", "image") },
      {
        image_url: stringOrNull,
        occupy_whole_widget: booleanOrNull,
        opacity: numeric,
        title: stringOrNull,
        url: stringOrNull,
        theme: theme("background header hover icon title"),
      },
    ),
  iframe: () =>
    shape(
      { url: string },
      {
        header_size: numeric,
        user: anything,
        parameters: list(anyObject),
        variables: list(anyObject),
        theme: theme("background"),
      },
    ),
  form: () => shape({ sections: sections(), buttons: list(submit()) }, { theme: theme("background field header") }),
  control: () => shape({ sections: sections() }, { theme: theme("background field footer") }),
};

const common = { frame_settings: anything, header_buttons: list(ref("headerButton")), help: stringOrNull };

let made: Readonly<Record<string, JsonSchema>> | undefined;

/** The display of every widget type of the new structure. Built with the first call: most programs need none of it. */
export function displays(): Readonly<Record<string, JsonSchema>> {
  made ??= Object.fromEntries(
    Object.entries(ownKeys).map(([type, ownOf]) => {
      const own = ownOf();
      return [type, { ...own, properties: { ...own.properties, ...common } }];
    }),
  );
  return made;
}
