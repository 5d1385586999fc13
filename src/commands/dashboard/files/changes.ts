import type { Column } from "../../kit/command/columns.ts";
import type { DashboardPlan } from "../../kit/dashboards/plan.ts";
import type { JsonObject } from "../../kit/files/files.ts";
import { differences } from "../../kit/folders/differences.ts";

/** One difference between the files and the platform; the platform has the old side, the files the new one. */
export interface Change {
  /** Id of the dashboard on the platform, else in the files. */
  readonly dashboard: string;
  readonly label: string;
  readonly change: "added" | "removed" | "changed";
  readonly what: "dashboard" | "widget";
  /** Id of the widget; with `dashboard`, of the one whose position differs. */
  readonly widget?: string;
  readonly widget_label?: string;
  readonly type?: string;
  /** Where in the document; absent for a whole widget or dashboard. */
  readonly path?: string;
  readonly old?: unknown;
  readonly new?: unknown;
}

export const changeColumns: readonly Column<Change>[] = [
  { key: "dashboard", kind: "id", rank: 3 },
  { key: "label", rank: 3 },
  { key: "change", rank: 1 },
  { key: "what" },
  { key: "widget", kind: "id", rank: 3 },
  { key: "widget_label", rank: 1 },
  { key: "type" },
  { key: "path", rank: 1 },
  { key: "old", kind: "json" },
  { key: "new", kind: "json" },
];

/** Everything that applying a plan would change, in the order of the dashboard. */
export function changesOf(plan: DashboardPlan, present: JsonObject | undefined): readonly Change[] {
  const about = { dashboard: plan.id ?? plan.ref, label: plan.label };
  if (present === undefined) return [{ ...about, change: "added", what: "dashboard" }, ...widgetChanges(plan, about)];
  return [...settingChanges(plan, present, about), ...widgetChanges(plan, about)];
}

type About = Pick<Change, "dashboard" | "label">;

function settingChanges(plan: DashboardPlan, present: JsonObject, about: About): Change[] {
  const { settings, arrangement } = plan;
  const now: JsonObject = { ...settings, ...(arrangement === undefined ? {} : { arrangement }) };
  const old = Object.fromEntries(Object.keys(now).map((key) => [key, present[key]]));
  const known = [...plan.removals, ...plan.widgets.map(({ ref, id = ref, label }) => ({ id, label }))];
  const labels = new Map(known.map(({ id, label }) => [id, label]));
  return differences(old, now).map((each) => {
    const [, widget] = /^arrangement\[([^\]]+)\]/.exec(each.path) ?? [];
    const moved = widget === undefined ? {} : { widget, widget_label: labels.get(widget) ?? "" };
    return { ...about, change: "changed", what: "dashboard", ...moved, ...each };
  });
}

function widgetChanges({ widgets, removals }: DashboardPlan, about: About): Change[] {
  const written = widgets.flatMap((widget): Change[] => {
    const { action, id, ref, label, type, before, after } = widget;
    const each = { ...about, what: "widget" as const, widget: id ?? ref, widget_label: label, type };
    if (action === "create") return [{ ...each, change: "added" }];
    if (action === "keep" || before === undefined) return [];
    const old = Object.fromEntries(Object.keys(after).map((key) => [key, before[key]]));
    return differences(old, after).map((difference) => ({ ...each, change: "changed" as const, ...difference }));
  });
  const removed = removals.map(({ id, label, type }): Change => {
    return { ...about, change: "removed", what: "widget", widget: id, widget_label: label, type };
  });
  return [...written, ...removed];
}
