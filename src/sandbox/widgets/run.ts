import { isRecord } from "../../lib/core/json.ts";
import { RUN_ACTIONS, tagsOf } from "../access/demands.ts";
import type { Policy } from "../access/policy.ts";
import { runAnswer } from "../analyses/analyses.ts";
import type { OwnedAnalyses } from "../analyses/types.ts";
import type { Gap } from "../core/gap.ts";
import { denied } from "../core/platform-error.ts";
import type { Principal } from "../core/principal.ts";
import { analysesOf } from "../dashboards/copy.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import { widgetGaps } from "./gaps.ts";
import { recordsOf } from "./tags.ts";

interface RunParts extends Collections {
  readonly analyses: OwnedAnalyses;
  readonly policy: Policy;
}

type Row = Readonly<Record<string, unknown>>;

/** How a widget was used. */
export interface WidgetUse {
  readonly widget: EntityDocument;
  readonly principal: Principal;
  /** `insert`, `edit`, `delete`, `run`, or a custom name from the caller. */
  readonly exec: string;
  /** Called with each assumption the response rests on. */
  readonly assume: (gap: Gap) => void;
}

/** The analysis of the pressed form button, else the widget's own. */
function analysisOf({ widget, assume }: WidgetUse, scope: readonly Row[]): unknown {
  const pressed = scope.find((row) => row["input_form_button_id"] !== undefined)?.["input_form_button_id"];
  const display = isRecord(widget["display"]) ? widget["display"] : {};
  const button = recordsOf(display["buttons"]).find(({ id }) => pressed !== undefined && id === pressed);
  if (typeof button?.["analysis"] === "string") assume(widgetGaps.formButton);
  return button?.["analysis"] ?? widget["analysis_run"];
}

function start(
  app: Pick<RunParts, "analyses">,
  { widget, principal, exec }: WidgetUse,
  analysisId: string,
  scope: unknown,
) {
  return app.analyses.run(analysisId, scope, {
    environment: { _widget_exec: exec, _dashboard_id: String(widget["dashboard"]), _widget_id: widget.id },
    depth: principal.kind === "analysis" ? app.analyses.depth(principal.refId) + 1 : 0,
  });
}

/** Runs the analysis of a widget, if it has one, with the written rows as its scope. */
export function runWidgetAnalysis(app: Omit<RunParts, "policy">, use: WidgetUse, scope: readonly Row[]): void {
  const id = analysisOf(use, scope);
  const analysis = typeof id === "string" ? app.collection("analysis").get(id) : undefined;
  if (analysis === undefined || analysis.profile !== use.widget.profile) return;
  const user = use.principal.kind === "run_user" ? { user_id: use.principal.refId } : {};
  start(
    app,
    use,
    analysis.id,
    scope.map((row) => ({ ...row, ...user })),
  );
}

/**
 * Runs an analysis for a button in the header of a widget. Portal users can run only those of the widget, analyses also
 * those that access rules allow.
 */
export function runHeaderButton(app: RunParts, use: WidgetUse, analysisId: string, scope: unknown): unknown {
  const { principal, widget } = use;
  const { id, tags } = app.collection("analysis").need(analysisId, widget.profile);
  const subject = { id, tags: tagsOf(tags) };
  const isOpen =
    analysesOf([widget]).includes(id) ||
    (principal.kind !== "run_user" && app.policy.allows(principal, "analysis", RUN_ACTIONS, subject));
  if (!isOpen) throw denied();
  const refusal = app.analyses.refusal(id);
  if (refusal !== undefined) throw refusal;
  return runAnswer(principal, start(app, use, id, scope ?? []));
}
