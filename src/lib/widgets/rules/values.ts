import { identity, type Pair, type Rule, shownVariables } from "../engine.ts";
import {
  by,
  copied,
  flag,
  instead,
  isRecord,
  not,
  type Out,
  or,
  orZero,
  own,
  put,
  record,
  type Source,
  table,
} from "../readers.ts";
import { decimals, fold, mapRecords, putAlias, putFormat, putFormula, stripUrl, tables } from "../shared.ts";

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
        formula: { enable: false, fixed_unit: or(d, "unit", ""), unit_type: "fixed" },
        max_points: orZero(d, "max_points", 5),
        number_format: decimals(d),
        show_chart: flag(d, "show_chart"),
        show_unit: flag(d, "show_unit"),
        show_variables: not(d, "hide_variables"),
        theme: {
          color: {
            background: or(d, "conditions_background", []),
            chart: or(d, "conditions_chart", []),
            text: or(d, "conditions_value", []),
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
    putAlias(out, labels, pair.key);
    putFormat(out, formats, pair.key);
    putFormula(out, formulas, pair.key);
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
    const place = own(layout, pair.key);
    const out = identity(pair);
    out["icon_conditions"] = iconConditions(conditions, pair.key);
    out["color_conditions"] = mapRecords(conditions, pair.key, colorCondition, "empty");
    putAlias(out, labels, pair.key);
    putFormula(out, formulas, pair.key);
    put(out, "number_format", iconFormat(formats, pair.key));
    return isRecord(place) ? by(place, "row", by(place, "column", out, ORDER), ORDER) : out;
  });
}

function iconConditions(conditions: Source, key: string): unknown {
  return Array.isArray(own(conditions, key)) ? copied(conditions, key) : instead(conditions, key, []);
}

function colorCondition(item: Source): Out {
  const out: Out = {};
  put(out, "color", copied(item, "color"));
  put(out, "condition", copied(item, "condition"));
  put(out, "value", copied(item, "value"));
  return out;
}

function iconFormat(formats: Source | undefined, key: string): Out | undefined {
  const format = record(own(formats, key));
  const out: Out = {};
  put(out, "decimals", copied(format, "decimals"));
  put(out, "show_thousand", copied(format, "show_thousand"));
  return own(format, "decimals") || own(format, "decimals") === 0 || own(format, "show_thousand") ? out : undefined;
}

const ORDER = "gives the order of the variables";
const GRID_COLUMNS = 3;
const AFTER_THE_GRID = Number.MAX_SAFE_INTEGER;

function byCell(pairs: Pair[], layout: Source | undefined): Pair[] {
  if (layout === undefined) return pairs;
  return pairs
    .map((pair) => ({ pair, cell: cellOf(layout, pair.key) }))
    .sort((a, b) => a.cell - b.cell || 0)
    .map(({ pair }) => pair);
}

// A column outside the grid compares equal with everything, so such a variable stays among its neighbours.
function cellOf(layout: Source, key: string): number {
  const place = own(layout, key);
  if (!isRecord(place)) return AFTER_THE_GRID;
  const row = gridNumber(own(place, "row"));
  const column = gridNumber(own(place, "column"));
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
  display: (d) => ({ value: or(d, "text", "") }),
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
      image_type: by(d, "icon_color", own(d, "icon_color") ? "icon" : "image"),
      image_url: or(d, "icon_url", ""),
      theme: {
        color: {
          background: or(d, "background_color", null),
          header: null,
          hover: null,
          icon: or(d, "icon_color", null),
          title: or(d, "label_color", null),
        },
      },
      title: or(d, "label_button", ""),
      url: stripUrl(d, "link"),
    };
    put(out, "occupy_whole_widget", copied(d, "fit_image"));
    put(out, "opacity", copied(d, "opacity"));
    return out;
  },
};

export const values: readonly Rule[] = [card, display, icon, note, tile];
