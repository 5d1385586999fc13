import { countOf } from "../../text/count.ts";
import type { Column } from "../kit/command/columns.ts";
import { defineCommand } from "../kit/command/define.ts";
import { one } from "../kit/command/result.ts";
import { entityArgument, entityOf } from "./place.ts";

interface Emptied {
  readonly id: string;
  readonly name: string;
  /** Rows there were. */
  readonly rows: number;
}

const emptiedColumns: readonly Column<Emptied>[] = [
  { key: "id", kind: "id" },
  { key: "name" },
  { key: "rows", kind: "number" },
];

export const emptyEntity = defineCommand({
  path: ["empty"],
  effect: "deletes",
  summary: "Delete all rows of an entity",
  details: "Keeps the entity and its schema. Prints the number of rows deleted.",
  args: [entityArgument],
  result: one(emptiedColumns),
  examples: ['iot entity empty "name:empty" --confirm empty', 'iot entity empty "name:sites" --dry-run'],
  related: ["iot entity data delete", "iot entity data export"],
  async run(ctx, input) {
    const { id, name } = await entityOf(ctx, input);
    if (await ctx.dryRun({ method: "POST", path: `/entity/${id}/empty` })) return;
    const { entities } = await ctx.client();
    const rows = await entities.amount(id);
    await ctx.confirm({
      level: 2,
      action: `Delete all ${countOf(rows, "row")} of entity "${name}"`,
      name,
    });
    await entities.emptyEntityData(id);
    await ctx.out.item({ id, name, rows }, { columns: emptiedColumns });
    await ctx.done(`Deleted ${countOf(rows, "row")} of entity "${name}"`);
  },
});
