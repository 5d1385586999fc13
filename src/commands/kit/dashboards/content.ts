import type { JsonObject } from "../files/files.ts";
import { idOf, listOf } from "../folders/documents.ts";
import { canonicalText, settled } from "../state/snapshots.ts";
import type { DashboardState } from "./read.ts";

/** A resource that widgets use, with the name it has where the files come from. */
export interface NamedReference {
  readonly id: string;
  readonly name: string;
}

/** Devices and analyses that a dashboard uses, in the order of their ids. */
export interface References {
  readonly devices: readonly NamedReference[];
  readonly analyses: readonly NamedReference[];
}

/**
 * A dashboard as stored in files: no times, no tokens, no empty fields, no owner. The same dashboard always has the
 * same content.
 */
export interface DashboardContent {
  /** With its id and its arrangement. */
  readonly dashboard: JsonObject;
  /** Each with its id, in the order of the arrangement. */
  readonly widgets: readonly JsonObject[];
}

/** What the platform puts in where nothing is said. The first ones are always written down, the others never. */
const always: JsonObject = { type: "dashboard", visible: true, tags: [], tabs: [], arrangement: [] };
const unsaid: JsonObject = { group_by: [], blueprint_devices: [], disable_blueprint_fallback: false };
/** The same of a widget. */
const unsaidOfWidget: JsonObject = { resource: [] };

/** The default value of a dashboard field. */
export function standardValue(member: string): unknown {
  return always[member] ?? unsaid[member] ?? null;
}

/** What of a dashboard of the platform belongs into files. */
export function dashboardContent({
  dashboard,
  widgets,
}: Pick<DashboardState, "dashboard" | "widgets">): DashboardContent {
  const known = new Set(widgets.map(idOf));
  const { arrangement, ...given } = settled(dashboard);
  // An entry whose widget no longer exists shows nothing, and could not be written again.
  const places = listOf(arrangement).filter((place) => known.has(String(place["widget_id"])));
  return {
    dashboard: { ...always, ...said(given, unsaid), arrangement: places },
    widgets: widgets.map(({ dashboard: _, ...widget }) => widgetContent(widget)),
  };
}

/** What of a widget belongs into files. */
export const widgetContent = (widget: JsonObject): JsonObject => said(settled(widget), unsaidOfWidget);

function said(document: JsonObject, standard: JsonObject): JsonObject {
  const members = Object.entries(document).filter(
    ([key, value]) => canonicalText(value) !== canonicalText(standard[key]),
  );
  return Object.fromEntries(members);
}
