import { identity, type Pair, type Rule, reverseKey, shownVariables } from "../engine.ts";
import {
  by,
  copied,
  drop,
  flag,
  instead,
  isRecord,
  list,
  type Out,
  or,
  orZero,
  own,
  put,
  type Source,
  table,
} from "../readers.ts";
import { downsample, intervals, paletteColor, putAlias, putFormat, putFormula, reference, tables } from "../shared.ts";

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
    max_points: orZero(d, "max_points", 5000),
    order_by: or(d, "order_by", "time"),
    show_legend: true,
    show_point_values: flag(d, "enable_labels"),
    theme: { color: { ...CHART_COLORS } },
    variables: chartVariables(traits, d, widget),
    x_axis: xAxis(d, widget),
    y_axis: { scale: yScale(d), show_metric_abbreviation: or(d, "show_abbreviation", false) },
  };
  if (traits.curved) out["line_curve"] = or(d, "line_curve", "smooth");
  if (traits.stackable) out["stacked"] = by(d, "stacked", own(d, "stacked") === "realtime");
  return out;
}

function groupBy(d: Source): unknown {
  return own(d, "group_by") === "date" ? by(d, "group_by", "time") : or(d, "group_by", "time");
}

function yScale(d: Source): unknown {
  if (own(d, "scale") !== "yes") return { type: by(d, "scale", "dynamic") };
  return { type: by(d, "scale", "fixed"), maximum: orZero(d, "y_max", ""), minimum: orZero(d, "y_min", "") };
}

function xAxis(d: Source, widget: Source): unknown {
  const plotBy = own(d, "plot_by");
  if (own(widget, "realtime") === "variable" && plotBy === "time") {
    return {
      plot_by: by(widget, "realtime", "variable"),
      type: by(d, "plot_by", "time"),
      variable: timeVariable(widget),
    };
  }
  if (plotBy === "group") {
    return {
      plot_by: by(d, "plot_by", "variable"),
      type: by(d, "plot_by", "group"),
      variable: reference(d, "plot_variable_group"),
    };
  }
  return { plot_by: by(d, "plot_by", "realtime"), type: "time" };
}

// A hidden item counts as well: it is often there for the time axis only.
function timeVariable(widget: Source): Out {
  const item = list(own(widget, "data")).find((each) => isRecord(each) && each["is_global_time_data"]);
  if (!isRecord(item)) return { variable: "" };
  const names = list(own(item, "variables")) as unknown as Source;
  const origin = own(item, "origin");
  const out: Out = { variable: names[0] ? copied(names, 0) : instead(names, "0", "") };
  put(out, "origin", isRecord(origin) && own(origin, "id") ? copied(origin, "id") : copied(item, "origin"));
  return out;
}

function chartVariables(traits: ChartTraits, d: Source, widget: Source): unknown[] {
  const { labels, formats, formulas } = tables(d);
  const kinds = traits.mixed ? table(d, "variables_chart") : undefined;
  return shownVariables(widget).map((pair, position) => {
    const out = identity(pair);
    out["color"] = paletteColor(position);
    putAlias(out, labels, pair.key);
    putFormat(out, formats, pair.key);
    putFormula(out, formulas, pair.key);
    if (kinds) put(out, "chart_type", seriesType(kinds, pair));
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
  const key = own(kinds, pair.key) ? pair.key : reverseKey(pair);
  const type = SERIES_TYPES.get(own(kinds, key));
  if (type !== undefined) return by(kinds, key, type);
  drop(kinds, key, "not a kind of series");
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
    putAlias(out, labels, pair.key);
    putFormat(out, formats, pair.key);
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
