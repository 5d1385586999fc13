import { copyLabel } from "../../../text/copy-label.ts";
import type { Target } from "../../kit/context.ts";
import { isObject, type JsonObject } from "../../kit/files/files.ts";
import { type IdMap, replaceIds } from "../../kit/folders/replace-ids.ts";
import type { PlanForm } from "../../kit/state/plan-file.ts";
import { canonicalText, fingerprintOf } from "../../kit/state/snapshots.ts";
import { type DashboardRun, openRuns } from "../runs.ts";
import { isConvertible } from "./scan.ts";
import type { DashboardJob, MigrationJob, MigrationMode, Scanned, WidgetJob } from "./types.ts";

/** What the user chose. */
export interface JobChoices {
  readonly mode: MigrationMode;
  /** Label of a copy, from the label of the original. */
  readonly nameOf?: (label: string) => string;
  /** False where a dashboard with nothing to convert gets no copy, because nobody named it. */
  readonly isNamed?: boolean;
  /** True for a widget that is to be left alone, by dashboard and widget. */
  readonly isExcluded?: (dashboard: string, widget: Scanned["widgets"][number]) => boolean;
  /** New widgets that were edited by hand, by widget id. */
  readonly edited?: ReadonlyMap<string, JsonObject>;
  /** Turns what is to be done with a dashboard into what is to be done with its earlier copy. */
  readonly redirect?: (job: DashboardJob) => DashboardJob;
  /** Ids to replace anywhere in the widgets: devices and analyses. */
  readonly replace?: ReadonlyMap<string, string>;
}

/** Puts together what is to be done. */
export function createJob(
  scanned: readonly Scanned[],
  choices: JobChoices,
  target: Pick<Target, "label" | "api">,
  nowMs: number,
): MigrationJob {
  const { mode, nameOf = copyLabel, isNamed = true, redirect = (job) => job } = choices;
  const jobs = scanned.map(({ id, label, state, widgets: found }): DashboardJob => {
    const widgets = found.map((widget) => widgetJob(id, widget, choices));
    const isCopied = mode === "copy" && (isNamed || widgets.some(({ action }) => action === "convert"));
    return {
      id,
      label,
      ...(isCopied ? { newLabel: nameOf(label) } : {}),
      fingerprint: fingerprintOf(state.dashboard, state.widgets),
      widgets,
    };
  });
  return {
    mode,
    createdAt: new Date(nowMs).toISOString(),
    target: { label: target.label, api: target.api },
    dashboards: jobs.map(redirect),
  };
}

function widgetJob(dashboard: string, widget: Scanned["widgets"][number], choices: JobChoices): WidgetJob {
  const { entries: _, before, after, ...about } = widget;
  const old = isObject(before) ? before : {};
  const isExcluded = choices.isExcluded?.(dashboard, widget) === true;
  const edited = choices.edited?.get(widget.id);
  const converted = edited ?? (isConvertible(widget) && isObject(after) ? after : undefined);
  const start = isExcluded ? undefined : converted;
  const result = replaced(start ?? old, choices.replace);
  // A copy points at other devices with the widgets that stay as they are, too.
  const isWritten = start !== undefined || (choices.mode === "copy" && result !== old);
  if (isWritten) return { ...about, action: "convert", before: old, after: result };
  return { ...about, action: converted === undefined ? "keep" : "exclude", before: old };
}

function replaced(widget: JsonObject, replace: IdMap | undefined): JsonObject {
  if (replace === undefined || replace.size === 0) return widget;
  const copy = replaceIds(widget, replace);
  if (canonicalText(copy) === canonicalText(widget)) return widget;
  return { ...copy, id: widget["id"], dashboard: widget["dashboard"] };
}

/** How a plan is saved. */
export const migrationPlans: PlanForm = {
  format: "iotdeck/migration-plan",
  what: "a migration plan",
  create: "iot dashboard migrate --save-plan file",
  isWhole: ({ mode, dashboards, target, createdAt }) =>
    (mode === "copy" || mode === "in-place") &&
    typeof createdAt === "string" &&
    isObject(target) &&
    typeof target["api"] === "string" &&
    typeof target["label"] === "string" &&
    Array.isArray(dashboards) &&
    dashboards.every(isDashboardJob),
};

/** Migrations under way, and those that were interrupted. */
export const migrations = openRuns<MigrationJob>({
  what: "migration",
  isWhole: migrationPlans.isWhole,
  oldFolder: "migrations",
});

export type MigrationRun = DashboardRun<MigrationJob>;

function isDashboardJob(value: unknown): value is DashboardJob {
  if (!isObject(value) || !Array.isArray(value["widgets"])) return false;
  const texts = ["id", "label", "fingerprint"].every((key) => typeof value[key] === "string");
  return texts && value["widgets"].every(isWidgetJob);
}

function isWidgetJob(value: unknown): value is WidgetJob {
  if (!isObject(value) || !isObject(value["before"])) return false;
  const isKnown = ["convert", "keep", "exclude"].some((action) => action === value["action"]);
  return typeof value["id"] === "string" && isKnown && (value["action"] !== "convert" || isObject(value["after"]));
}
