import { identity, type Pair, type Rule, shownVariables } from "../engine.ts";
import {
  copied,
  copyNumberOr,
  copyOr,
  derived,
  fallback,
  flag,
  get,
  isSource,
  not,
  type Out,
  record,
  type Source,
  set,
  table,
} from "../readers.ts";
import { decimals, fold, mapRecords, setAlias, setFormat, setFormula, stripUrl, tables } from "../shared.ts";

const card: Rule = {
  from: "card",
  type: "card",
  legacy: { truthy: ["vars_labels", "vars_format", "vars_formula"] },
  keys: "conditions_background conditions_chart conditions_value hide_variables max_points numberformat show_chart show_unit unit url",
  data: "list",
  analysisRun: "truthy",
  display: (d, widget) =>
    fold(
      {
        formula: { enable: false, fixed_unit: copyOr(d, "unit", ""), unit_type: "fixed" },
        max_points: copyNumberOr(d, "max_points", 5),
        number_format: decimals(d),
        show_chart: flag(d, "show_chart"),
        show_unit: flag(d, "show_unit"),
        show_variables: not(d, "hide_variables"),
        theme: {
          color: {
            background: copyOr(d, "conditions_background", []),
            chart: copyOr(d, "conditions_chart", []),
            text: copyOr(d, "conditions_value", []),
          },
        },
        url: stripUrl(d, "url"),
      },
      d,
      widget,
    ),
};

const display: Rule = {
  from: "display",
  type: "display",
  legacy: {
    truthy: ["vars_labels", "vars_format", "vars_formula", "numberformat", "column_alignments"],
    present: ["hide_variables", "watermark"],
    shared: ["font_size"],
  },
  data: "list",
  display: (d, widget) => ({
    font_size: { type: "auto" },
    show_units: true,
    show_variables: not(d, "hide_variables"),
    style: "default",
    variables: plainVariables(d, widget),
  }),
};

function plainVariables(d: Source, widget: Source): unknown[] {
  const { labels, formats, formulas } = tables(d);
  return shownVariables(widget).map((pair) => {
    const out = identity(pair);
    setAlias(out, labels, pair.key);
    setFormat(out, formats, pair.key);
    setFormula(out, formulas, pair.key);
    return out;
  });
}

const icon: Rule = {
  from: "icon",
  type: "icon",
  legacy: {
    truthy: ["vars_labels", "vars_format", "vars_formula", "numberformat", "hide_values", "hide_variables"],
    unless: "variables",
  },
  keys: "conditions layout show_unit",
  below: "row column",
  data: "list",
  display: (d, widget) => ({
    show_units: flag(d, "show_unit"),
    show_values: not(d, "hide_values"),
    show_variables: not(d, "hide_variables"),
    variables: iconVariables(d, widget),
  }),
};

function iconVariables(d: Source, widget: Source): unknown[] {
  const { labels, formats, formulas } = tables(d);
  const conditions = table(d, "conditions") ?? {};
  const layout = table(d, "layout");
  return byCell(shownVariables(widget), layout).map((pair) => {
    const place = get(layout, pair.key);
    const out = identity(pair);
    out["icon_conditions"] = iconConditions(conditions, pair.key);
    out["color_conditions"] = mapRecords(conditions, pair.key, colorCondition, "empty");
    setAlias(out, labels, pair.key);
    setFormula(out, formulas, pair.key);
    set(out, "number_format", iconFormat(formats, pair.key));
    return isSource(place) ? derived(place, "row", derived(place, "column", out, ORDER), ORDER) : out;
  });
}

function iconConditions(conditions: Source, key: string): unknown {
  return Array.isArray(get(conditions, key)) ? copied(conditions, key) : fallback(conditions, key, []);
}

function colorCondition(item: Source): Out {
  const out: Out = {};
  set(out, "color", copied(item, "color"));
  set(out, "condition", copied(item, "condition"));
  set(out, "value", copied(item, "value"));
  return out;
}

function iconFormat(formats: Source | undefined, key: string): Out | undefined {
  const format = record(get(formats, key));
  const out: Out = {};
  set(out, "decimals", copied(format, "decimals"));
  set(out, "show_thousand", copied(format, "show_thousand"));
  return get(format, "decimals") || get(format, "decimals") === 0 || get(format, "show_thousand") ? out : undefined;
}

const ORDER = "sets the order of the variables";
const GRID_COLUMNS = 3;
const AFTER_THE_GRID = Number.MAX_SAFE_INTEGER;

function byCell(pairs: Pair[], layout: Source | undefined): Pair[] {
  if (layout === undefined) return pairs;
  return pairs
    .map((pair) => ({ pair, cell: cellOf(layout, pair.key) }))
    .sort((a, b) => a.cell - b.cell || 0)
    .map(({ pair }) => pair);
}

// A column outside the grid compares equal to everything, so the variable stays where it is.
function cellOf(layout: Source, key: string): number {
  const place = get(layout, key);
  if (!isSource(place)) return AFTER_THE_GRID;
  const row = gridNumber(get(place, "row"));
  const column = gridNumber(get(place, "column"));
  return column < GRID_COLUMNS ? row * GRID_COLUMNS + column : Number.NaN;
}

function gridNumber(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}

const note: Rule = {
  from: "note",
  type: "note",
  legacy: { truthy: ["text"] },
  data: "empty",
  display: (d) => ({ value: copyOr(d, "text", "") }),
};

const tile: Rule = {
  from: "tile",
  type: "tile",
  legacy: { truthy: ["background_color", "fit_image", "label_color", "label_button", "link"] },
  keys: "icon_color icon_url opacity",
  data: "empty",
  analysisRun: "truthy",
  display(d) {
    const out: Out = {
      image_type: derived(d, "icon_color", get(d, "icon_color") ? "icon" : "image"),
      image_url: copyOr(d, "icon_url", ""),
      theme: {
        color: {
          background: copyOr(d, "background_color", null),
          header: null,
          hover: null,
          icon: copyOr(d, "icon_color", null),
          title: copyOr(d, "label_color", null),
        },
      },
      title: copyOr(d, "label_button", ""),
      url: stripUrl(d, "link"),
    };
    set(out, "occupy_whole_widget", copied(d, "fit_image"));
    set(out, "opacity", copied(d, "opacity"));
    return out;
  },
};

export const values: readonly Rule[] = [card, display, icon, note, tile];
