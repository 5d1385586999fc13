const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Names that only the old structure uses, in a display or below it, whichever widget they belong to. */
export const OLD_NAMES = words(`
  allow_layers allow_move allow_time_select ant_path background_color bypass_bucket cell chart_type click_color
  clock_visualization color_from column_alignments column_width_default columns conditions conditions_background
  conditions_button conditions_chart conditions_text conditions_value confirm_before_submit controls css_class
  downsample_enabled downsample_factor downsample_threshold enable_labels enable_limit fieldtype filter_devices
  filter_title filter_variable fit_image form formula_variable full_rows gauge_label gauge_type geo_enable_user
  geo_events geo_events_label geo_limit geo_type_enable_user geo_variable hide_end_date hide_values hide_variables
  icon_color icon_url icons_for_all ignore_00 img_path increment infowindow_closed is_default label_button
  label_color label_no label_submit label_yes last_location layer_type layer_variable layout link main_color
  map_icons map_labels max_files maximum message_submit messageDeleteRow minimum mode new_line no_bucket num_ticks
  numberformat pie_type plot_by plot_variable_group range_limit range_limit_metadata range_limit_variable
  released_time reset_button rows scale_fixed scale_maximum scale_minimum selection_type show_abbreviation
  show_current_direction show_delete show_edit_modal show_filter_value show_label show_map show_thousand
  static_image static_media table_type text_color type_image type_media unit_type use_camera use_current_value
  use_variable validation_message variables_chart vars_conditions vars_embed vars_format vars_formula vars_icons
  vars_iframe vars_images vars_labels vars_link_type vars_that_have_conditions vars_url vars_urls wait_validation_unlock
  watermark y_max y_min
`);

/** Names that only a display in the new structure has. */
export const NEW_NAMES = words(`
  aggregate_intervals alias allow_edit allow_zoom auto_play background center_options custom_text data_params
  downsample filter_list_by filter_truncate_direction filter_variables formula frame_settings geofence
  hour_visualization image_type image_url infobox_config initial_mode initially_muted layer limit loop markdown_box
  number_format object_fit occupy_whole_widget override_dashboard_presets pin_size range reference_lines
  search_position sections show_control show_controls show_divisor show_icons_for_all show_last_update show_legend
  show_lines show_lines_animated show_point_values show_polyline show_side_value show_units show_values
  show_variables show_zoom_buttons source step_value style theme tick_amount timezone tools_title value variable
  variables x_axis y_axis
`);

/** Further names that old widgets are known to have, in places where the new structure may have another use for them. */
export const OTHER_NAMES = words(`
  allow_multiple bucket color condition decimals default description direction_variable enable field filter_origin fixed_unit font_size
  formula formula_type group_by id image intervals key label line_curve max_points media_url name options order_by origin
  override_color path placeholder profile query realtime required show_coordinates stacked tags title_window type unit
  url use_values_from value value_type variable visibility_conditions
`);

/** Keys of a stored widget outside its display. */
export const WIDGET_KEYS = words(
  "id label dashboard type display data realtime analysis_run resource tags query cache mock_data token created_at updated_at",
);
