import { PIN_COLOR, PIN_IMAGE_URL, TOOLS_TITLE } from "../constants.ts";
import { identity, type Pair, type Rule, shownVariables } from "../engine.ts";
import { harmless } from "../harmless.ts";
import {
  copied,
  copyNumberOr,
  copyOr,
  derived,
  drop,
  entry,
  entryOr,
  fallback,
  flag,
  get,
  isSource,
  list,
  not,
  type Out,
  record,
  type Source,
  set,
  setOwn,
  table,
} from "../readers.ts";
import { iconName, intervals, setAlias, setFormat, setFormula, stripUrl, tables } from "../shared.ts";

const HEAT_COLORS = {
  background: null,
  button_background: null,
  button_border: null,
  button_icon: null,
  header: null,
  text: null,
  text_background: null,
  text_border: null,
};

const heatMap: Rule = {
  from: "layer/heat_map",
  type: "heat_map",
  chosenBy: "layer_type",
  legacy: {
    truthy: ["layer_type", "img_path", "scale_minimum", "scale_maximum", "scale_fixed"],
    present: ["watermark"],
  },
  keys: "max_points radius show_coordinates show_scale",
  data: "list",
  display: (d, widget) => ({
    allow_zoom: false,
    max_points: copyNumberOr(d, "max_points", 500),
    object_fit: "contain",
    occupy_whole_widget: false,
    radius: copyNumberOr(d, "radius", 1),
    scale: {
      enable: flag(d, "scale_fixed"),
      maximum: copyNumberOr(d, "scale_maximum", 100),
      minimum: copyNumberOr(d, "scale_minimum", 0),
      type: "fixed",
    },
    show_coordinates: copyOrTrue(d, "show_coordinates"),
    show_last_update: false,
    show_scale: copyOrTrue(d, "show_scale"),
    show_zoom_buttons: false,
    source: { static_image: copyOr(d, "img_path", ""), type: "static" },
    theme: { color: { ...HEAT_COLORS }, timezone: { id: timezone(widget) } },
    variables: shownVariables(widget).map(heatVariable),
  }),
};

function copyOrTrue(d: Source, key: string): unknown {
  return isUnset(get(d, key)) ? fallback(d, key, true) : copied(d, key);
}

function timezone(widget: Source): unknown {
  return copyOr(record(list(get(widget, "data"))[0]), "timezone", "UTC");
}

function heatVariable(pair: Pair): Out {
  const out = identity(pair);
  out["overwrite_coordinates"] = false;
  return out;
}

const COMPOSE_COLORS = {
  background: null,
  button_background: null,
  button_icon: null,
  header: null,
  infobox_background: null,
  infobox_text: null,
};

const compose: Rule = {
  from: ["layer/compose", "layer/virtualization_layer"],
  type: "compose",
  chosenBy: "layer_type",
  legacy: {
    truthy: ["vars_labels", "vars_format", "vars_formula", "numberformat", "column_alignments"],
    present: ["hide_variables", "watermark"],
  },
  keys: "aspect_ratio background_path background_type vars_icons vars_iframe vars_url",
  data: "list",
  display: (d, widget) => ({
    allow_add: false,
    allow_edit: false,
    allow_embed_url: false,
    allow_label: false,
    allow_pin_color: false,
    allow_remove: false,
    allow_zoom: false,
    aspect_ratio: copyOr(d, "aspect_ratio", []),
    background: {},
    background_path: copyOr(d, "background_path", ""),
    background_type: copyOr(d, "background_type", ""),
    max_points: 300,
    object_fit: "contain",
    occupy_whole_widget: false,
    pin_size: "big",
    show_last_update: false,
    theme: { color: { ...COMPOSE_COLORS } },
    title_window: "",
    variables: composeVariables(d, widget),
  }),
};

function composeVariables(d: Source, widget: Source): unknown[] {
  const { labels, formats } = tables(d);
  const icons = table(d, "vars_icons");
  const links = table(d, "vars_url");
  const frames = table(d, "vars_iframe");
  return shownVariables(widget).map((pair) => {
    const out = identity(pair);
    out["override_color"] = false;
    out["color_conditions"] = pinColors(record(get(icons, pair.key)));
    setAlias(out, labels, pair.key);
    setFormat(out, formats, pair.key);
    setLink(out, links, pair.key);
    if (frames && get(frames, pair.key)) out["embed"] = stripUrl(frames, pair.key);
    return out;
  });
}

function pinColors(icon: Source): unknown[] {
  if (!get(icon, "url")) return [];
  return [{ color: copyOr(icon, "color", PIN_COLOR), condition: "*", url: copied(icon, "url") }];
}

function setLink(out: Out, links: Source | undefined, key: string): void {
  const link = record(get(links, key));
  set(out, "external_url", entry(link, "url"));
  set(out, "external_url_label", entry(link, "alias"));
}

const MARKER_COLORS = {
  background: null,
  button_background: null,
  button_icon: null,
  header: null,
  infobox_background: null,
  infobox_header: null,
  infobox_text: null,
  zoom_button_background: null,
  zoom_button_border: null,
  zoom_button_icon: null,
};

const imageMarker: Rule = {
  from: "layer/image_marker",
  type: "image_marker",
  chosenBy: "layer_type",
  legacy: { truthy: ["vars_labels", "vars_formula", "numberformat"], present: ["watermark"] },
  keys:
    "allow_add allow_edit_layers allow_embed_url allow_image_url allow_label allow_layers allow_move allow_pin_color allow_remove " +
    "connect_markers layer_sub_type layer_variable max_points override_color title_window vars_conditions vars_embed vars_format " +
    "vars_images vars_link_type vars_url",
  data: "list",
  display: (d, widget) => ({
    allow_add: allowed(d, "allow_add"),
    allow_edit: allowed(d, "allow_move"),
    allow_edit_layers: allowed(d, "allow_edit_layers"),
    allow_embed_url: flag(d, "allow_embed_url"),
    allow_image_url: flag(d, "allow_image_url"),
    allow_label: flag(d, "allow_label"),
    allow_pin_color: flag(d, "allow_pin_color"),
    allow_remove: allowed(d, "allow_remove"),
    allow_zoom: false,
    connect_markers: flag(d, "connect_markers"),
    filter_by: "device",
    filter_truncate_direction: "end",
    geofence: { enable_user: false, events_type: "static", limit: 100, type_enable_user: "all" },
    infobox_config: {
      behavior: "landscape",
      date_format: "",
      object_fit: "contain",
      position: "top",
      show_one_infobox: true,
    },
    layer: copyOr(d, "layer_variable", {}),
    layer_sub_type: derived(d, "layer_sub_type", get(d, "layer_sub_type") === "basic" ? "basic" : "advanced"),
    markdown_box: "",
    max_points: copyNumberOr(d, "max_points", 1),
    object_fit: "contain",
    occupy_whole_widget: false,
    show_filter: false,
    show_last_update: false,
    show_polyline: false,
    show_side_value: false,
    theme: { color: { ...MARKER_COLORS } },
    tools_title: copyOr(d, "title_window", TOOLS_TITLE),
    variables: markerVariables(d, widget),
  }),
  warn: (_, widget) => sharedPins(widget),
};

// Allowed by default.
function allowed(d: Source, key: string): unknown {
  return isUnset(get(d, key)) ? fallback(d, key, true) : flag(d, key);
}

function isUnset(value: unknown): boolean {
  return value === undefined || value === null;
}

function markerVariables(d: Source, widget: Source): unknown[] {
  const { labels, formats, formulas } = tables(d);
  const links = table(d, "vars_url");
  const linkTypes = table(d, "vars_link_type");
  const conditions = table(d, "vars_conditions");
  const images = table(d, "vars_images");
  const embeds = table(d, "vars_embed");
  return shownVariables(widget).map((pair) => {
    const out = identity(pair);
    out["override_color"] = not(d, "override_color");
    out["url_type"] = entryOr(linkTypes, pair.key, "image");
    setAlias(out, labels, pair.key);
    setFormat(out, formats, pair.key);
    setFormula(out, formulas, pair.key);
    setLink(out, links, pair.key);
    set(out, "color_conditions", entry(conditions, pair.key));
    set(out, "img_pin", entry(images, pair.key));
    set(out, "embed", entry(embeds, pair.key));
    return out;
  });
}

function sharedPins(widget: Source): string[] {
  const origins = new Set<unknown>();
  const warnings = new Set<string>();
  for (const { item } of shownVariables(widget)) {
    const origin = get(item, "origin");
    if (origins.has(origin)) {
      warnings.add(`Device ${String(origin)} has two markers: their stored positions are merged.`);
    }
    origins.add(origin);
  }
  return [...warnings];
}

const map: Rule = {
  from: "map",
  type: "map",
  legacy: {
    truthy: ["vars_labels", "vars_format", "vars_formula", "numberformat", "map_icons", "ignore_00", "connect_markers"],
    present: ["watermark"],
    shared: ["direction_variable", "max_points"],
  },
  keys:
    "ant_path color_from conditions direction_variable filter_by filter_devices filter_title filter_variable geo_enable_user " +
    "geo_events geo_events_label geo_limit geo_type_enable_user geo_variable group_by group_markers icons_for_all " +
    "infowindow_closed initial_zoom intervals last_location map_labels max_points mode show_current_direction show_directions " +
    "show_filter vars_conditions vars_images vars_that_have_conditions vars_url vars_urls",
  below: "css_class name",
  data: "list",
  display(d, widget) {
    const filterBy = filterKind(get(d, "filter_by"));
    const out: Out = {
      center_options: { center_all_variables: true, show_only_last_values: false, variables: [] },
      custom_text: get(d, "filter_title") ? { SEARCH_FOR_FILTER: copied(d, "filter_title") } : {},
      direction_variable: direction(d),
      filter_by: derived(d, "filter_by", filterBy),
      filter_list_by: filterList(d, filterBy),
      filter_variables: filterVariables(d),
      group_by: mapGroupBy(d),
      group_markers: copyOrTrue(d, "group_markers"),
      infobox_config: {
        date_format: "",
        image: { behavior: "landscape", object_fit: "contain", position: "top" },
        show_window_closed: allowed(d, "infowindow_closed"),
      },
      initial_mode: mapMode(d),
      intervals: intervals(d),
      show_directions: flag(d, "show_directions"),
      show_filter: flag(d, "show_filter"),
      show_lines: flag(d, "connect_markers"),
      show_lines_animated: flag(d, "ant_path"),
      variables: mapVariables(d, widget),
    };
    set(out, "show_icons_for_all", copied(d, "icons_for_all"));
    set(out, "max_points", mapPoints(d, widget));
    if (get(d, "initial_zoom") !== 0) set(out, "initial_zoom", copied(d, "initial_zoom"));
    else drop(d, "initial_zoom", harmless.defaultZoom);
    if (get(d, "geo_variable")) out["geofence"] = derived(d, "geo_variable", geofence(d));
    return out;
  },
};

function direction(d: Source): Out {
  if (!get(d, "show_directions")) return {};
  const old = record(get(d, "direction_variable"));
  const variable: Out = {};
  set(variable, "origin", copied(record(get(old, "origin")), "id"));
  set(variable, "variable", copied(old, "variable"));
  return { show_current_direction: flag(d, "show_current_direction"), variable };
}

function filterKind(old: unknown): string {
  if (old === "values") return "value";
  return old === "devices" ? "device" : "variable";
}

function filterList(d: Source, filterBy: string): unknown {
  const named = list(get(d, "filter_devices")).some((device) => Boolean(get(record(device), "name")));
  return derived(d, "filter_by", filterBy === "device" && named ? "device" : "variable");
}

function filterVariables(d: Source): unknown[] {
  const seen = new Set<unknown>();
  const out: unknown[] = [];
  for (const item of list(get(d, "filter_variable")).map(record)) {
    const name = get(item, "variable");
    if (seen.has(name)) drop(item, "variable", harmless.repeatedName);
    else out.push(name === undefined ? null : copied(item, "variable"));
    seen.add(name);
  }
  return out;
}

function mapGroupBy(d: Source): unknown {
  const value = get(d, "group_by");
  if (value === "date") return derived(d, "group_by", "time");
  return isUnset(value) ? fallback(d, "group_by", "time") : copied(d, "group_by");
}

const MAP_MODES: ReadonlySet<unknown> = new Set(["basic", "dark", "light", "sattelite", "satellite"]);

function mapMode(d: Source): unknown {
  return MAP_MODES.has(get(d, "mode")) ? copied(d, "mode") : fallback(d, "mode", "basic");
}

function mapPoints(d: Source, widget: Source): unknown {
  const data = get(widget, "data");
  if (!Array.isArray(data)) return copied(d, "max_points");
  const first = record(data[0]);
  if (get(first, "query") === "last_location") return derived(first, "query", 1);
  return get(widget, "query") === "last_location" ? derived(widget, "query", 1) : copied(d, "max_points");
}

function geofence(d: Source): Out {
  const old = record(get(d, "geo_variable"));
  const origin = record(get(old, "origin"));
  const variable: Out = {};
  set(variable, "bucket", copied(origin, "bucket"));
  set(variable, "origin", copied(origin, "id"));
  set(variable, "variable", copied(old, "variable"));
  const out: Out = {
    events: copyOr(d, "geo_events", []),
    type_enable_user: copyOr(d, "geo_type_enable_user", "circle"),
    variable,
  };
  set(out, "enable_user", copied(d, "geo_enable_user"));
  set(out, "events_label", copied(d, "geo_events_label"));
  set(out, "limit", copied(d, "geo_limit"));
  return out;
}

function mapVariables(d: Source, widget: Source): unknown[] {
  const { labels, formats, formulas } = tables(d);
  const withConditions = table(d, "vars_that_have_conditions") ?? {};
  const conditions = table(d, "conditions");
  const images = table(d, "vars_images");
  const links = table(d, "vars_url");
  const icons = table(d, "map_icons", harmless.hiddenDevice);
  const pinConditions = table(d, "vars_conditions", harmless.hiddenDevice);
  const names = deviceNames(d);
  return shownVariables(widget, "is_global_time_data").map((pair) => {
    const { key, originText } = pair;
    const out = identity(pair);
    out["alias_type"] = derived(withConditions, key, get(withConditions, key) ? "icon" : "text");
    out["icon_conditions"] = entryOr(conditions, key, []);
    out["infobox"] = infobox(images, record(get(links, key)), key);
    out["pin_config"] = pin(record(get(icons, originText)), record(get(pinConditions, originText)), pair.variable);
    setAlias(out, labels, key);
    setFormat(out, formats, key);
    setFormula(out, formulas, key);
    const device = names.get(originText);
    if (device) set(out, "originName", derived(device, "id", copied(device, "name")));
    return out;
  });
}

function deviceNames(d: Source): Map<unknown, Source> {
  const names = new Map<unknown, Source>();
  for (const device of list(get(d, "filter_devices"))) {
    if (isSource(device) && !names.has(get(device, "id"))) names.set(get(device, "id"), device);
  }
  return names;
}

function infobox(images: Source | undefined, link: Source, key: string): Out {
  const out: Out = {};
  const image = entry(images, key);
  if (image !== undefined) out["image"] = { static_image: image };
  const target: Out = {};
  set(target, "url", entry(link, "url"));
  set(target, "label", entry(link, "alias"));
  if (get(link, "url") || get(link, "alias")) out["link"] = target;
  return out;
}

function pin(icon: Source, conditions: Source, variable: unknown): Out {
  const out: Out = { color: copyOr(icon, "color", null), icon: iconName(icon), icon_type: "fixed" };
  if (get(conditions, "variable") === undefined || get(conditions, "variable") !== variable) return out;
  out["icon_type"] = derived(conditions, "variable", "conditional");
  set(out, "icon_conditions", pinConditions(conditions));
  return out;
}

function pinConditions(conditions: Source): unknown {
  const old = get(conditions, "conditions");
  if (Array.isArray(old)) return old.map((item, i) => (isSource(item) ? withImage(item) : copied(indexed(old), i)));
  return isSource(old) ? withImage(old) : undefined;
}

function indexed(items: readonly unknown[]): Source {
  return items as unknown as Source;
}

function withImage(condition: Source): Out {
  const out: Out = {};
  for (const key of Object.keys(condition)) setOwn(out, key, copied(condition, key));
  if (!get(condition, "url")) out["url"] = fallback(condition, "url", PIN_IMAGE_URL);
  return out;
}

export const maps: readonly Rule[] = [heatMap, compose, imageMarker, map];
