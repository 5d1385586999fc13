import { isRecord } from "../../lib/core/json.ts";
import type { WireRow } from "../data/types.ts";
import type { SignalMap, Signals } from "../signals.ts";
import type { Collections, EntityDocument } from "../store/document.ts";
import type { StreamHub } from "./hub.ts";

/** What publishing events requires. */
export interface EventParts extends Collections {
  readonly hub: StreamHub;
  readonly signals: Signals;
}

const listOfRecords = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : [];

/** Whether a device can be chosen for a blueprint device: it meets all its conditions. */
function fitsBlueprint(device: EntityDocument, blueprint: Readonly<Record<string, unknown>>): boolean {
  const conditions = listOfRecords(blueprint["conditions"]);
  const tags = listOfRecords(device["tags"]);
  return (
    conditions.length > 0 &&
    conditions.every(({ key, value }) => tags.some((tag) => tag["key"] === key && tag["value"] === value))
  );
}

/**
 * Ids by which the widgets of a dashboard can refer to a device: its own, and those of the blueprint devices it
 * matches.
 */
function namesOf(dashboard: EntityDocument, device: EntityDocument): ReadonlySet<string> {
  const blueprints = listOfRecords(dashboard["blueprint_devices"]).filter((each) => fitsBlueprint(device, each));
  return new Set([device.id, ...blueprints.map(({ id }) => String(id))]);
}

/** The rows a widget shows. An entry without variables shows all of its device. */
function shownRows(widget: EntityDocument, names: ReadonlySet<string>, rows: readonly WireRow[]): WireRow[] {
  const entries = listOfRecords(widget["data"]).filter(({ origin }) => names.has(String(origin)));
  if (entries.length === 0) return [];
  const variables = entries.map(({ variables: asked }) =>
    [asked ?? []].flat().map((name) => String(name).toLowerCase()),
  );
  return rows.filter((row) => variables.some((asked) => asked.length === 0 || asked.includes(row.variable)));
}

/** Notifies open dashboards of what their widgets should reload. */
export function publishDashboards(app: EventParts): void {
  const { hub, signals } = app;
  const dashboards = app.collection("dashboard");
  const widgets = app.collection("widget");

  const publish = (profile: string, dashboard: string, payload: Readonly<Record<string, unknown>>): void =>
    hub.publish({ channel: "ui_dashboard", resourceId: dashboard, profile, payload: { dashboard, ...payload } });

  const publishRows = (dashboard: EntityDocument, { device, records }: SignalMap["dataStored"]): void => {
    const names = namesOf(dashboard, device);
    for (const widget of widgets.children(dashboard.id)) {
      const data = shownRows(widget, names, records);
      if (data.length > 0) publish(dashboard.profile, dashboard.id, { widget: widget.id, data });
    }
  };

  signals.on("dataStored", (event) => {
    for (const id of hub.resources("ui_dashboard")) {
      const dashboard = dashboards.get(id);
      if (dashboard?.profile === event.profile) publishRows(dashboard, event);
    }
  });

  signals.on("resourceChanged", ({ profile, kind, event, document }) => {
    if (kind !== "dashboard" && kind !== "widget") return;
    const when = event === "edit" ? "update" : event;
    if (kind === "dashboard") publish(profile, document.id, { when });
    else publish(profile, String(document["dashboard"]), { widget: document.id, when: "update" });
  });
}
