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
  /** Convert a widget as well that no key proves to be old; its new keys are kept. False by default. */
  readonly force?: boolean;
}

/** A widget in the new structure and the account of how it got there. */
export interface ConversionReport {
  /** The new widget; a copy of the given one when nothing was converted. Shares nothing with it. */
  readonly widget: unknown;
  /** True when the widget was converted. */
  readonly converted: boolean;
  /** What the widget was, and which keys prove it. */
  readonly inspection: Inspection;
  /** What became of every key of the source, in the order of the source, containers before their keys. */
  readonly entries: readonly ReportEntry[];
  /** Losses that no single key shows. */
  readonly warnings: readonly string[];
}

/**
 * Converts a widget when it is an old or a mixed one, and says of every key path of the source what became of it.
 * Current, unsupported and invalid widgets come back as they are. In a mixed widget the keys of the new structure
 * keep what they say and old keys fill in the rest. Never throws and never changes the widget.
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

// What the first trial found to belong to the new structure is put into the second one's output.
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
