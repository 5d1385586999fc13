import { ApiError } from "../../../lib/core/errors.ts";
import { countOf } from "../../../text/count.ts";
import { quote } from "../command/values.ts";
import type { CommandContext } from "../context.ts";
import { CommandError } from "../failures/command-error.ts";
import { partialError } from "../jobs/ending.ts";
import { messageOf } from "../resource/batch.ts";
import { isUnknownId } from "../resource/not-found.ts";

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
  throw partialError(`${left.length} of ${countOf(items.length, "dashboard")} left: ${left.join(", ")}.`, {
    why:
      undone.length === 0 ? "Nothing was undone." : `Undone: ${undone.map((item) => quote(label(item))).join(", ")}.`,
    next: "Fix the reason and run the same command with --undo again.",
  });
}
