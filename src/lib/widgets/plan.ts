import { subTypeKeys } from "./catalog.ts";
import type { NewId } from "./engine.ts";
import type { ReportEntry } from "./explain.ts";
import { keysOf } from "./paths.ts";
import { convertWithReport } from "./report.ts";

/**
 * - `converts`: an old widget, and all that it says has a place in the new structure
 * - `notes`: an old widget that converts, with something its owner should know
 * - `current`: in the new structure already
 * - `unsupported`: there is no converter for its type
 * - `invalid`: no widget, or one whose new form would not be what its schema says
 */
export type PlannedVerdict = "converts" | "notes" | "current" | "unsupported" | "invalid";

/** What is to become of one widget. */
export interface PlannedWidget {
  /** Id of the widget; empty when it has none. */
  readonly id: string;
  /** Title of the widget; empty when it has none. */
  readonly label: string;
  /** Old type with its sub-type: `gauge/angular`. */
  readonly type: string;
  /** Type afterwards; the old one when nothing is converted. */
  readonly newType: string;
  /** What a migration would do with it. */
  readonly verdict: PlannedVerdict;
  /** The verdict in a sentence. */
  readonly reason: string;
  /** What the conversion could not keep, or had to assume, a sentence each. */
  readonly notes: readonly string[];
  /** The widget as it is. */
  readonly before: unknown;
  /** The new widget; only where it converts. */
  readonly after?: unknown;
  /** What becomes of every key. */
  readonly entries: readonly ReportEntry[];
}

/** What is to become of a dashboard. */
export interface DashboardPlan {
  /** Id of the dashboard; empty when it has none. */
  readonly id: string;
  /** Title of the dashboard; empty when it has none. */
  readonly label: string;
  /** One plan per widget, in the order given. */
  readonly widgets: readonly PlannedWidget[];
  /** Number of widgets per verdict. */
  readonly counts: Readonly<Record<PlannedVerdict, number>>;
}

/** Options of a plan. */
export interface PlanOptions {
  /** Gives the ids that conversions have to make up for this widget; unique random ones by default. */
  readonly newIds?: (widget: unknown) => NewId;
  /** Says what is wrong with a new widget, nothing by default. A widget that fails is `invalid` and has no `after`. */
  readonly check?: (widget: unknown) => readonly string[];
}

/**
 * Says what a migration would make of each widget of a dashboard. Pure: nothing is sent, nothing given is changed.
 * Never throws.
 *
 * @param dashboard a dashboard, of which `id` and `label` are read
 * @param widgets its widgets, whole
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
  return { id: textAt(dashboard, "id"), label: textAt(dashboard, "label"), widgets: planned, counts };
}

/**
 * What a migration would make of one widget. Never throws and changes nothing.
 *
 * @param widget the widget, whole
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
  const about = { id: textAt(widget, "id"), label: textAt(widget, "label"), type, before: widget };
  const { entries } = report;
  if (!report.converted) {
    const left = verdict === "legacy" || verdict === "mixed" ? "invalid" : verdict;
    return { ...about, newType: type, verdict: left, reason, notes: [], entries };
  }
  const problems = options.check?.(report.widget) ?? [];
  if (problems.length > 0) {
    const broken = "Its new form would not be what its schema says.";
    return { ...about, newType: type, verdict: "invalid", reason: broken, notes: problems, entries };
  }
  const notes = [...report.warnings, ...losses(widget, entries)];
  const newType = textAt(report.widget, "type");
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
  const display = memberOf(widget, "display");
  const sub = subTypeKeys.map((key) => textAt(display, key)).find((text) => text !== "");
  const type = textAt(widget, "type");
  return sub === undefined ? type : `${type}/${sub}`;
}

const setByPlatform: ReadonlySet<string> = new Set(["created_at", "updated_at"]);

// A container is told of by its keys, and of an empty value nothing is lost.
function losses(widget: unknown, entries: readonly ReportEntry[]): string[] {
  const values = valuesByPath(widget);
  return entries.flatMap(({ path, status, reason }) => {
    if (status === "mapped" || setByPlatform.has(path) || isEmpty(values.get(path))) return [];
    if (status === "defaulted") return [`${path}: a default stands in its place (${reason ?? "unusable"})`];
    return [`${path} is left out: ${reason ?? "no widget of this type is known to have it"}`];
  });
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "" || value === false || typeof value === "object";
}

function valuesByPath(widget: unknown): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  const open: (readonly [string, unknown])[] = [["", widget]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [parent, value] = next;
    if (typeof value !== "object" || value === null) continue;
    for (const [key, path] of keysOf(value, parent)) {
      const item = memberOf(value, key);
      values.set(path, item);
      open.push([path, item]);
    }
  }
  return values;
}

function memberOf(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined;
}

function textAt(value: unknown, key: string): string {
  const text = memberOf(value, key);
  return typeof text === "string" ? text : "";
}
