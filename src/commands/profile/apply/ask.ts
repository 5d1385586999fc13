import type { CommandContext } from "../../kit/context.ts";
import type { ApplyRow } from "../../kit/profiles/apply/plan.ts";
import type { RunPlace } from "./store.ts";

/** Asks before a plan is carried out: with deletions, for the name of the profile or of its environment. */
export async function askToApply(
  ctx: CommandContext,
  what: string,
  { profile }: RunPlace,
  todo: readonly ApplyRow[],
): Promise<void> {
  const { envName } = await ctx.target();
  await ctx.confirm({
    level: todo.some(({ action }) => action === "delete") ? 2 : 1,
    action: `Apply ${what} to profile "${profile.name}" (${changeCounts(todo)})`,
    name: profile.name,
    otherName: envName,
    // What is lost comes first.
    items: [...todo]
      .sort((a, b) => Number(b.action === "delete") - Number(a.action === "delete"))
      .map(({ action, kind, name }) => `${action} ${kind} "${name}"`),
  });
}

/** Whether requests are sent for it. */
export const isWritten = ({ action }: ApplyRow): boolean => ["create", "update", "delete"].includes(action);

/** How many resources a plan creates, updates and deletes. */
export function changeCounts(changes: readonly ApplyRow[]): string {
  const words = { create: "to create", update: "to update", delete: "to delete", conflict: "in conflict" } as const;
  const counts = (["create", "update", "delete", "conflict"] as const)
    .map((action) => [changes.filter((row) => row.action === action).length, words[action]] as const)
    .filter(([count]) => count > 0);
  return counts.length === 0 ? "no changes" : counts.map(([count, word]) => `${count} ${word}`).join(", ");
}
