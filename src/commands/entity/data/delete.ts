import { countOf, countText } from "../../../text/count.ts";
import { batchClient } from "../../kit/client/batch-client.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { deleted } from "../../kit/command/result.ts";
import { usageError } from "../../kit/failures/command-error.ts";
import { partialError } from "../../kit/jobs/ending.ts";
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
    const given = input.args.row;
    const isPiped = given.length === 1 && given[0] === "-";
    const texts = isPiped ? (await ctx.readInput("-", "The ids")).split("\n") : given;
    const ids = [...new Set(texts.map((text) => text.trim()).filter((text) => text !== ""))];
    if (ids.length === 0) throw usageError("No rows given.", { next: "Add the ids of the rows." });
    const entity = await entityOf(ctx, input.args.id);
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
    const { entities } = await batchClient(ctx);
    const parts: Part[] = [];
    await send(ctx, inParts(ids, IDS_PER_REQUEST), "deleted", async (part) => {
      const answer = await entities.deleteEntityData(entity.id, { ids: part });
      parts.push({ ids: part, count: Number.parseInt(String(answer), 10) });
    });
    const short = parts.filter(({ ids: asked, count }) => count < asked.length);
    const gone = parts.filter((part) => !short.includes(part)).flatMap((part) => part.ids);
    const deleted = parts.reduce((sum, { ids: asked, count }) => sum + (Number.isNaN(count) ? asked.length : count), 0);
    await ctx.out.list(
      gone.map((id) => ({ id, name: entity.name })),
      {
        columns: [
          { key: "id", kind: "id" },
          { key: "name", header: "entity" },
        ],
        empty: "Nothing was deleted.",
      },
    );
    await ctx.done(`Deleted ${amount(deleted)} of entity "${entity.name}"`);
    for (const { ids: asked, count } of short)
      ctx.say.warning(
        `${count} of these ${asked.length} rows were deleted, the others were not there: ${asked.join(", ")}.`,
      );
    if (deleted < ids.length) throw notAll(deleted, ids.length);
  },
});

/** The ids of a request, and how many rows the platform says it deleted: not which. */
interface Part {
  readonly ids: readonly string[];
  readonly count: number;
}

const notAll = (deleted: number, all: number): Error =>
  partialError(`${countText(deleted)} of ${amount(all)} were deleted.`, {
    why: "The entity had no rows with the other ids.",
    next: "The warnings name the ids; the platform does not say which of them existed.",
  });
