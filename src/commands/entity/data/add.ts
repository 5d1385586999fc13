import { randomUUID } from "node:crypto";
import { MAX_ENTITY_ROWS } from "../../../lib/core/limits.ts";
import { defineCommand } from "../../kit/command/define.ts";
import { rows } from "../../kit/command/result.ts";
import { inputError, usageError } from "../../kit/failures/command-error.ts";
import { inParts } from "../../kit/lanes.ts";
import { entityOf, firstArgument } from "../place.ts";
import { commonColumns } from "../query.ts";
import { amount, givenRows, inputOptions, printRows, send, typedValues } from "../rows.ts";

export const addRows = defineCommand({
  path: ["data", "add"],
  effect: "changes",
  summary: "Add rows to an entity",
  details:
    "Values are read by the schema: numbers, true and false, timestamps, JSON. Rows get a new id unless they have one; " +
    'a row with an existing id is updated. For large files: "iot entity data import".',
  args: [firstArgument, { name: "values", summary: "fields of one row: name=Pier city=Oslo", variadic: true }],
  options: inputOptions,
  result: rows(commonColumns),
  examples: [
    'iot entity data add "name:sites" name="Pier 9" city=Oslo state=open area=120.5',
    `echo '[{"name":"Dock 1","city":"Aarhus"}]' | iot entity data add "name:sites" --input -`,
  ],
  exitCodes: [3],
  related: ["iot entity data import", "iot entity schema"],
  async run(ctx, { args, options }) {
    const texts = args.values;
    if (texts.length === 0 && options.input === undefined) {
      throw usageError("No rows given.", { next: "Add field=value, or a file with --input." });
    }
    const entity = await entityOf(ctx, args.id);
    const typed = texts.length === 0 ? [] : [typedValues(entity, texts)];
    const given = await givenRows(ctx, options, entity, true, typed);
    if (given.length === 0) throw inputError("The input contains no rows.", { next: "Nothing was sent." });
    const path = `/entity/${entity.id}/data`;
    if (await ctx.dryRun(inParts(given, MAX_ENTITY_ROWS).map((body) => ({ method: "POST", path, body })))) return;
    // With an id of ours the rows can be read back, and a request that is sent again adds nothing twice.
    const withIds = given.map((row) => ({ ...row, id: typeof row["id"] === "string" ? row["id"] : randomUUID() }));
    const { entities } = await ctx.client();
    await send(ctx, inParts(withIds, MAX_ENTITY_ROWS), "added", (part) => entities.sendEntityData(entity.id, part));
    await printRows(ctx, entity, withIds);
    await ctx.done(`Added ${amount(given.length)} to entity "${entity.name}"`);
  },
});
