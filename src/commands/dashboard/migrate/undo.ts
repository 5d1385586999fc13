import type { DashboardEditInfo, Resources } from "../../../index.ts";
import { ApiError } from "../../../lib/core/errors.ts";
import { countOf } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import { quote } from "../../kit/command/values.ts";
import type { CommandContext } from "../../kit/context.ts";
import { CommandError } from "../../kit/failures/command-error.ts";
import type { JsonObject } from "../../kit/files/files.ts";
import { listOf } from "../../kit/folders/documents.ts";
import { messageOf } from "../../kit/resource/batch.ts";
import { canonicalText, openSnapshots, type Snapshot, settled } from "../../kit/state/snapshots.ts";
import { bodyOf, holds } from "./body.ts";
import { exists, removeCopies } from "./copy.ts";
import type { RunLog } from "./run-log.ts";
import { isUnknownId, readDashboard, readWidget } from "./scan.ts";

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
  const client = await batchClient(ctx);
  const ids = [...new Set(run.steps.map(({ dashboard }) => dashboard))];
  const labels = new Map(run.job.dashboards.map(({ id, label }) => [id, label]));
  const undone = await undoEach(ctx, ids, {
    label: (id) => labels.get(id) ?? id,
    exists: (id) => exists(client, id),
    undo: (id) => undoDashboard(ctx, client, run, id),
  });
  run.finish();
  return undone;
}

/** How a run is undone on one of its dashboards. */
interface Undoing<Item> {
  label(item: Item): string;
  /** Whether the dashboard that the run changed is still there. */
  exists(item: Item): Promise<boolean>;
  undo(item: Item): Promise<void>;
}

/**
 * Undoes a run dashboard by dashboard. One that cannot be restored does not stop the others, and is named at the end
 * (exit 8). Resolves to those that were restored; one that somebody has deleted is not.
 */
export async function undoEach<Item>(
  ctx: CommandContext,
  items: readonly Item[],
  { label, exists: isThere, undo }: Undoing<Item>,
): Promise<Item[]> {
  const undone: Item[] = [];
  const left: string[] = [];
  for (const item of items) {
    try {
      await undo(item);
      undone.push(item);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof CommandError)) throw error;
      if (isUnknownId(error) && !(await isThere(item)))
        ctx.say.warning(`Dashboard ${quote(label(item))} no longer exists, so it was not restored.`);
      else left.push(`${quote(label(item))} (${messageOf(error).replace(/\.$/, "")})`);
    }
  }
  if (left.length === 0) return undone;
  throw new CommandError(`${left.length} of ${countOf(items.length, "dashboard")} left: ${left.join(", ")}.`, {
    code: "batch.partial",
    exit: 8,
    why:
      undone.length === 0 ? "Nothing was undone." : `Undone: ${undone.map((item) => quote(label(item))).join(", ")}.`,
    next: "Fix the reason and run the same command with --undo again.",
  });
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
