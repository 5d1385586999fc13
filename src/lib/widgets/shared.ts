import { ICON_NAMES, INTERVAL_UNIT, INTERVAL_WORDS, PALETTE, SPARE_COLOR } from "./constants.ts";
import { type Pair, shownVariables } from "./engine.ts";
import { harmless } from "./harmless.ts";
import type { Out, Source } from "./readers.ts";
import { copied, copyOr, derived, drop, entry, fallback, get, isSource, record, set, table } from "./readers.ts";

/** Property names in the tables, references and conditions that many old widgets have. */
export const SHARED_NAMES =
  "alias bucket color condition decimals enable fixed_unit formula formula_type formula_variable id key label origin query show_thousand " +
  "tags unit unit_type url value variable";

/** A unit formula from `vars_formula`; undefined if there is none. */
function formula(formulas: Source | undefined, key: string): Out | undefined {
  const old = get(formulas, key);
  if (!isSource(old) || Array.isArray(old) || isEmpty(old)) return undefined;
  const out: Out = {
    formula_type: derived(old, "formula_type", get(old, "formula_type") === "dynamic" ? "variable" : "fixed"),
  };
  set(out, "enable", copied(old, "enable"));
  set(out, "unit_type", copied(old, "unit_type"));
  set(out, "value", copied(old, "formula"));
  set(out, "fixed_unit", entry(old, "unit"));
  if (get(old, "formula_variable")) out["variable"] = strictReference(old, "formula_variable");
  return out;
}

function isEmpty(value: Source): boolean {
  for (const _ in value) return false;
  return true;
}

/** A variable of a device; `{}` if there is none. */
export function reference(from: Source, key: string): Out {
  const variable = record(get(from, key));
  const out: Out = {};
  set(out, "origin", referenceOrigin(variable));
  set(out, "variable", copied(variable, "variable"));
  return out;
}

function referenceOrigin(variable: Source): unknown {
  const origin = get(variable, "origin");
  return isSource(origin) && get(origin, "id") ? copied(origin, "id") : copied(variable, "origin");
}

/** Like `reference`, but null if the origin is not a string. */
export function strictReference(from: Source, key: string): unknown {
  return originId(record(get(from, key))) === undefined ? fallback(from, key, null) : reference(from, key);
}

/** The id of the origin of a variable; undefined if not a string. */
export function originId(variable: Source): string | undefined {
  const origin = get(variable, "origin");
  const id = (isSource(origin) && get(origin, "id")) || origin;
  return typeof id === "string" ? id : undefined;
}

/** Range of a gauge: fixed limits, or limits from the metadata. */
export function range(d: Source): unknown {
  if (get(d, "range_limit") !== "metadata") return numericRange(d);
  const source = get(d, "range_limit_metadata");
  const kind = source === "custom" ? "variable" : source === "origin" ? "original" : "formula";
  const out: Out = {
    type: derived(d, "range_limit", "metadata"),
    metadata_origin: derived(d, "range_limit_metadata", kind),
  };
  if (kind === "variable") out["variable"] = reference(d, "range_limit_variable");
  return out;
}

/** Range with fixed limits, 0 to 100 by default. */
export function numericRange(d: Source): Out {
  return {
    type: derived(d, "range_limit", "minmax"),
    minimum: numberOr(d, "minimum", 0),
    maximum: numberOr(d, "maximum", 100),
  };
}

/** A number or numeric string; otherwise the default. */
export function numberOr(d: Source, key: string, defaultValue: number): unknown {
  const value = toNumber(get(d, key));
  return value === undefined ? fallback(d, key, defaultValue) : derived(d, key, value);
}

function toNumber(value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}

/** Number format from a pattern such as `0.00`; -1 means unrounded. */
export function decimals(d: Source): Out {
  const pattern = get(d, "numberformat");
  const digits = typeof pattern === "string" ? digitsAfterDot(pattern) : 0;
  return { decimals: derived(d, "numberformat", digits || -1), show_thousand: false };
}

// Only the digits between the first two dots count.
function digitsAfterDot(pattern: string): number {
  const dot = pattern.indexOf(".");
  if (dot < 0) return 0;
  const end = pattern.indexOf(".", dot + 1);
  return (end < 0 ? pattern.length : end) - dot - 1;
}

/** Unit of a gauge without a formula. */
export function unitFormula(d: Source): Out {
  const out: Out = { unit_type: derived(d, "unit", get(d, "unit") ? "fixed" : "origin") };
  set(out, "fixed_unit", copied(d, "unit"));
  return out;
}

/** Intervals with the new unit names; anything but a list of strings counts as empty. */
export function intervals(d: Source): unknown {
  const old = get(d, "intervals");
  if (!Array.isArray(old)) return fallback(d, "intervals", []);
  const out: unknown[] = [];
  for (let i = 0; i < old.length; i++) {
    const value: unknown = old[i];
    if (typeof value === "string") out.push(derived(old, i, interval(value)));
    else drop(old, i, "must be a string");
  }
  return derived(d, "intervals", out);
}

function interval(value: string): string {
  return value.replace(INTERVAL_UNIT, (unit) => INTERVAL_WORDS.get(unit) ?? unit);
}

/** Downsampling settings. */
export function downsample(d: Source): Out {
  return {
    enabled: copyOr(d, "downsample_enabled", false),
    factor:
      get(d, "downsample_factor") === 0 ? fallback(d, "downsample_factor", 10) : capped(d, "downsample_factor", 10, 50),
    threshold: capped(d, "downsample_threshold", 1000, 10_000),
  };
}

function capped(d: Source, key: string, defaultValue: number, most: number): unknown {
  const value = toNumber(get(d, key));
  return value === undefined ? fallback(d, key, defaultValue) : derived(d, key, Math.min(most, value));
}

/** A URL without scheme and trailing slash, as cards and tiles store it. */
export function stripUrl(from: Source, key: string): unknown {
  const value = get(from, key);
  if (typeof value !== "string") return fallback(from, key, "");
  const bare = value.replace(/^(\w+:)?\/\//, "").replace(/\/$/, "");
  return derived(from, key, bare, bare === value ? undefined : "stored without scheme and trailing slash");
}

/** The chart colour at a position. */
export function paletteColor(position: number): string {
  return PALETTE[position] ?? SPARE_COLOR;
}

/** New icon name of a map pin; image URLs are kept. */
export function iconName(icon: Source): unknown {
  const name = get(icon, "css_class");
  if (!name) return fallback(icon, "css_class", null);
  const known = ICON_NAMES.get(name);
  return known === undefined ? copied(icon, "css_class") : derived(icon, "css_class", known);
}

/** Converts each item with `make`; items that are not objects are skipped or read as `{}`. */
export function mapRecords(
  from: Source,
  key: string,
  make: (item: Source) => unknown,
  broken: "skip" | "empty" = "skip",
): unknown {
  const items = get(from, key);
  if (!Array.isArray(items)) return fallback(from, key, []);
  const out: unknown[] = [];
  for (let i = 0; i < items.length; i++) {
    const item: unknown = items[i];
    if (isSource(item)) out.push(make(item));
    else if (broken === "empty") out.push(derived(items, i, make({})));
    else drop(items, i, "not an object");
  }
  return derived(from, key, out);
}

/** The per-variable tables of most widgets. */
export interface Tables {
  readonly labels: Source | undefined;
  readonly formats: Source | undefined;
  readonly formulas: Source | undefined;
}

export function tables(d: Source): Tables {
  return {
    labels: table(d, "vars_labels"),
    formats: table(d, "vars_format"),
    formulas: table(d, "vars_formula"),
  };
}

export function setAlias(out: Out, labels: Source | undefined, key: string): void {
  const alias = entry(labels, key);
  if (alias !== undefined) out["alias"] = alias;
}

export function setFormat(out: Out, formats: Source | undefined, key: string): void {
  const format = entry(formats, key);
  if (format !== undefined) out["number_format"] = format;
}

export function setFormula(out: Out, formulas: Source | undefined, key: string): void {
  const found = formula(formulas, key);
  if (found !== undefined) out["formula"] = found;
}

/**
 * Folds the per-variable tables into the single alias and number format of a single-value widget. The last variable
 * with a value wins; the number format is folded only if `out` already has one.
 */
export function fold(out: Out, d: Source, widget: Source): Out {
  const labels = table(d, "vars_labels");
  const formats = "number_format" in out ? table(d, "vars_format") : undefined;
  out["alias"] = "";
  if (!labels && !formats) return out;
  for (const pair of shownVariables(widget)) {
    foldAlias(out, labels, pair);
    setFormat(out, formats, pair.key);
  }
  return out;
}

/** The formula of a gauge: the last usable one, or the first for a dial. */
export function gaugeFormula(d: Source, widget: Source, wins: "first" | "last"): Out {
  const formulas = table(d, "vars_formula");
  const pairs = formulas === undefined ? [] : shownVariables(widget);
  if (wins === "last") pairs.reverse();
  for (const pair of pairs) {
    const found = formula(formulas, pair.key);
    if (found !== undefined) return found;
  }
  return unitFormula(d);
}

function foldAlias(out: Out, labels: Source | undefined, pair: Pair): void {
  const label = get(labels, pair.key);
  if (labels === undefined || !label) return;
  if (label === pair.variable) drop(labels, pair.key, harmless.sameLabel);
  else out["alias"] = copied(labels, pair.key);
}
