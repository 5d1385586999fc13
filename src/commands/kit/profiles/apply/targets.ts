import type { Resources } from "../../../../index.ts";
import type { CommandContext } from "../../context.ts";
import { pairWidgets } from "../../dashboards/plan.ts";
import { readWidget } from "../../dashboards/read.ts";
import type { JsonObject } from "../../files/files.ts";
import { idOf, listOf } from "../../folders/documents.ts";
import { mapLanes } from "../../lanes.ts";
import { createProgress } from "../../say/progress.ts";
import type { Entry, ResourceKind } from "../kind.ts";
import { kinds } from "../kinds.ts";
import type { Made } from "../notes.ts";
import { fetchIfThere, LANES } from "../read-platform.ts";

export function kindOf(name: string): ResourceKind {
  const kind = kinds.find((each) => each.name === name);
  if (kind === undefined) throw new Error(`There is no kind ${name}`);
  return kind;
}

/** The documents of all entries that are there, by the id in the files. */
export async function fetchAll(
  ctx: CommandContext,
  client: Resources,
  entries: readonly Entry[],
  ids: Map<string, string>,
  notes: Made | undefined,
): Promise<Map<string, JsonObject>> {
  const documents = new Map<string, JsonObject>();
  const progress = createProgress(ctx, ["Comparing", "resources"]);
  try {
    await mapLanes(entries, ctx.flags.concurrency ?? LANES, async (entry) => {
      const target = ids.get(entry.id);
      const { kind, document } = entry;
      const found =
        target === undefined ? undefined : await fetchTarget(ctx, client, kindOf(kind), document, target, notes);
      if (found !== undefined) documents.set(entry.id, found);
      // Deleted since it was listed.
      else ids.delete(entry.id);
      progress.at(documents.size, entries.length);
    });
  } finally {
    progress.end();
  }
  return documents;
}

/**
 * The counterpart of a document. Widgets that an interrupted run created are not in the arrangement yet, so their
 * dashboard does not show them: they are added.
 */
export async function fetchTarget(
  ctx: CommandContext,
  client: Resources,
  kind: ResourceKind,
  document: JsonObject,
  id: string,
  notes: Pick<Made, "made"> | undefined,
): Promise<JsonObject | undefined> {
  const found = await fetchIfThere(ctx, client, kind, id);
  if (kind.name !== "dashboard" || found === undefined || notes === undefined) return found;
  const widgets = listOf(found["widgets"]);
  for (const widget of listOf(document["widgets"])) {
    const made = notes.made(idOf(widget));
    if (made === undefined || widgets.some((each) => idOf(each) === made)) continue;
    const unplaced = await readWidget(client, id, made);
    if (unplaced !== undefined) widgets.push(unplaced);
  }
  return { ...found, widgets };
}

/**
 * New dashboards for which an interrupted run requested a widget and got no response. Nobody could find such a widget
 * again, so these dashboards are created again.
 */
export function halfDashboards(
  entries: readonly Entry[],
  ids: ReadonlyMap<string, string>,
  notes: Made,
): ReadonlyMap<string, string> {
  const half = entries.flatMap(({ id, kind, document }) => {
    const made = notes.made(id);
    const lost = (widget: JsonObject): boolean => notes.isBegun(idOf(widget)) && notes.made(idOf(widget)) === undefined;
    const isHalf = kind === "dashboard" && made !== undefined && listOf(document["widgets"]).some(lost);
    return isHalf && ids.get(id) === made ? [[id, made] as const] : [];
  });
  return new Map(half);
}

/** Adds the ids of widgets to those of resources. */
export function pairAllWidgets(
  entries: readonly Entry[],
  found: ReadonlyMap<string, JsonObject>,
  ids: Map<string, string>,
  notes: Made | undefined,
): void {
  for (const { id, kind, document } of entries) {
    const dashboard = found.get(id);
    if (kind !== "dashboard" || dashboard === undefined) continue;
    for (const widget of listOf(document["widgets"])) {
      const made = notes?.made(idOf(widget));
      if (made !== undefined) ids.set(idOf(widget), made);
    }
    const present = listOf(kindOf(kind).clean(dashboard)["widgets"]);
    for (const [widget, pair] of pairWidgets(listOf(document["widgets"]), present, ids)) {
      if (idOf(widget) !== "") ids.set(idOf(widget), idOf(pair));
    }
  }
}
