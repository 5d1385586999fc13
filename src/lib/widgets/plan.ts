import { subTypeKeys } from "./catalog.ts";
import type { NewId } from "./engine.ts";
import type { ReportEntry } from "./explain.ts";
import { byRoot, goneKeys, lossTexts, settingName } from "./losses.ts";
import { convertWithReport } from "./report.ts";

export { byRoot, goneKeys, settingName };

/**
 * - `converts`: an old widget that converts without loss
 * - `notes`: an old widget that converts with losses; `notes` has them
 * - `current`: already in the new structure
 * - `unsupported`: no converter for its type
 * - `invalid`: not a widget, or its converted form would not match its schema
 */
export type PlannedVerdict = "converts" | "notes" | "current" | "unsupported" | "invalid";

/** Planned conversion of one widget. */
export interface PlannedWidget {
  /** Id of the widget; empty if it has none. */
  readonly id: string;
  /** Title of the widget; empty if it has none. */
  readonly label: string;
  /** Old type with its sub-type: `gauge/angular`. */
  readonly type: string;
  /** Type after the conversion; the old type if not converted. */
  readonly newType: string;
  /** What a migration would do with the widget. */
  readonly verdict: PlannedVerdict;
  /** The verdict in a sentence. */
  readonly reason: string;
  /** What is lost, and what is different to see without it, one sentence for each setting. */
  readonly notes: readonly string[];
  /** The current widget. */
  readonly before: unknown;
  /** The new widget. Only set if it converts. */
  readonly after?: unknown;
  /** What every key is converted to. */
  readonly entries: readonly ReportEntry[];
}

/** Planned conversion of a dashboard. */
export interface DashboardPlan {
  /** Id of the dashboard; empty if it has none. */
  readonly id: string;
  /** Title of the dashboard; empty if it has none. */
  readonly label: string;
  /** One plan per widget, in the given order. */
  readonly widgets: readonly PlannedWidget[];
  /** Number of widgets per verdict. */
  readonly counts: Readonly<Record<PlannedVerdict, number>>;
}

/** Options of a plan. */
export interface PlanOptions {
  /** Returns the id generator for a widget. Defaults to unique random ids. */
  readonly newIds?: (widget: unknown) => NewId;
  /** Returns the problems of a new widget; none by default. A widget with problems is `invalid` and has no `after`. */
  readonly check?: (widget: unknown) => readonly string[];
}

/**
 * Plans the migration of a dashboard, widget by widget. Pure: sends nothing and does not change its arguments. Never throws.
 *
 * @param dashboard a dashboard with `id` and `label`
 * @param widgets its widgets, complete
 *
 * @example
 * ```ts
 * const dashboard = await resources.dashboards.info(dashboardID);
 * const widget = await resources.dashboards.widgets.info(dashboardID, widgetID);
 * const { counts, widgets } = planDashboard(dashboard, [widget]);
 * console.log(counts.converts + counts.notes, widgets[0]?.notes);
 * ```
 */
export function planDashboard(
  dashboard: unknown,
  widgets: readonly unknown[],
  options: PlanOptions = {},
): DashboardPlan {
  const planned = widgets.map((widget) => planWidget(widget, options));
  const counts = { converts: 0, notes: 0, current: 0, unsupported: 0, invalid: 0 };
  for (const { verdict } of planned) counts[verdict] += 1;
  return { id: stringAt(dashboard, "id"), label: stringAt(dashboard, "label"), widgets: planned, counts };
}

/**
 * Plans the migration of one widget. Never throws and does not change the widget.
 *
 * @param widget the complete widget
 *
 * @example
 * ```ts
 * const { verdict, notes, after } = planWidget(await resources.dashboards.widgets.info(dashboardID, widgetID));
 * ```
 */
export function planWidget(widget: unknown, options: PlanOptions = {}): PlannedWidget {
  const newId = options.newIds?.(widget);
  const report = convertWithReport(widget, newId === undefined ? {} : { newId });
  const { verdict, reason } = report.inspection;
  const type = typeWithSub(widget);
  const about = { id: stringAt(widget, "id"), label: stringAt(widget, "label"), type, before: widget };
  const { entries } = report;
  if (!report.converted) {
    const left = verdict === "legacy" || verdict === "mixed" ? "invalid" : verdict;
    return { ...about, newType: type, verdict: left, reason, notes: [], entries };
  }
  const problems = options.check?.(report.widget) ?? [];
  if (problems.length > 0) {
    const broken = "Its new form would not match its schema.";
    return { ...about, newType: type, verdict: "invalid", reason: broken, notes: problems, entries };
  }
  const notes = [...report.warnings, ...lossTexts(goneKeys(widget, report.widget, entries))];
  const newType = stringAt(report.widget, "type");
  return {
    ...about,
    newType,
    verdict: notes.length > 0 ? "notes" : "converts",
    reason,
    notes,
    after: report.widget,
    entries,
  };
}

function typeWithSub(widget: unknown): string {
  const display = propertyOf(widget, "display");
  const sub = subTypeKeys.map((key) => stringAt(display, key)).find((text) => text !== "");
  const type = stringAt(widget, "type");
  return sub === undefined ? type : `${type}/${sub}`;
}

function propertyOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function stringAt(value: unknown, key: string): string {
  const text = propertyOf(value, key);
  return typeof text === "string" ? text : "";
}
