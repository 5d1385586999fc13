import { countOf } from "../../text/count.ts";
import { readingClient } from "../kit/client/batch-client.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { countLeft, warnLeft } from "../kit/resource/left.ts";
import { entityArgument, entityOf } from "./place.ts";

interface Emptied {
  readonly id: string;
  readonly name: string;
  readonly deleted: number;
  /** Rows that are there afterwards; null where they could not be counted. */
  readonly remaining: number | null;
}

const emptiedColumns: readonly Column<Emptied>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "deleted", kind: "number" },
  { key: "remaining", kind: "number", schema: { type: ["integer", "null"], minimum: 0 } },
];

export const emptyEntity = defineCommand({
  path: ["empty"],
  effect: "deletes",
  summary: "Delete all rows of an entity",
  details: "Keeps the entity and its schema. Prints the number of rows deleted, and of those that are left.",
  args: [entityArgument],
  result: one(emptiedColumns),
  examples: ['iot entity empty "name:empty" --confirm empty', 'iot entity empty "name:sites" --dry-run'],
  related: ["iot entity data delete", "iot entity data export"],
  async run(ctx, input) {
    const { id, name } = await entityOf(ctx, input.args.id);
    if (await ctx.dryRun({ method: "POST", path: `/entity/${id}/empty` })) return;
    const { entities } = await ctx.client();
    const deleted = await entities.amount(id);
    await ctx.confirm({
      level: 2,
      action: `Delete all ${countOf(deleted, "row")} of entity "${name}"`,
      name,
    });
    await entities.emptyEntityData(id);
    const remaining = await countLeft(ctx, "rows", async () => (await readingClient(ctx)).entities.amount(id));
    await ctx.out.item({ id, name, deleted, remaining }, { columns: emptiedColumns });
    await ctx.done(`Deleted ${countOf(deleted, "row")} of entity "${name}"`);
    if (remaining !== null && remaining > 0) warnLeft(ctx, remaining, "row", `iot entity count ${id}`);
  },
});
