import { type Pair, shownVariables } from "../engine.ts";
import { decimalsIn, get, type Out, record, type Source } from "../readers.ts";
import { below, numberIn, textOf } from "./read.ts";

const MAX_PAIRS = 100;

/** Reads the display of a legacy widget into that of the new type. */
export type Read = (d: Source, widget: Source, type: string) => Out;

export const pairsOf = (widget: Source): readonly Pair[] => shownVariables(widget).slice(0, MAX_PAIRS);

/** The settings of a variable in the old tables. */
export function settingsOf(d: Source, { key, variable, item }: Pair): Out {
  return {
    variable,
    origin: get(item, "origin"),
    alias: get(below(d, "vars_labels"), key),
    number_format: get(below(d, "vars_format"), key) ?? { decimals: decimalsIn(get(d, "numberformat")) },
    formula: formulaOf(d, record(get(below(d, "vars_formula"), key))),
  };
}

export function formulaOf(d: Source, old: Source): Out {
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

export const variablesOf = (
  d: Source,
  widget: Source,
  more: (pair: Pair, place: number) => Out = () => ({}),
): readonly Out[] => pairsOf(widget).map((pair, place) => ({ ...settingsOf(d, pair), ...more(pair, place) }));

export function rangeOf(d: Source): Out {
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

export const colors = (color: Out): Out => ({ theme: { color } });
export const isShown = (d: Source, key: string): boolean => !get(d, key);
