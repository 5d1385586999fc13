import type { JsonObject } from "../files/files.ts";
import { documentText, idOf, listOf } from "../folders/documents.ts";
import { type IdMap, replaceIds } from "../folders/replace-ids.ts";
import { canonicalText, fingerprintOf, settled } from "../state/snapshots.ts";
import { dashboardBody } from "./body.ts";
import { type DashboardContent, dashboardContent, standardValue, widgetContent } from "./content.ts";
import type { DashboardState } from "./read.ts";
import { type WriteStep, widgetSteps } from "./steps.ts";

/** What is to become of one widget of the files. */
interface WidgetPlan {
  /** Its id in the files, or a generated one if they have none. */
  readonly ref: string;
  /** Its id on the platform; absent for a new one. */
  readonly id?: string;
  readonly label: string;
  readonly type: string;
  readonly action: "create" | "update" | "keep";
  /** What the platform has. */
  readonly before?: JsonObject;
  /** The new state; removed properties are null. References to new widgets still have the ids of the files. */
  readonly after: JsonObject;
}

/** A widget that the files do not have. */
interface WidgetRemoval {
  readonly id: string;
  readonly label: string;
  readonly type: string;
}

/** What makes a dashboard of the platform equal to its files. */
export interface DashboardPlan {
  /** Id of the dashboard in the files; empty when they name none. */
  readonly ref: string;
  readonly folder: string;
  readonly label: string;
  /** Id on the platform; absent for a new dashboard. */
  readonly id?: string;
  /** Of the dashboard and its widgets when the plan was made. */
  readonly fingerprint?: string;
  /** Dashboard fields to write, without the arrangement. */
  readonly settings: JsonObject;
  /** The whole arrangement, when it differs. New widgets in it have the ids of the files. */
  readonly arrangement?: readonly JsonObject[];
  readonly widgets: readonly WidgetPlan[];
  readonly removals: readonly WidgetRemoval[];
}

/** True when nothing is to be written. */
export function isUpToDate({ id, settings, arrangement, widgets, removals }: DashboardPlan): boolean {
  const isSame = Object.keys(settings).length === 0 && arrangement === undefined && removals.length === 0;
  return id !== undefined && isSame && widgets.every(({ action }) => action === "keep");
}

/** The requests that write the widgets of a plan. */
export function plannedWidgets({ widgets }: Pick<DashboardPlan, "widgets">, dashboard: string): WriteStep[] {
  const created = widgets.filter(({ action }) => action === "create").map(({ ref, after }) => ({ ref, body: after }));
  const changed = widgets.flatMap(({ action, ref, id, after }) =>
    action === "update" && id !== undefined ? [{ ref, id, body: after }] : [],
  );
  return widgetSteps(dashboard, { created, changed });
}

/**
 * Compares files with what the platform has.
 *
 * @param ids what the ids of the files are on this platform: devices, analyses, widgets known from before
 */
export function planDashboard(
  files: DashboardContent & { readonly folder: string },
  present: Pick<DashboardState, "dashboard" | "widgets"> | undefined,
  ids: IdMap,
): DashboardPlan {
  const now = present === undefined ? { dashboard: {}, widgets: [] } : dashboardContent(present);
  const ref = idOf(files.dashboard);
  const targetId = present === undefined ? undefined : idOf(present.dashboard);
  const pairs = pairWidgets(files.widgets, now.widgets, ids);
  const known = new Map([
    ...ids,
    ...[...pairs].map(([widget, other]) => [idOf(widget), idOf(other)] as const),
    ...(targetId === undefined || ref === "" ? [] : [[ref, targetId] as const]),
  ]);
  const wanted = replaceIds({ dashboard: files.dashboard, widgets: files.widgets }, known);
  const { arrangement: places, ...settings } = wanted.dashboard;
  const isMoved = canonicalText(listOf(places)) !== canonicalText(listOf(now.dashboard["arrangement"]));
  const kept = new Set([...pairs.values()].map(idOf));
  return {
    ref,
    folder: files.folder,
    label: documentText(files.dashboard, "label"),
    ...(present === undefined || targetId === undefined
      ? {}
      : { id: targetId, fingerprint: fingerprintOf(present.dashboard, present.widgets) }),
    settings: present === undefined ? dashboardBody(settings) : changedSettings(settings, now.dashboard),
    ...(isMoved ? { arrangement: listOf(places) } : {}),
    widgets: files.widgets.map((widget, i) =>
      // No id contains a colon, so a widget without an id never matches another.
      widgetPlan(idOf(widget) || `new:${i}`, wanted.widgets[i] ?? widget, pairs.get(widget)),
    ),
    removals: now.widgets.filter((widget) => !kept.has(idOf(widget))).map(aboutWidget),
  };
}

function aboutWidget(widget: JsonObject): WidgetRemoval {
  return { id: idOf(widget), label: documentText(widget, "label"), type: documentText(widget, "type") };
}

function widgetPlan(ref: string, wanted: JsonObject, other: JsonObject | undefined): WidgetPlan {
  const { label, type } = aboutWidget(wanted);
  const about = { ref, label, type };
  const after = dashboardBody(widgetContent(wanted));
  if (other === undefined) return { ...about, action: "create", after };
  const before = dashboardBody(other);
  const gone = Object.keys(before).filter((key) => !Object.hasOwn(after, key));
  const isSame = gone.length === 0 && canonicalText(after) === canonicalText(before);
  const whole = { ...after, ...Object.fromEntries(gone.map((key) => [key, null])) };
  return { ...about, id: idOf(other), action: isSame ? "keep" : "update", before: other, after: whole };
}

/** Fields that differ. A field missing from the files has the value the platform sets on a new dashboard. */
function changedSettings(wanted: JsonObject, now: JsonObject): JsonObject {
  const [files, platform] = [dashboardBody(settled(wanted)), dashboardBody(now)];
  const keys = [...new Set([...Object.keys(files), ...Object.keys(platform)])].filter((key) => key !== "arrangement");
  const valueIn = (document: JsonObject, key: string): unknown => document[key] ?? standardValue(key);
  return Object.fromEntries(
    keys
      .filter((key) => canonicalText(valueIn(files, key)) !== canonicalText(valueIn(platform, key)))
      .map((key) => [key, valueIn(files, key)]),
  );
}

/**
 * Which widget of the platform each widget of the files is: the one a map names, the one with the same id, else the next
 * one with the same label and type, so that files of another environment find theirs.
 */
export function pairWidgets(
  files: readonly JsonObject[],
  present: readonly JsonObject[],
  ids: IdMap,
): ReadonlyMap<JsonObject, JsonObject> {
  const free = new Map(present.map((widget) => [idOf(widget), widget]));
  const pairs = new Map<JsonObject, JsonObject>();
  const take = (widget: JsonObject, other: JsonObject | undefined): void => {
    if (other === undefined || pairs.has(widget)) return;
    pairs.set(widget, other);
    free.delete(idOf(other));
  };
  for (const widget of files) take(widget, free.get(ids.get(idOf(widget)) ?? idOf(widget)));
  const rest = files.filter((widget) => !pairs.has(widget));
  const likeIt = (widget: JsonObject, isAlike: (a: JsonObject, b: JsonObject) => boolean): JsonObject | undefined =>
    [...free.values()].find((other) => isAlike(widget, other));
  for (const widget of rest) take(widget, likeIt(widget, hasSameContent(ids)));
  for (const widget of rest) take(widget, likeIt(widget, isSameKind));
  return pairs;
}

const isSameKind = (a: JsonObject, b: JsonObject): boolean => a["label"] === b["label"] && a["type"] === b["type"];

const hasSameContent =
  (ids: IdMap) =>
  (a: JsonObject, b: JsonObject): boolean =>
    isSameKind(a, b) && canonicalText(dashboardBody(replaceIds(a, ids))) === canonicalText(dashboardBody(b));
