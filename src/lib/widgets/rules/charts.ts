import { identity, type Pair, type Rule, reverseKey, shownVariables } from "../engine.ts";
import {
  copied,
  copyNumberOr,
  copyOr,
  derived,
  drop,
  fallback,
  flag,
  get,
  isSource,
  list,
  type Out,
  type Source,
  set,
  table,
} from "../readers.ts";
import { downsample, intervals, paletteColor, reference, setAlias, setFormat, setFormula, tables } from "../shared.ts";

const CHART_COLORS = { background: null, header: null, label: null, tick: null };

const legacy = {
  truthy: ["vars_labels", "vars_format", "numberformat", "pie_type"],
  present: ["hide_variables", "watermark"],
};

interface ChartTraits {
  readonly curved?: boolean;
  readonly stackable?: boolean;
  readonly mixed?: boolean;
}

const chart = (from: string, type: string, traits: ChartTraits): Rule => ({
  from,
  type,
  chosenBy: "chart_type",
  legacy,
  keys:
    "downsample_enabled downsample_factor downsample_threshold enable_labels group_by intervals line_curve max_points order_by " +
    "plot_by plot_variable_group scale show_abbreviation stacked unit_type variables_chart vars_formula y_max y_min",
  data: "list",
  display: (d, widget) => chartDisplay(traits, d, widget),
});

function chartDisplay(traits: ChartTraits, d: Source, widget: Source): Out {
  const out: Out = {
    downsample: downsample(d),
    group_by: groupBy(d),
    intervals: intervals(d),
    max_points: copyNumberOr(d, "max_points", 5000),
    order_by: copyOr(d, "order_by", "time"),
    show_legend: true,
    show_point_values: flag(d, "enable_labels"),
    theme: { color: { ...CHART_COLORS } },
    variables: chartVariables(traits, d, widget),
    x_axis: xAxis(d, widget),
    y_axis: { scale: yScale(d), show_metric_abbreviation: copyOr(d, "show_abbreviation", false) },
  };
  if (traits.curved) out["line_curve"] = copyOr(d, "line_curve", "smooth");
  if (traits.stackable) out["stacked"] = derived(d, "stacked", get(d, "stacked") === "realtime");
  return out;
}

function groupBy(d: Source): unknown {
  return get(d, "group_by") === "date" ? derived(d, "group_by", "time") : copyOr(d, "group_by", "time");
}

function yScale(d: Source): unknown {
  if (get(d, "scale") !== "yes") return { type: derived(d, "scale", "dynamic") };
  return {
    type: derived(d, "scale", "fixed"),
    maximum: copyNumberOr(d, "y_max", ""),
    minimum: copyNumberOr(d, "y_min", ""),
  };
}

function xAxis(d: Source, widget: Source): unknown {
  const plotBy = get(d, "plot_by");
  if (get(widget, "realtime") === "variable" && plotBy === "time") {
    return {
      plot_by: derived(widget, "realtime", "variable"),
      type: derived(d, "plot_by", "time"),
      variable: timeVariable(widget),
    };
  }
  if (plotBy === "group") {
    return {
      plot_by: derived(d, "plot_by", "variable"),
      type: derived(d, "plot_by", "group"),
      variable: reference(d, "plot_variable_group"),
    };
  }
  return { plot_by: derived(d, "plot_by", "realtime"), type: "time" };
}

// Hidden items count too: some are only there for the time axis.
function timeVariable(widget: Source): Out {
  const item = list(get(widget, "data")).find((each) => isSource(each) && each["is_global_time_data"]);
  if (!isSource(item)) return { variable: "" };
  const names = list(get(item, "variables")) as unknown as Source;
  const origin = get(item, "origin");
  const out: Out = { variable: names[0] ? copied(names, 0) : fallback(names, "0", "") };
  set(out, "origin", isSource(origin) && get(origin, "id") ? copied(origin, "id") : copied(item, "origin"));
  return out;
}

function chartVariables(traits: ChartTraits, d: Source, widget: Source): unknown[] {
  const { labels, formats, formulas } = tables(d);
  const kinds = traits.mixed ? table(d, "variables_chart") : undefined;
  return shownVariables(widget).map((pair, position) => {
    const out = identity(pair);
    out["color"] = paletteColor(position);
    setAlias(out, labels, pair.key);
    setFormat(out, formats, pair.key);
    setFormula(out, formulas, pair.key);
    if (kinds) set(out, "chart_type", seriesType(kinds, pair));
    return out;
  });
}

const SERIES_TYPES: ReadonlyMap<unknown, string> = new Map([
  ["spline", "line_chart"],
  ["bar", "horizontal_bar_chart"],
  ["column", "vertical_bar_chart"],
  ["area", "area_chart"],
  ["line_chart", "line_chart"],
  ["horizontal_bar_chart", "horizontal_bar_chart"],
  ["vertical_bar_chart", "vertical_bar_chart"],
  ["area_chart", "area_chart"],
]);

function seriesType(kinds: Source, pair: Pair): unknown {
  const key = get(kinds, pair.key) ? pair.key : reverseKey(pair);
  const type = SERIES_TYPES.get(get(kinds, key));
  if (type !== undefined) return derived(kinds, key, type);
  drop(kinds, key, "unknown series type");
  return undefined;
}

const pieChart = (from: string, type: string): Rule => ({
  from,
  type,
  chosenBy: "pie_type",
  legacy,
  data: "list",
  display: (d, widget) => ({ show_legend: true, variables: pieVariables(d, widget) }),
});

function pieVariables(d: Source, widget: Source): unknown[] {
  const { labels, formats } = tables(d);
  return shownVariables(widget).map((pair, position) => {
    const out = identity(pair);
    out["color"] = paletteColor(position);
    setAlias(out, labels, pair.key);
    setFormat(out, formats, pair.key);
    return out;
  });
}

export const charts: readonly Rule[] = [
  chart("chart/spline", "line_chart", { curved: true }),
  chart("chart/area", "area_chart", { curved: true }),
  chart("chart/bar_horizontal", "horizontal_bar_chart", { stackable: true }),
  chart("chart/bar_vertical", "vertical_bar_chart", { stackable: true }),
  chart("chart/multiple_axis", "multiple_axis_chart", { curved: true, stackable: true, mixed: true }),
  pieChart("pie/circle", "pie"),
  pieChart("pie/*", "semidonut"),
];
