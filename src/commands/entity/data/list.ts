import { readingClient } from "../../kit/client/batch-client.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { entityArgument, entityOf } from "../place.ts";
import { allRows, commonColumns, rowColumns, rowSelection, selectionOptions, someRows } from "../query.ts";

const USUAL_LIMIT = 20;

export const listRows = defineCommand({
  path: ["data", "list"],
  aliases: ["ls"],
  effect: "reads",
  summary: "List rows of an entity",
  details:
    "Newest rows first; with --all, oldest first. The platform reads by index: filters must be the first fields of an index " +
    'and --sort its last one. A matching index is chosen automatically; "iot entity schema" shows them.',
  args: [entityArgument],
  options: [
    ...selectionOptions,
    { name: "offset", formerly: ["skip"], kind: "integer", least: 0, summary: "number of rows to skip" },
  ],
  groups: ["list"],
  result: rows(commonColumns),
  examples: [
    'iot entity data list "name:sites" --limit 5',
    'iot entity data list "name:sites" --filter city=Bergen --filter state=open --sort opened:desc --fields name,opened',
    'iot entity data list "name:sites" --index city_state_opened_idx --offset 100 --limit 10 --json',
  ],
  related: ["iot entity schema", "iot entity count", "iot entity data export"],
  async run(ctx, input) {
    if (ctx.flags.tag.length > 0) throw usageError("Rows have no tags.", { next: "Use --filter field=value." });
    const { all, page = 1, limit = USUAL_LIMIT } = ctx.flags;
    const skip = (input.options.offset ?? 0) + (all ? 0 : (page - 1) * limit);
    const entity = await entityOf(ctx, input.args.id);
    const selection = rowSelection(ctx, input.options, entity, all ? "asc" : "desc");
    const client = await (all ? readingClient(ctx) : ctx.client());
    const listing =
      all && skip === 0
        ? { rows: allRows(client, entity, selection), more: () => false }
        : someRows(client, entity, selection, { skip, limit: all ? Number.POSITIVE_INFINITY : limit });
    await ctx.out.list(listing.rows, {
      columns: rowColumns(entity),
      empty: `No rows of "${entity.name}" match.`,
      more: listing.more,
    });
  },
});
