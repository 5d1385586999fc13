import type { DashboardEditInfo, Resources } from "../../../index.ts";
import type { SentRequest } from "../client/batch-client.ts";
import type { JsonObject } from "../files/files.ts";
import { listOf } from "../folders/documents.ts";
import { canonicalText, type Snapshot, settled } from "../state/snapshots.ts";
import { dashboardBody, holds } from "./body.ts";
import { readDashboard, readWidget } from "./read.ts";
import { namesOneOf, sendSteps, widgetSteps } from "./steps.ts";

/** What a restored snapshot changed. */
export interface Restored {
  readonly changed: readonly string[];
  /** Widgets that were gone and were created again: old id to new one. */
  readonly recreated: ReadonlyMap<string, string>;
  /** Widgets that were added since; they stay. */
  readonly added: readonly string[];
}

/** What a snapshot is written back with. */
interface RestoreTools {
  readonly client: Resources;
  readonly send: (request: SentRequest) => Promise<unknown>;
}

/** What of a snapshot is written back. */
export interface RestorePart {
  /** The widgets concerned; the dashboard itself is then left alone unless `hasSettings` says otherwise. */
  readonly only?: ReadonlySet<string>;
  /** Whether settings and arrangement are written back. */
  readonly hasSettings?: boolean;
  /** Widgets to drop from the arrangement before they are deleted. */
  readonly dropped?: ReadonlySet<string>;
}

/**
 * Writes a snapshot back: widgets that differ are overwritten, missing ones are created again, and the arrangement and
 * the settings of the dashboard are restored. Widgets that came later stay, at the end of the arrangement.
 *
 * @param how which part of it; everything by default
 */
export async function restoreDashboard(
  { client, send }: RestoreTools,
  snapshot: Snapshot,
  how: RestorePart = {},
): Promise<Restored> {
  const { only, dropped, hasSettings = only === undefined } = how;
  const id = String(snapshot.dashboard["id"]);
  const now = await readDashboard(client, id);
  const present = new Map(now.widgets.map((widget) => [String(widget["id"]), widget]));
  const created: { ref: string; body: JsonObject }[] = [];
  const others: { ref: string; body: JsonObject; isSame: boolean }[] = [];
  for (const old of snapshot.widgets) {
    const ref = String(old["id"]);
    if (only !== undefined && !only.has(ref)) continue;
    // A widget can exist without an entry in the arrangement.
    const current = present.get(ref) ?? (await readWidget(client, id, ref));
    if (current === undefined) created.push({ ref, body: dashboardBody(old) });
    else {
      const gone = addedMembers(current, old);
      const body = { ...dashboardBody(old), ...Object.fromEntries(gone.map((key) => [key, null])) };
      others.push({ ref, body, isSame: gone.length === 0 && holds(current, old) });
    }
  }
  const changed = others
    .filter(({ body, isSame }) => !isSame || namesOneOf(body, created))
    .map(({ ref, body }) => ({ ref, id: ref, body }));
  const recreated = new Map<string, string>();
  await sendSteps(send, widgetSteps(id, { created, changed }), recreated);
  const known = new Set(snapshot.widgets.map((widget) => String(widget["id"])));
  const added = [...present.keys()].filter((widgetId) => !known.has(widgetId) && dropped?.has(widgetId) !== true);
  if (hasSettings || recreated.size > 0) {
    await restoreSettings(client, snapshot, now.dashboard, { recreated, added });
  }
  return { changed: changed.map(({ ref }) => ref), recreated, added };
}

function addedMembers(now: JsonObject, old: JsonObject): string[] {
  return Object.keys(settled(dashboardBody(now))).filter((key) => old[key] === undefined || old[key] === null);
}

async function restoreSettings(
  client: Resources,
  snapshot: Snapshot,
  now: JsonObject,
  { recreated, added }: Pick<Restored, "recreated" | "added">,
): Promise<void> {
  const old = dashboardBody(snapshot.dashboard);
  const places = listOf(snapshot.dashboard["arrangement"]).map((place) => ({
    ...place,
    widget_id: recreated.get(String(place["widget_id"])) ?? place["widget_id"],
  }));
  const later = listOf(now["arrangement"]).filter((place) => added.includes(String(place["widget_id"])));
  // The entries are the platform's own; only ids were replaced.
  const body = { ...old, arrangement: [...places, ...later] } as unknown as DashboardEditInfo;
  const isSame = Object.entries(body).every(([key, value]) => canonicalText(now[key] ?? null) === canonicalText(value));
  if (!isSame) await client.dashboards.edit(String(snapshot.dashboard["id"]), body);
}
