import { isRecord } from "../../lib/core/json.ts";
import type { IdSource } from "../core/ids.ts";
import type { Signals } from "../signals.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import { idOf, recordsOf } from "../widgets/tags.ts";

/** What inserting a dashboard requires. */
export interface CopyParts extends Collections {
  readonly ids: IdSource;
  readonly signals: Signals;
}

/** Content of a dashboard, without what belongs to one copy of it. */
export interface DashboardContent {
  readonly dashboard: Readonly<Record<string, unknown>>;
  /** Each with its old id, which the arrangement refers to. */
  readonly widgets: readonly Readonly<Record<string, unknown>>[];
}

export function dashboardContent(app: Pick<CopyParts, "collection">, source: EntityDocument): DashboardContent {
  const { id: _, profile: _profile, created_at: _c, updated_at: _u, ...members } = source;
  const dashboard = { ...members, last_access: null, public_token_expire: null, shared: null };
  const widgets = app
    .collection("widget")
    .children(source.id)
    .map(({ profile: _owner, created_at: _made, updated_at: _changed, token: _token, ...widget }) => widget);
  return { dashboard, widgets };
}

/** Positions of widgets under their new ids; the others are dropped. */
function moveArrangement(arrangement: unknown, newIds: ReadonlyMap<string, string>): unknown[] {
  return recordsOf(arrangement).flatMap((place) => {
    const id = newIds.get(String(place["widget_id"]));
    return id === undefined ? [] : [{ ...place, widget_id: id }];
  });
}

/** Stores a dashboard with its widgets under new ids, and updates its arrangement. */
export function insertDashboard(
  { collection, ids, signals }: Pick<CopyParts, "collection" | "ids" | "signals">,
  profile: string,
  content: DashboardContent,
): EntityDocument {
  const widgets = content.widgets.map(({ id: oldId, ...widget }) => ({ oldId: String(oldId), id: ids.id(), widget }));
  const newIds = new Map(widgets.map(({ oldId, id }) => [oldId, id]));
  const arrangement = moveArrangement(content.dashboard["arrangement"], newIds);
  const dashboard = collection("dashboard").insert(profile, { ...content.dashboard, arrangement });
  // One event for the dashboard, none for each widget.
  signals.quietly(() => {
    for (const { id, widget } of widgets) {
      collection("widget").insert(profile, { ...widget, id, dashboard: dashboard.id });
    }
  });
  return dashboard;
}

/** Distinct ids of the devices and placeholders the widgets read, in order of appearance. */
export function originsOf(widgets: readonly Readonly<Record<string, unknown>>[]): string[] {
  return distinct(widgets.flatMap((widget) => recordsOf(widget["data"]).map((entry) => idOf(entry["origin"]))));
}

/** Ids of the analyses the widgets run: their own, and those of buttons in the header and in forms. */
export function analysesOf(widgets: readonly Readonly<Record<string, unknown>>[]): string[] {
  return distinct(
    widgets.flatMap((widget) => {
      const display = isRecord(widget["display"]) ? widget["display"] : {};
      const buttons = [...recordsOf(display["header_buttons"]), ...recordsOf(display["buttons"])];
      return [widget["analysis_run"], ...buttons.flatMap((button) => [button["analysis"], button["analysis_run"]])];
    }),
  );
}

function distinct(values: readonly unknown[]): string[] {
  return [...new Set(values.filter((value): value is string => typeof value === "string" && value !== ""))];
}
