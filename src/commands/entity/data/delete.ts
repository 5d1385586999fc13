import { countOf } from "../../../text/count.ts";
import { argumentList } from "../../kit/command/arguments.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { deleted } from "../../kit/command/result.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { inParts } from "../../kit/lanes.ts";
import { entityOf, firstArgument } from "../place.ts";
import { amount, IDS_PER_REQUEST, needRows, send } from "../rows.ts";

export const deleteRows = defineCommand({
  path: ["data", "delete"],
  aliases: ["rm"],
  effect: "deletes",
  summary: "Delete rows of an entity",
  args: [
    firstArgument,
    { name: "row", summary: "ids of the rows; - reads them from stdin, one per line", variadic: true },
  ],
  result: deleted,
  examples: [
    'iot entity data delete "name:sites" site-1999 --yes',
    'iot entity data delete "name:sites" site-0003 site-0004 --dry-run',
  ],
  exitCodes: [8],
  related: ["iot entity empty", "iot entity data list"],
  async run(ctx, input) {
    const given = argumentList(input, "row");
    const isPiped = given.length === 1 && given[0] === "-";
    const texts = isPiped ? (await ctx.readInput("-", "The ids")).split("\n") : given;
    const ids = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
    if (ids.length === 0) throw usageError("No rows given.", { next: "Add the ids of the rows." });
    const entity = await entityOf(ctx, input);
    await needRows(ctx, entity, ids);
    const bodies = inParts(ids, IDS_PER_REQUEST).map((part) => ({ ids: part }));
    const path = `/entity/${entity.id}/data`;
    if (await ctx.dryRun(bodies.map((body) => ({ method: "DELETE", path, body })))) return;
    const [first = ""] = ids;
    await ctx.confirm(
      ids.length === 1
        ? { level: 1, action: `Delete row "${first}" of entity "${entity.name}"`, name: first }
        : {
            level: 2,
            action: `Delete ${countOf(ids.length, "row")} of entity "${entity.name}"`,
            name: entity.name,
            items: ids,
          },
    );
    const { entities } = await ctx.client();
    const done = await send(ctx, inParts(ids, IDS_PER_REQUEST), "deleted", (part) =>
      entities.deleteEntityData(entity.id, { ids: part }),
    );
    await ctx.out.list(
      done.map((id) => ({ id, name: entity.name })),
      {
        columns: [
          { key: "id", kind: "id" },
          { key: "name", header: "entity" },
        ],
        empty: "Nothing was deleted.",
      },
    );
    await ctx.done(`Deleted ${amount(done.length)} of entity "${entity.name}"`);
  },
});
