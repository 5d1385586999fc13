import type { DashboardEditInfo, Resources } from "../../../index.ts";
import type { CommandContext } from "../../kit/context.ts";
import type { JsonObject } from "../../kit/files/files.ts";
import { listOf } from "../../kit/folders/documents.ts";
import { canonicalText, openSnapshots, type Snapshot, settled } from "../../kit/state/snapshots.ts";
import { steadyClient } from "../../kit/steady-client.ts";
import { bodyOf, holds } from "./body.ts";
import { removeCopies } from "./copy.ts";
import type { RunLog } from "./run-log.ts";
import { readDashboard, readWidget } from "./scan.ts";

/** What a restored snapshot changed. */
export interface Restored {
  readonly changed: readonly string[];
  /** Widgets that were gone and were created again: old id to new one. */
  readonly recreated: ReadonlyMap<string, string>;
  /** Widgets that were added since; they stay. */
  readonly added: readonly string[];
}

/** Takes back what a run has done to one dashboard. */
export async function undoDashboard(ctx: CommandContext, client: Resources, run: RunLog, id: string): Promise<void> {
  const steps = run.steps.filter(({ dashboard }) => dashboard === id);
  const job = run.job.dashboards.find((each) => each.id === id);
  if (job === undefined) return;
  if (job.newLabel !== undefined) {
    const copy = steps.findLast((step) => step.copy !== undefined)?.copy;
    await removeCopies(client, run, job, copy ?? "");
    return;
  }
  const snapshot = steps.find((step) => step.snapshot !== undefined)?.snapshot;
  if (snapshot === undefined) return;
  const kept = openSnapshots(ctx.env, () => ctx.clock.now()).need(snapshot);
  const only = new Set(job.widgets.filter(({ action }) => action === "convert").map((each) => each.id));
  await restore(client, kept, { only });
}

/** Takes back everything a run has done, then forgets the run. Answers the ids of the dashboards concerned. */
export async function undoRun(ctx: CommandContext, run: RunLog): Promise<readonly string[]> {
  const client = await steadyClient(ctx);
  const ids = [...new Set(run.steps.map(({ dashboard }) => dashboard))];
  for (const id of ids) await undoDashboard(ctx, client, run, id);
  run.finish();
  return ids;
}

/** What of a snapshot is written back. */
export interface RestorePart {
  /** The widgets concerned; the dashboard itself is then left alone unless `hasSettings` says otherwise. */
  readonly only?: ReadonlySet<string>;
  /** Whether settings and arrangement are written back. */
  readonly hasSettings?: boolean;
  /** Widgets that lose their places, because they are about to go. */
  readonly dropped?: ReadonlySet<string>;
}

/**
 * Writes a snapshot back: widgets that differ are overwritten, those that are gone are created again, and the arrangement
 * and the settings of the dashboard are as they were. Widgets that came later stay, at the end of the arrangement.
 *
 * @param how which part of it; everything unless told otherwise
 */
export async function restore(client: Resources, snapshot: Snapshot, how: RestorePart = {}): Promise<Restored> {
  const { only, dropped, hasSettings = only === undefined } = how;
  const id = String(snapshot.dashboard["id"]);
  const now = await readDashboard(client, id);
  const present = new Map(now.widgets.map((widget) => [String(widget["id"]), widget]));
  const changed: string[] = [];
  const recreated = new Map<string, string>();
  for (const old of snapshot.widgets) {
    const widgetId = String(old["id"]);
    if (only !== undefined && !only.has(widgetId)) continue;
    // A widget can be there without a place in the arrangement.
    const current = present.get(widgetId) ?? (await readWidget(client, id, widgetId));
    if (current === undefined) {
      const { widget } = await client.dashboards.widgets.create(id, creation(old));
      recreated.set(widgetId, widget);
    } else if (!holds(current, old) || addedMembers(current, old).length > 0) {
      const emptied = Object.fromEntries(addedMembers(current, old).map((key) => [key, null]));
      await client.dashboards.widgets.edit(id, widgetId, { ...bodyOf(old), ...emptied });
      changed.push(widgetId);
    }
  }
  const known = new Set(snapshot.widgets.map((widget) => String(widget["id"])));
  const added = [...present.keys()].filter((widgetId) => !known.has(widgetId) && dropped?.has(widgetId) !== true);
  if (hasSettings || recreated.size > 0) {
    await restoreSettings(client, snapshot, now.dashboard, { recreated, added });
  }
  return { changed, recreated, added };
}

function addedMembers(now: JsonObject, old: JsonObject): string[] {
  return Object.keys(settled(bodyOf(now))).filter((key) => old[key] === undefined || old[key] === null);
}

/** A widget as a request to create one has it. */
export function creation(widget: JsonObject): { label: string; type: string; display: Record<string, unknown> } {
  const display = widget["display"];
  return {
    ...bodyOf(widget),
    label: String(widget["label"] ?? ""),
    type: String(widget["type"] ?? ""),
    display: typeof display === "object" && display !== null ? (display as Record<string, unknown>) : {},
  };
}

async function restoreSettings(
  client: Resources,
  snapshot: Snapshot,
  now: JsonObject,
  { recreated, added }: Pick<Restored, "recreated" | "added">,
): Promise<void> {
  const old = bodyOf(snapshot.dashboard);
  const places = listOf(snapshot.dashboard["arrangement"]).map((place) => ({
    ...place,
    widget_id: recreated.get(String(place["widget_id"])) ?? place["widget_id"],
  }));
  const later = listOf(now["arrangement"]).filter((place) => added.includes(String(place["widget_id"])));
  // The places are the platform's own; only ids were put in.
  const body = { ...old, arrangement: [...places, ...later] } as unknown as DashboardEditInfo;
  const isSame = Object.entries(body).every(([key, value]) => canonicalText(now[key] ?? null) === canonicalText(value));
  if (!isSame) await client.dashboards.edit(String(snapshot.dashboard["id"]), body);
}
