import { displayOf } from "./engine.ts";
import { explainConverted, explainUnchanged, type ReportEntry } from "./explain.ts";
import { uniqueId } from "./ids.ts";
import { type Inspection, judge, prepare, sideOf, type Trial, tryConvert } from "./inspect.ts";
import { mergeKey } from "./merge.ts";
import type { ConvertOptions } from "./migration.ts";
import { keyPath } from "./paths.ts";
import { settle, unmarked } from "./provenance.ts";
import { copied, copy, type Out, recording, type Source, setOwn } from "./readers.ts";

/** Options of a conversion with a report. */
export interface ReportOptions extends ConvertOptions {
  /** Also convert a widget that no key proves to be old; its new keys are kept. False by default. */
  readonly force?: boolean;
}

/** A widget in the new structure and the report of its conversion. */
export interface ConversionReport {
  /** The new widget, or a copy of the given one if not converted. */
  readonly widget: unknown;
  /** Whether the widget was converted. */
  readonly converted: boolean;
  /** Structure of the source, and the keys that prove it. */
  readonly inspection: Inspection;
  /** What every key of the source was converted to, in source order, containers before their keys. */
  readonly entries: readonly ReportEntry[];
  /** Warnings about losses that no single key shows. */
  readonly warnings: readonly string[];
}

/**
 * Converts an old or mixed widget and explains what every key of the source is converted to. Current, unsupported and
 * invalid widgets are returned unconverted. In a mixed widget, keys of the new structure take precedence over old ones.
 * Never throws and never changes the widget.
 *
 * @example
 * ```ts
 * const { converted, widget, entries } = convertWithReport({ type: "solid", display: { vars_labels: {} } });
 * for (const { path, status, reason } of entries) console.log(path, status, reason);
 * ```
 */
export function convertWithReport(widget: unknown, options: ReportOptions = {}): ConversionReport {
  const source = copy(widget);
  const start = prepare(source);
  if (!("rule" in start)) return unchanged(source, start);
  const trial = tryConvert(start.rule, start.widget, options.newId ?? uniqueId);
  const output = settle(trial.output, "");
  const inspection = judge({ ...trial, output: output as Out });
  if (inspection.verdict === "legacy") return report(trial, output, inspection);
  if (inspection.verdict === "current" && !options.force) return unchanged(source, inspection);
  const second = tryConvert(start.rule, start.widget, options.newId ?? uniqueId);
  recording(second.provenance, () => keepNewKeys(trial, second.output));
  return report(second, settle(second.output, ""), inspection);
}

function report(trial: Trial, widget: unknown, inspection: Inspection): ConversionReport {
  const { rule, widget: source, provenance } = trial;
  const entries = explainConverted(source, provenance);
  const warnings = rule.warn?.(displayOf(source), source) ?? [];
  return { widget, converted: true, inspection, entries, warnings };
}

function unchanged(widget: unknown, inspection: Inspection): ConversionReport {
  return { widget, converted: false, inspection, entries: explainUnchanged(widget), warnings: [] };
}

// Keys that the first trial found to be new are merged into the output of the second.
function keepNewKeys(first: Trial, output: Out): void {
  const { widget } = first;
  const d = displayOf(widget);
  const display = unmarked(output["display"]) as Out;
  for (const key of Object.keys(d)) {
    if (sideOf(first, d, key) === "new") mergeKey(display, d, key, keyPath("display", key));
  }
  for (const key of Object.keys(widget)) {
    if (isKeptWhole(first, widget, key)) setOwn(output, key, copied(widget, key));
  }
}

function isKeptWhole(first: Trial, widget: Source, key: string): boolean {
  return key === "realtime" || (key !== "display" && first.provenance.fate(widget, key) === undefined);
}
