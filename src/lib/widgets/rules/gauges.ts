import type { LegacyKeys, Rule } from "../engine.ts";
import { copiedItems, copyOr, get, not, type Out, type Source } from "../readers.ts";
import { decimals, fold, gaugeFormula, numberOr, numericRange, range, unitFormula } from "../shared.ts";

const GAUGE_COLORS = { background: null, fill: null, outline: null, text: null, text_border: null };
const CLOCK_COLORS = { ...GAUGE_COLORS, header: null };
const GRAINBIN_COLORS = { background: null, fill: null, header: null, text: null, text_background: null };

const perVariable = ["vars_labels", "vars_format", "vars_formula"];
const gaugeDisplay =
  "unit unit_type numberformat range_limit range_limit_metadata range_limit_variable minimum maximum hide_variables";
const gaugeKeys: LegacyKeys = { truthy: [...perVariable, "gauge_type"] };

const gauge = (from: Rule["from"], type: string, wins: "first" | "last" = "last"): Rule => ({
  from,
  type,
  chosenBy: "gauge_type",
  legacy: gaugeKeys,
  keys: gaugeDisplay,
  data: "list",
  display: (d, widget) => {
    const formula = gaugeFormula(d, widget, wins);
    return fold(gaugeStart(d, formula, { color: { ...GAUGE_COLORS } }), d, widget);
  },
});

function gaugeStart(d: Source, formula: Out, theme: Out): Out {
  return {
    formula,
    number_format: decimals(d),
    range: range(d),
    show_variables: not(d, "hide_variables"),
    theme,
  };
}

// The old list runs from bottom to top.
function fillColors(d: Source): unknown[] {
  return copiedItems(get(d, "conditions")).reverse();
}

const cylinder: Rule = {
  from: "cylinder",
  type: "cylinder",
  legacy: { truthy: perVariable },
  keys: `${gaugeDisplay} conditions num_ticks`,
  data: "list",
  display(d, widget) {
    const out = gaugeStart(d, gaugeFormula(d, widget, "last"), {
      color: { background: null, fill: fillColors(d), glass: null, header: null, text: null, tick: null },
    });
    out["tick_amount"] = numberOr(d, "num_ticks", 5);
    return fold(out, d, widget);
  },
};

const clock: Rule = {
  from: "gauge/clock",
  type: "clock",
  chosenBy: "gauge_type",
  legacy: { truthy: ["gauge_type"] },
  keys: "no_bucket",
  data: "any",
  display: () => ({
    show_last_update: false,
    theme: { color: { ...CLOCK_COLORS } },
  }),
};

const grainbin: Rule = {
  from: "grainbin",
  type: "grainbin",
  legacy: { truthy: ["gauge_label", "minimum", "maximum", "unit"] },
  keys: "numberformat range_limit hide_variables",
  data: "first",
  display: (d) => ({
    alias: copyOr(d, "gauge_label", ""),
    formula: unitFormula(d),
    number_format: decimals(d),
    range: numericRange(d),
    show_variables: not(d, "hide_variables"),
    theme: { color: { ...GRAINBIN_COLORS } },
  }),
};

export const gauges: readonly Rule[] = [
  gauge("gauge/angular", "angular"),
  gauge("gauge/solid", "solid"),
  gauge("gauge/vu_meter", "vu-meter"),
  gauge(["gauge/dial", "dial"], "dial", "first"),
  cylinder,
  clock,
  grainbin,
];
