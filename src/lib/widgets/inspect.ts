import { isNewKey, isOldKey, oldTypes, ruleFor, ruleOfNewType } from "./catalog.ts";
import { convert, displayOf, type NewId, type Rule } from "./engine.ts";
import { keyPath } from "./paths.ts";
import { Provenance, settle, unmarked } from "./provenance.ts";
import { isSource, type Out, record, recording, type Source } from "./readers.ts";

/**
 * - `current`: in the new structure, or without proof of the old one
 * - `legacy`: in the old structure
 * - `mixed`: has keys of both structures
 * - `unsupported`: no converter for its type or sub-type
 * - `invalid`: not a widget
 */
export type Verdict = "current" | "legacy" | "mixed" | "unsupported" | "invalid";

/** The structure of a widget, and the keys that prove it. */
export interface Inspection {
  /** Structure of the widget. */
  readonly verdict: Verdict;
  /** The verdict in a sentence. */
  readonly reason: string;
  /** Paths of the keys that prove the verdict. */
  readonly keys: readonly string[];
  /** Paths that only the old structure has. */
  readonly legacyKeys: readonly string[];
  /** Paths that only the new structure has. */
  readonly currentKeys: readonly string[];
  /** Type of the converted widget, if there is a converter. */
  readonly newType?: string;
}

/** A recorded conversion. The output still contains marks. */
export interface Trial {
  readonly rule: Rule;
  readonly widget: Source;
  readonly output: Out;
  readonly provenance: Provenance;
}

/** Converts and records every read. The widget must be a tree. */
export function tryConvert(rule: Rule, widget: Source, newId: NewId): Trial {
  const provenance = new Provenance();
  const output = recording(provenance, () => convert(rule, widget, newId));
  return { rule, widget, output, provenance };
}

/**
 * Detects whether a widget is in the old or the new structure, and which keys prove it. Never throws.
 *
 * Unlike `Migration.isOldStructure`, it checks every key of the display, accepts the type as proof when only old
 * widgets use it, and distinguishes mixed widgets from old ones.
 *
 * @example
 * ```ts
 * const { verdict, reason } = inspectWidget(await resources.dashboards.widgets.info(dashboardID, widgetID));
 * ```
 */
export function inspectWidget(widget: unknown): Inspection {
  const start = prepare(widget);
  if (!("rule" in start)) return start;
  const trial = tryConvert(start.rule, start.widget, () => "");
  return judge({ ...trial, output: settle(trial.output, "") as Out });
}

/** Finds the converter; without one, returns the verdict. */
export function prepare(widget: unknown): Inspection | { readonly rule: Rule; readonly widget: Source } {
  if (!isSource(widget) || Array.isArray(widget)) return invalid("A widget is an object.", []);
  if (typeof widget["type"] !== "string") return invalid("The type of a widget must be a string.", ["type"]);
  const display = widget["display"];
  const isBroken = display !== undefined && display !== null && (!isSource(display) || Array.isArray(display));
  if (isBroken) return invalid("The display of a widget must be an object.", ["display"]);
  const rule = ruleFor(widget) ?? ruleOfNewType(widget["type"]);
  return rule === undefined ? unsupported(widget["type"]) : { rule, widget };
}

function invalid(reason: string, keys: readonly string[]): Inspection {
  return { verdict: "invalid", reason, keys, legacyKeys: [], currentKeys: [] };
}

function unsupported(type: string): Inspection {
  const reason = `No converter for this widget of type ${JSON.stringify(type)}.`;
  return { verdict: "unsupported", reason, keys: ["type"], legacyKeys: [], currentKeys: [] };
}

/** Judges a settled trial. */
export function judge(trial: Trial): Inspection {
  const { rule, widget } = trial;
  const legacyKeys: string[] = [];
  const currentKeys: string[] = [];
  if (oldTypes.has(widget["type"])) legacyKeys.push("type");
  else if (ruleFor(widget) === undefined) currentKeys.push("type");
  const d = displayOf(widget);
  for (const key of Object.keys(d)) {
    const side = sideOf(trial, d, key);
    if (side === "old") legacyKeys.push(keyPath("display", key));
    if (side === "new") currentKeys.push(keyPath("display", key));
  }
  for (const [key, below] of rule.legacy.nested ?? []) {
    if (record(d[key])[below] !== undefined) legacyKeys.push(`display.${key}.${below}`);
  }
  return verdictOf(rule, legacyKeys, currentKeys);
}

function verdictOf(rule: Rule, legacyKeys: string[], currentKeys: string[]): Inspection {
  const found = { legacyKeys, currentKeys, newType: rule.type };
  if (legacyKeys.length === 0) {
    const reason =
      currentKeys.length > 0 ? "It only has keys of the new structure." : "It has no key of the old structure.";
    return { verdict: "current", reason, keys: currentKeys, ...found };
  }
  if (currentKeys.length === 0) {
    return { verdict: "legacy", reason: "It has keys of the old structure.", keys: legacyKeys, ...found };
  }
  const reason = "It has keys of the old and of the new structure.";
  return { verdict: "mixed", reason, keys: [...legacyKeys, ...currentKeys], ...found };
}

/** Which structure a display key belongs to. A key that was mapped to another path is old. */
export function sideOf(trial: Trial, d: Source, key: string): "old" | "new" | "either" {
  const { rule, provenance } = trial;
  if (d[key] === undefined || rule.legacy.shared?.includes(key)) return "either";
  const fate = provenance.fate(d, key);
  const places = fate === undefined ? [] : [...fate.made, ...fate.copies, ...fate.defaults];
  if (places.length > 0) return places.includes(keyPath("display", key)) ? "either" : "old";
  const value = d[key];
  if (isSource(value) && provenance.unusedIn(value) !== undefined) return "old";
  if (isOldKey(rule, key)) return "old";
  if (isSource(value) && provenance.wasRead(value)) return "either";
  const display = record(unmarked(trial.output["display"]));
  return isNewKey(key) || Object.hasOwn(display, key) ? "new" : "either";
}
