import type { CommandContext, PlannedRequest } from "../../kit/context.ts";
import { isObject } from "../../kit/files/files.ts";
import { replaceIds } from "../../kit/folders/replace-ids.ts";
import { withKey } from "../../kit/profiles/key.ts";
import type { ApplyPlan, ApplyRow } from "./plan.ts";
import type { RunPlace } from "./store.ts";

/** Asks before a plan is carried out: with deletions, for the name of the profile. */
export async function ask(
  ctx: CommandContext,
  what: string,
  { profile }: RunPlace,
  todo: readonly ApplyRow[],
): Promise<void> {
  await ctx.confirm({
    level: todo.some(({ action }) => action === "delete") ? 2 : 1,
    action: `Apply ${what} to profile "${profile.name}" (${countsOf(todo)})`,
    name: profile.name,
    // What is lost comes first.
    items: [...todo]
      .sort((a, b) => Number(b.action === "delete") - Number(a.action === "delete"))
      .map(({ action, kind, name }) => `${action} ${kind} "${name}"`),
  });
}

/** Whether requests are sent for it. */
export const isWritten = ({ action }: ApplyRow): boolean => ["create", "update", "delete"].includes(action);

/** How many resources a plan creates, updates and deletes. */
export function countsOf(changes: readonly ApplyRow[]): string {
  const words = { create: "to create", update: "to update", delete: "to delete", conflict: "in conflict" } as const;
  const counts = (["create", "update", "delete", "conflict"] as const)
    .map((action) => [changes.filter((row) => row.action === action).length, words[action]] as const)
    .filter(([count]) => count > 0);
  return counts.length === 0 ? "no changes" : counts.map(([count, word]) => `${count} ${word}`).join(", ");
}

/** The requests of a plan. Ids that the platform has yet to give are written as `{kind name}`. */
export function requestsOf({ items, ids }: ApplyPlan): PlannedRequest[] {
  return items.flatMap(({ row, kind, entry, key, steps }): PlannedRequest[] => {
    if (row.action !== "create" || entry === undefined) return steps.map(shownStep);
    const document = kind.isTagged === true ? withKey(entry.document, key) : entry.document;
    const { id: _, script, ...body } = replaceIds(document, ids);
    return [{ method: "POST", path: kind.route, body: script === undefined ? body : { ...body, script: "…" } }];
  });
}

/** A script is sent as base64, which nobody reads. */
function shownStep({ makes: _, body, ...step }: ApplyPlan["items"][number]["steps"][number]): PlannedRequest {
  if (!step.path.endsWith("/upload") || !isObject(body)) return body === undefined ? step : { ...step, body };
  return { ...step, body: { ...body, file: "…" } };
}
