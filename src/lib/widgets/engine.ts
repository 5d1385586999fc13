import {
  copied,
  copyOr,
  derived,
  EMPTY,
  fallback,
  get,
  isSource,
  list,
  type Out,
  type Source,
  set,
  text,
} from "./readers.ts";

/** Returns a new unique id on every call. */
export type NewId = () => string;

/** How `data` is converted: copied if a list, copied as is, always empty, empty if missing, or its first item only. */
type DataRule = "list" | "any" | "empty" | "orEmpty" | "first";

/** Keys of `display` that prove the old structure. */
export interface LegacyKeys {
  /** Old when one of these is truthy. */
  readonly truthy: readonly string[];
  /** Old when one of these is present, even if null or false. */
  readonly present?: readonly string[];
  /** Old when this one is missing or empty. */
  readonly missing?: string;
  /** Never old when this one is truthy. */
  readonly unless?: string;
  /** Paths below these keys that only the old structure has. */
  readonly nested?: readonly (readonly [string, string])[];
  /** Keys that both structures use differently, so they prove nothing. */
  readonly shared?: readonly string[];
}

/** One converter. */
export interface Rule {
  /** Old widgets it converts: `card`, or with a sub-type `gauge/angular`; `pie/*` means all other pies. */
  readonly from: string | readonly string[];
  /** Key of the old display that holds the sub-type. */
  readonly chosenBy?: string;
  /** The new `type`. */
  readonly type: string;
  readonly legacy: LegacyKeys;
  /** Other keys of the old display, separated by spaces, including those the new one has no setting for. */
  readonly keys?: string;
  /** Property names deeper in the old display, separated by spaces. */
  readonly below?: string;
  readonly data: DataRule;
  /** True when `realtime` is copied instead of becoming null. */
  readonly keepsRealtime?: boolean;
  /** Whether `analysis_run` is copied: always, when truthy, or never (the default). */
  readonly analysisRun?: "copy" | "truthy";
  /** Builds the new display. `d` is the old display, `{}` when there was none. */
  display(d: Source, widget: Source, newId: NewId): Out;
  /** Final changes to the whole widget. */
  finish?(out: Out, d: Source, widget: Source): void;
  /** Warnings for the report about losses that no single key shows. */
  warn?(d: Source, widget: Source): readonly string[];
}

/** One displayed variable of a data item. */
export interface Pair {
  readonly item: Source;
  readonly names: readonly unknown[];
  readonly index: number;
  readonly variable: unknown;
  /** The origin as table keys contain it. */
  readonly originText: string;
  /** Origin and variable: the key in per-variable tables. */
  readonly key: string;
}

/** The old display of a widget. */
export function displayOf(widget: Source): Source {
  const display = get(widget, "display");
  return isSource(display) ? display : EMPTY;
}

/** Builds the new widget. The old one is not changed and shares nothing with the result. */
export function convert(rule: Rule, widget: Source, newId: NewId): Out {
  const d = displayOf(widget);
  const display = rule.display(d, widget, newId);
  display["header_buttons"] = copyOr(d, "header_buttons", []);
  display["help"] = copyOr(d, "help", "");
  const out: Out = {};
  set(out, "id", copied(widget, "id"));
  set(out, "label", copied(widget, "label"));
  set(out, "dashboard", copied(widget, "dashboard"));
  out["type"] = newType(rule, d, widget);
  set(out, "realtime", rule.keepsRealtime ? copied(widget, "realtime") : fallback(widget, "realtime", null));
  out["display"] = derived(widget, "display", display);
  set(out, "data", convertData(rule.data, widget));
  if (rule.analysisRun === "copy" || (rule.analysisRun && get(widget, "analysis_run"))) {
    set(out, "analysis_run", copied(widget, "analysis_run"));
  }
  rule.finish?.(out, d, widget);
  return out;
}

// The display key with the sub-type is now part of the type.
function newType(rule: Rule, d: Source, widget: Source): unknown {
  return derived(widget, "type", rule.chosenBy === undefined ? rule.type : derived(d, rule.chosenBy, rule.type));
}

function convertData(rule: DataRule, widget: Source): unknown {
  const data = get(widget, "data");
  switch (rule) {
    case "list":
      return Array.isArray(data) ? copied(widget, "data") : undefined;
    case "any":
      return copied(widget, "data");
    case "empty":
      return [];
    case "orEmpty":
      return copyOr(widget, "data", []);
    case "first":
      return firstItem(widget, data);
  }
}

function firstItem(widget: Source, data: unknown): unknown {
  if (!Array.isArray(data)) return undefined;
  return data[0] ? [copied(data as unknown as Source, 0)] : derived(widget, "data", []);
}

/** True when the display has a key of the old structure. */
export function isLegacy(rule: Rule, d: Source): boolean {
  const { truthy, present, missing, unless } = rule.legacy;
  if (unless !== undefined && get(d, unless)) return false;
  if (missing !== undefined && !get(d, missing)) return true;
  return truthy.some((key) => get(d, key)) || (present?.some((key) => get(d, key) !== undefined) ?? false);
}

/** Every displayed variable, in order. Hidden and invalid items and items without variables are skipped. */
export function shownVariables(widget: Source, skips?: string): Pair[] {
  const pairs: Pair[] = [];
  for (const item of list(get(widget, "data"))) {
    if (!isSource(item) || get(item, "is_hide") || (skips !== undefined && get(item, skips))) continue;
    const names = list(get(item, "variables"));
    if (names.length === 0) continue;
    const origin = text(get(item, "origin"));
    for (let index = 0; index < names.length; index++) {
      const variable = names[index];
      const name = text(variable);
      pairs.push({ item, names, index, variable, originText: origin, key: origin + name });
    }
  }
  return pairs;
}

/** Origin and variable of a pair in the new structure. */
export function identity(pair: Pair): Out {
  const out: Out = { variable: variableName(pair) };
  const origin = copied(pair.item, "origin");
  if (origin !== undefined) out["origin"] = origin;
  return out;
}

/** Variable and origin: the key some tables use instead. */
export function reverseKey(pair: Pair): string {
  return text(pair.variable) + pair.originText;
}

export function variableName(pair: Pair): unknown {
  return copied(pair.names as unknown as Source, pair.index);
}
